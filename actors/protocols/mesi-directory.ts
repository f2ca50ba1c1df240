import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { mesiProtocol } from './mesi-protocol.ts';

/** What a directory remembers. */
export interface DirectoryContext {
  value: number;
  /** Who has the only copy, and may change it; -1 for nobody. */
  owner: number;
  /** Who may have a copy besides, ascending. */
  sharers: Address[];
}

/** The kit of directories, also for planted faults. */
export const directoryKit = mesiProtocol.roles.Directory.component<DirectoryContext>();
const d = directoryKit;

/** Those of a list with one more, ascending, each once. */
const withOne = (list: readonly Address[], one: Address): Address[] =>
  [...new Set([...list, one])].sort((a, b) => a - b);

/** The directory of the line: who has which copy. In `idle` it takes up requests. */
export const directory = setup({
  types: mesiProtocol.roles.Directory.types<DirectoryContext, undefined>(),
  guards: {
    isOwned: d.when(({ owner }) => owner !== -1),
    isShared: d.when(({ sharers }) => sharers.length > 0),
    isFromOwner: d.when(({ owner }, _event, { from }) => owner === from),
  },
  actions: {
    forwardShared: d.act((line, _event, out) => {
      const owner = line.owner as Address;
      out.post({ to: owner, type: 'FwdGetS', requester: out.from });
      line.sharers = withOne([owner], out.from);
      line.owner = -1;
    }),
    share: d.act((line, _event, out) => {
      line.sharers = withOne(line.sharers, out.from);
      out.post({ to: out.from, type: 'Data', value: line.value, acks: 0, exclusive: false });
    }),
    own: d.act((line, _event, out) => {
      line.owner = out.from;
      out.post({ to: out.from, type: 'Data', value: line.value, acks: 0, exclusive: true });
    }),
    forwardOwned: d.act((line, _event, out) => {
      out.post({ to: line.owner as Address, type: 'FwdGetM', requester: out.from });
      line.owner = out.from;
    }),
    invalidate: d.act((line, _event, out) => {
      const others = line.sharers.filter((one) => one !== out.from);
      for (const to of others) out.post({ to, type: 'Inv', requester: out.from });
      out.post({ to: out.from, type: 'Data', value: line.value, acks: others.length, exclusive: true });
      Object.assign(line, { owner: out.from, sharers: [] });
    }),
    takeBack: d.update<'Put'>((line, { value }) => {
      Object.assign(line, { value, owner: -1 });
    }),
    confirm: d.post((_line, _event, { from: to }) => ({ to, type: 'PutAck' })),
    takeCopy: d.update<'WriteBack'>((line, { value }) => {
      line.value = value;
    }),
  },
}).createMachine({
  id: 'directory',
  context: () => ({ value: 0, owner: -1, sharers: [] }),
  initial: 'idle',
  on: { GetS: refused, GetM: refused, Put: refused, Unblock: refused, WriteBack: refused },
  states: {
    idle: {
      on: {
        GetS: [
          { guard: 'isOwned', target: 'forwarding', actions: 'forwardShared' },
          { guard: 'isShared', target: 'granting', actions: 'share' },
          { target: 'granting', actions: 'own' },
        ],
        GetM: [
          { guard: 'isOwned', target: 'granting', actions: 'forwardOwned' },
          { target: 'granting', actions: 'invalidate' },
        ],
        Put: [{ guard: 'isFromOwner', actions: ['takeBack', 'confirm'] }, { actions: 'confirm' }],
      },
    },
    granting: { on: { Unblock: 'idle' } },
    forwarding: { on: { Unblock: 'copying', WriteBack: { target: 'granting', actions: 'takeCopy' } } },
    copying: { on: { WriteBack: { target: 'idle', actions: 'takeCopy' } } },
  },
});
