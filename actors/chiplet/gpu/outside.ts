import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { MessageSend } from './messages.ts';

/** What the outside has taken. */
export interface OutsideContext {
  sent: MessageSend[];
}

const { update } = component<OutsideContext, MessageSend>();

/** The outside of a chiplet that runs alone: takes what leaves it, in order. */
export const outside = setup({
  types: {} as { context: OutsideContext; events: MessageSend },
  actions: {
    keep: update((c, message) => {
      c.sent.push(message);
    }),
  },
}).createMachine({
  id: 'outside',
  context: { sent: [] },
  initial: 'open',
  states: { open: { on: { 'message.send': { actions: 'keep' } } } },
});
