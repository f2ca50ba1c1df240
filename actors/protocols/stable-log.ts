import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { recoverableProtocol } from './recoverable-protocol.ts';

/** Fixed when the parts are wired. */
export interface StableLogSpec {
  readonly owner: Address;
  /** False for a log that answers a write and forgets it. */
  readonly keeps: boolean;
}

const role = recoverableProtocol.roles.Log;
const { post, when } = role.component<StableLogSpec>();

const value = (first: boolean, promised: boolean) =>
  post<'log.read'>(({ owner: to }) => ({ to, type: 'log.value', first, promised }));

/** What a resource manager has on its disk, which it reads before it writes: it stays when its owner crashes. */
export const stableLog = setup({
  types: role.types<StableLogSpec, StableLogSpec>(),
  guards: { keeps: when(({ keeps }) => keeps) },
  actions: {
    confirm: post<'log.write'>(({ owner }) => ({ to: owner, type: 'log.written' })),
    answerFirst: value(true, false),
    answerEmpty: value(false, false),
    answerPromised: value(false, true),
  },
}).createMachine({
  id: 'stableLog',
  context: ({ input }) => ({ ...input }),
  initial: 'unread',
  states: {
    unread: { on: { 'log.read': { target: 'empty', actions: 'answerFirst' }, 'log.write': refused } },
    empty: {
      on: {
        'log.read': { actions: 'answerEmpty' },
        'log.write': [{ guard: 'keeps', target: 'promised', actions: 'confirm' }, { actions: 'confirm' }],
      },
    },
    promised: {
      on: { 'log.read': { actions: 'answerPromised' }, 'log.write': { actions: 'confirm' } },
    },
  },
});
