import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { ChipletMessage } from './gpu/protocol.ts';
import type { Answer } from './interchiplet/commands.ts';
import type { BenchAdd, ProcessEnded } from './interchiplet/round-messages.ts';

/** What the outside has taken. */
export interface OutsideContext {
  sent: ChipletMessage<'message.send'>[];
}

type OutsideEvent = ChipletMessage<'message.send'> | Answer | BenchAdd | ProcessEnded;

const { update } = component<OutsideContext, OutsideEvent>();

/**
 * A place that lives outside of the run: all that is around a chiplet that runs alone, or a process, or the loop over rounds, that a coordinator serves. It keeps the messages of
 * chiplets, in order; whoever follows the run takes the others.
 */
export const outside = setup({
  types: {} as { context: OutsideContext; events: OutsideEvent },
  actions: {
    keep: update<'message.send'>((c, message) => {
      c.sent.push(message);
    }),
  },
}).createMachine({
  id: 'outside',
  context: { sent: [] },
  initial: 'open',
  states: {
    open: {
      on: {
        'message.send': { actions: 'keep' },
        'answer.result': refused,
        'answer.sync': refused,
        'bench.add': refused,
        'process.ended': refused,
      },
    },
  },
});
