import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** Asks what is written; answered by `log.value`. */
export interface LogRead {
  readonly type: 'log.read';
}

/** Writes that a promise is given; answered by `log.written`. */
export interface LogWrite {
  readonly type: 'log.write';
}

/** What a log answers. */
export type LogAnswer =
  | { readonly type: 'log.written' }
  | {
      readonly type: 'log.value';
      /** True when it was never read before: its owner is no one who begins anew. */
      readonly first: boolean;
      readonly promised: boolean;
    };

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

type StableLogEvent = LogRead | LogWrite;

const { update, post } = component<StableLogContext, StableLogEvent>();

/** What a resource manager has on its disk: it stays when its owner crashes. */
export const stableLog = setup({
  types: {} as { context: StableLogContext; events: StableLogEvent; input: StableLogSpec },
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
