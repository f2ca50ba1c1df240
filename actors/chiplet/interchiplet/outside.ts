import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import type { Answer } from './commands.ts';
import type { BenchAdd, ProcessEnded } from './round-messages.ts';

/**
 * The place of a process, or of the loop over rounds, that lives outside of the run: whoever follows the messages takes what comes here.
 *
 * Use when a coordinator serves real processes.
 */
export const outside = setup({
  types: {} as { context: Record<string, never>; events: Answer | BenchAdd | ProcessEnded },
}).createMachine({
  id: 'outside',
  context: {},
  initial: 'open',
  states: {
    open: {
      on: {
        'answer.result': refused,
        'answer.sync': refused,
        'bench.add': refused,
        'process.ended': refused,
      },
    },
  },
});
