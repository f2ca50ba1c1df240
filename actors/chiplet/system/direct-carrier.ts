import { setup } from 'xstate';
import { keyOf } from '../gpu/mailbox-store.ts';
import type { ChipletMessage } from '../gpu/protocol.ts';
import { type ChipletPlaces, noChiplet, readableFrom, tickOfCycle } from './chiplet-place.ts';
import { systemProtocol } from './protocol.ts';

/** What the carrier knows and counts. */
export interface DirectCarrierContext {
  readonly chiplets: ChipletPlaces;
  sent: number;
  delivered: number;
}

const role = systemProtocol.roles.Carrier;

/** The kit of carriers, also for planted faults. */
export const directCarrierKit = role.component<DirectCarrierContext>();
const { act, update, when, report } = directCarrierKit;

/**
 * Carries messages between chiplets at once: the functional run of a decoupled system (chiplet specification 12).
 *
 * Details: "at once" is the first cycle of the receiver that does not begin before the cycle of the sending.
 */
export const directCarrier = setup({
  types: {} as {
    context: DirectCarrierContext;
    events: ChipletMessage<'message.send'>;
    input: { readonly chiplets: ChipletPlaces };
  },
  guards: {
    known: when((c, { src, dst }) => keyOf(src) in c.chiplets && keyOf(dst) in c.chiplets),
  },
  actions: {
    count: update((c) => {
      c.sent++;
    }),
    carry: act((c, { src, dst, value, cycle }, out) => {
      c.delivered++;
      const to = c.chiplets[keyOf(dst)]!;
      const readable = readableFrom(to, tickOfCycle(c.chiplets[keyOf(src)]!, cycle));
      out.post({ to: to.mailbox, type: 'message.arrived', src, dst, value, ...readable });
    }),
    complain: report((_c, { src, dst }) => noChiplet(src, dst)),
  },
}).createMachine({
  id: 'directCarrier',
  context: ({ input }) => ({ chiplets: input.chiplets, sent: 0, delivered: 0 }),
  initial: 'open',
  states: {
    open: {
      on: {
        'message.send': [{ guard: 'known', actions: ['count', 'carry'] }, { actions: ['count', 'complain'] }],
      },
    },
  },
});
