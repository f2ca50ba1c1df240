import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { MessagesOf, ShownBy } from '../../kernel/protocol/protocol.ts';
import { mesiProtocol } from './mesi-protocol.ts';

/** What a cache remembers. Where it has no copy, the value is 0. */
export interface CacheContext {
  readonly directory: Address;
  value: number;
  /** Acknowledgements that must still come; negative while those that came are more than it knows of. */
  acks: number;
}

type Sent = MessagesOf<typeof mesiProtocol>;
type LineAccessed = ShownBy<typeof mesiProtocol>;
const role = mesiProtocol.roles.Cache;

/** The kit of caches, also for planted faults. */
export const cacheKit = role.component<CacheContext>();
const { act, when } = cacheKit;

const load = (cache: CacheContext, out: Outbox<Sent>): void =>
  out.probe<LineAccessed>({ type: 'line.loaded', value: cache.value });

function store(cache: CacheContext, out: Outbox<Sent>): void {
  cache.value = 1 - cache.value;
  out.probe<LineAccessed>({ type: 'line.stored', value: cache.value });
}

const ask = (type: 'GetS' | 'GetM') =>
  act(({ directory }, { type: want }, out) => {
    out.setTimer(want);
    out.post({ to: directory, type });
  });

/** What a cache does that has the only copy, changed or not. */
const asOwner = {
  load: { actions: 'load' },
  evict: { target: 'MI', actions: 'put' },
  FwdGetS: { target: 'S', actions: ['supply', 'writeBack'] },
  FwdGetM: { target: 'I', actions: 'supply' },
} as const;

/** A cache with one line. Its states are those of the protocol; `IS` reads as "has nothing, has asked for a copy to share". */
export const cache = setup({
  types: role.types<CacheContext, { readonly directory: Address }>(),
  guards: {
    isExclusive: when<'Data'>((_cache, { exclusive }) => exclusive),
    completes: when<'Data' | 'InvAck'>(
      ({ acks }, event) => acks + (event.type === 'Data' ? event.acks : -1) === 0,
    ),
  },
  actions: {
    begin: act((_cache, _event, out) => {
      for (const type of ['load', 'store', 'evict']) out.setTimer(type);
    }),
    later: act((_cache, { type }, out) => out.setTimer(type)),
    askToShare: ask('GetS'),
    askToWrite: ask('GetM'),
    load: act((cache, { type }, out) => {
      if (type === 'load') out.setTimer(type);
      load(cache, out);
    }),
    store: act((cache, { type }, out) => {
      if (type === 'store') out.setTimer(type);
      store(cache, out);
    }),
    put: act(({ directory, value }, _event, out) => {
      out.setTimer('evict');
      out.post({ to: directory, type: 'Put', value });
    }),
    fill: act<'Data'>((cache, { value, acks }) => {
      cache.value = value;
      cache.acks += acks;
    }),
    noteAck: act<'InvAck'>((cache) => {
      cache.acks--;
    }),
    unblock: act(({ directory: to }, _event, out) => out.post({ to, type: 'Unblock' })),
    supply: act<'FwdGetS' | 'FwdGetM'>(({ value }, { requester: to }, out) =>
      out.post({ to, type: 'Data', value, acks: 0, exclusive: false }),
    ),
    writeBack: act(({ directory: to, value }, _event, out) => out.post({ to, type: 'WriteBack', value })),
    acknowledge: act<'Inv'>((_cache, { requester: to }, out) => out.post({ to, type: 'InvAck' })),
    forget: act((cache, { type }, out) => {
      if (type === 'evict') out.setTimer(type);
      cache.value = 0;
    }),
  },
}).createMachine({
  id: 'cache',
  context: ({ input }) => ({ ...input, value: 0, acks: 0 }),
  initial: 'I',
  entry: 'begin',
  // What a state does not know cannot come in it, or waits.
  on: {
    Data: refused,
    FwdGetS: refused,
    FwdGetM: refused,
    InvAck: refused,
    PutAck: refused,
    Inv: refused,
    load: { actions: 'later' },
    store: { actions: 'later' },
    evict: { actions: 'later' },
  },
  states: {
    I: {
      entry: 'forget',
      on: {
        load: { target: 'IS', actions: 'askToShare' },
        store: { target: 'IM', actions: 'askToWrite' },
        Inv: { actions: 'acknowledge' },
      },
    },
    IS: {
      on: {
        Data: [
          { guard: 'isExclusive', target: 'E', actions: ['fill', 'load', 'unblock'] },
          { target: 'S', actions: ['fill', 'load', 'unblock'] },
        ],
        Inv: { actions: 'acknowledge' },
      },
    },
    IM: {
      on: {
        Data: [
          { guard: 'completes', target: 'M', actions: ['fill', 'store', 'unblock'] },
          { actions: 'fill' },
        ],
        InvAck: [
          { guard: 'completes', target: 'M', actions: ['noteAck', 'store', 'unblock'] },
          { actions: 'noteAck' },
        ],
        Inv: { actions: 'acknowledge' },
      },
    },
    S: {
      on: {
        load: { actions: 'load' },
        store: { target: 'IM', actions: 'askToWrite' },
        evict: 'I',
        Inv: { target: 'I', actions: 'acknowledge' },
      },
    },
    E: { on: { ...asOwner, store: { target: 'M', actions: 'store' } } },
    M: { on: { ...asOwner, store: { actions: 'store' } } },
    MI: {
      on: {
        PutAck: 'I',
        FwdGetS: { target: 'II', actions: ['supply', 'writeBack'] },
        FwdGetM: { target: 'II', actions: 'supply' },
      },
    },
    II: { entry: 'forget', on: { PutAck: 'I', Inv: { actions: 'acknowledge' } } },
  },
});
