import { setup } from 'xstate';
import { keyOf } from '../../../actors/chiplet/gpu/mailbox-store.ts';
import type { ChipletMessage } from '../../../actors/chiplet/gpu/protocol.ts';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';

/** Mailboxes by the address of their chiplet, as `x,y`. */
export interface InstantCarrierInput {
  readonly mailboxes: Readonly<Record<string, Address>>;
}

/** What the carrier remembers. */
export interface InstantCarrierContext {
  readonly mailboxes: Readonly<Record<string, Address>>;
  /** Messages to places without a chiplet, as they were sent. */
  lost: ChipletMessage<'message.send'>[];
  carried: number;
}

const { act, update, when, report } = component<
  InstantCarrierContext,
  ChipletMessage<'message.send'>,
  ChipletMessage<'message.arrived'>
>();

/** Carries messages between chiplets at once: the network of a decoupled run (chiplet specification 12). */
export const instantCarrier = setup({
  types: {} as {
    context: InstantCarrierContext;
    events: ChipletMessage<'message.send'>;
    input: InstantCarrierInput;
  },
  guards: { known: when((c, { dst }) => keyOf(dst) in c.mailboxes) },
  actions: {
    carry: act((c, { src, dst, value, cycle }, out) => {
      c.carried++;
      out.post({ to: c.mailboxes[keyOf(dst)]!, type: 'message.arrived', src, dst, value, cycle });
    }),
    lose: update((c, message) => {
      c.lost.push(message);
    }),
    complain: report((_c, { src, dst }) => ({
      property: 'every message goes to a chiplet',
      why: `E-ADDR found a message from (${src.join(', ')}) to (${dst.join(', ')}), where no chiplet is`,
    })),
  },
}).createMachine({
  id: 'instantCarrier',
  context: ({ input }) => ({ mailboxes: input.mailboxes, lost: [], carried: 0 }),
  initial: 'open',
  states: {
    open: {
      on: { 'message.send': [{ guard: 'known', actions: 'carry' }, { actions: ['lose', 'complain'] }] },
    },
  },
});
