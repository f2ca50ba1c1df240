import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { affords, type CreditsLeft, type PortCredits, refund, spend } from './credits.ts';
import { noInput, writeTo } from './passed-on.ts';
import type { MemoryWrite, TcaOutbox } from './protocol.ts';
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

function sendAll(c: PioWindowContext, out: TcaOutbox<'PioWindow'>): void {
  while (c.queue.length > 0 && affords(c.credits, c.queue[0]!)) {
    const packet = c.queue.shift()!;
    spend(c.credits, packet);
    out.post(writeTo(packet, c.spec.router, 0, noInput));
  }
}

/** The window through which a processor stores into the memory of other nodes (TCA specification 9): what it commits waits here for credits of the chip. */
export const pioWindow = setup({
  types: role.types<PioWindowContext, PioWindowInput>(),
  guards: { isEmpty: when((c) => c.queue.length === 0) },
  actions: {
    store: update<'tlp.write'>((c, packet) => {
      c.queue.push(packet);
    }),
    takeCredits: update<'fc.update'>((c, event) => {
      refund(c.credits, event);
    }),
    sendAll: act((c, _event, out) => sendAll(c, out)),
  },
}).createMachine({
  id: 'pioWindow',
  context: ({ input }) => ({ spec: input, credits: { ...input.credits }, queue: [] }),
  on: {
    'tlp.write': { target: '.sending', actions: 'store' },
    'fc.update': { target: '.sending', actions: 'takeCredits' },
  },
  initial: 'idle',
  states: {
    idle: {},
    sending: { entry: 'sendAll', always: [{ guard: 'isEmpty', target: 'idle' }, { target: 'noCredit' }] },
    noCredit: {
      tags: ['waiting'],
      meta: waitsFor<PioWindowContext>('credits of the port of the chip', ({ spec }) => spec.router),
    },
  },
});
