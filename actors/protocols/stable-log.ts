import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { recoverableProtocol } from './recoverable-protocol.ts';

/** Fixed when the parts are wired. */
export interface StableLogSpec {
  readonly owner: Address;
  /** False for a log that answers a write and forgets it. */
  readonly keeps: boolean;
}

/** What a log remembers. */
export interface StableLogContext extends StableLogSpec {
  read: boolean;
  promised: boolean;
}

const role = recoverableProtocol.roles.Log;
const { update, post } = role.component<StableLogContext>();

/** What a resource manager has on its disk: it stays when its owner crashes. */
export const stableLog = setup({
  types: role.types<StableLogContext, StableLogSpec>(),
  actions: {
    write: update<'log.write'>((log) => {
      log.promised = log.keeps;
    }),
    confirm: post<'log.write'>(({ owner }) => ({ to: owner, type: 'log.written' })),
    answer: post<'log.read'>(({ owner, read, promised }) => ({
      to: owner,
      type: 'log.value',
      first: !read,
      promised,
    })),
    noteRead: update<'log.read'>((log) => {
      log.read = true;
    }),
  },
}).createMachine({
  id: 'stableLog',
  context: ({ input }) => ({ ...input, read: false, promised: false }),
  initial: 'keeping',
  states: {
    keeping: {
      on: {
        'log.write': { actions: ['write', 'confirm'] },
        'log.read': { actions: ['answer', 'noteRead'] },
      },
    },
  },
});
