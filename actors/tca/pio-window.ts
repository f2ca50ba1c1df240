import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { senderStates } from '../common/credits.ts';
import { affords, type CreditsLeft, type PortCredits, refund, spend } from './credits.ts';
import { noInput, writeTo } from './passed-on.ts';
import type { MemoryWrite } from './protocol.ts';
import { tcaProtocol } from './protocol.ts';

/** The PIO window of a chip, and the room of its port to the host. */
export interface PioWindowInput {
  readonly router: Address;
  readonly credits: PortCredits;
}

/** The PIO window: stores that wait for credits. */
export interface PioWindowContext {
  readonly spec: PioWindowInput;
  credits: CreditsLeft;
  queue: MemoryWrite[];
}

const role = tcaProtocol.roles.PioWindow;
const { act, when, update } = role.component<PioWindowContext>();

/** The window through which a processor stores into the memory of other nodes (TCA specification 9): what it commits waits here for credits of the chip. */
export const pioWindow = setup({
  types: role.types<PioWindowContext, PioWindowInput>(),
  guards: {
    isEmpty: when((c) => c.queue.length === 0),
    lacksCredit: when((c) => !affords(c.credits, c.queue[0]!)),
  },
  actions: {
    store: update<'tlp.write'>((c, packet) => {
      c.queue.push(packet);
    }),
    takeCredits: update<'fc.update'>((c, event) => {
      refund(c.credits, event);
    }),
    send: act((c, _event, out) => {
      const packet = c.queue.shift()!;
      spend(c.credits, packet);
      out.post(writeTo(packet, c.spec.router, 0, noInput));
    }),
  },
}).createMachine({
  id: 'pioWindow',
  context: ({ input }) => ({ spec: input, credits: { ...input.credits }, queue: [] }),
  on: {
    'tlp.write': { target: '.choosing', actions: 'store' },
    'fc.update': { target: '.choosing', actions: 'takeCredits' },
  },
  initial: 'idle',
  states: {
    idle: {},
    ...senderStates(
      { look: [], send: ['send'], wait: [] },
      {
        sent: 'choosing',
        noCredit: {
          meta: waitsFor<PioWindowContext>('credits of the port of the chip', ({ spec }) => spec.router),
        },
      },
    ),
  },
});
