import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { SunwayMessage } from '../protocol.ts';
import type { Packet, PacketCredit } from './packet.ts';
import { oppositeOf } from './ports.ts';
import type { RouterInput } from './router-input.ts';

/** What an input port hears, and what it says. */
export type InputEvent = SunwayMessage<
  'input.enter' | 'input.moves' | 'input.waits' | 'input.tail' | 'input.next'
>;
export type InputSays = SunwayMessage<'input.asks' | 'input.noted'>;

/** An input port of a router. */
export interface InputPortInput {
  readonly router: Pick<RouterInput, 'self' | 'ends'>;
  readonly port: number;
}

/** An input port: a buffer whose first packet is on its way out. */
export interface InputPortContext {
  readonly spec: Fixed<InputPortInput>;
  buffer: Packet[];
  /** Targets of the first packet that it has not set out for. */
  rest: number;
}

const { act, post, update, when } = component<InputPortContext, InputEvent, InputSays | PacketCredit>();

const routerOf = ({ spec }: InputPortContext): Address => spec.value.router.self;

/** One input port of a router (specification 8.5). */
export const inputPort = setup({
  types: {} as { context: InputPortContext; events: InputEvent; input: InputPortInput },
  guards: {
    hasPacket: when((c) => c.buffer.length > 0),
  },
  actions: {
    queue: update<'input.enter'>((c, { packet }) => {
      c.buffer.push(packet);
    }),
    ask: post((c) => ({
      to: routerOf(c),
      type: 'input.asks',
      port: c.spec.value.port,
      packet: c.buffer[0]!,
    })),
    noteRest: update<'input.moves' | 'input.waits'>((c, { rest }) => {
      c.rest = rest;
    }),
    giveCredit: act((c, _event, out) => {
      const { router, port } = c.spec.value;
      const { flits } = c.buffer.shift()!;
      const upstream = router.ends[port];
      if (upstream)
        out.post({ to: upstream.to, type: 'packet.credit', port: oppositeOf[port]!, flits, delay: 1 });
    }),
    acknowledge: post((c) => ({ to: routerOf(c), type: 'input.noted' })),
  },
}).createMachine({
  id: 'inputPort',
  context: ({ input }) => ({ spec: fixed(input), buffer: [], rest: 0 }),
  initial: 'empty',
  states: {
    empty: {
      on: {
        'input.enter': { target: 'routing', actions: ['queue', 'ask'] },
        'input.next': { actions: 'acknowledge' },
      },
    },
    routing: {
      on: {
        'input.moves': { target: 'active', actions: ['noteRest', 'acknowledge'] },
        'input.waits': { target: 'blocked', actions: ['noteRest', 'acknowledge'] },
      },
    },
    active: {
      on: {
        'input.enter': { actions: ['queue', 'acknowledge'] },
        'input.moves': { actions: ['noteRest', 'acknowledge'] },
        'input.waits': { target: 'blocked', actions: ['noteRest', 'acknowledge'] },
        'input.tail': { target: 'emptied', actions: ['giveCredit', 'acknowledge'] },
        'input.next': { actions: 'acknowledge' },
      },
    },
    blocked: {
      ...waitingFor<InputPortContext>('output ports that are free and have credit', (c) =>
        c.spec.value.router.ends.flatMap((end) => end?.to ?? []),
      ),
      on: {
        'input.enter': { actions: ['queue', 'acknowledge'] },
        'input.moves': { target: 'active', actions: ['noteRest', 'acknowledge'] },
        'input.waits': { actions: ['noteRest', 'acknowledge'] },
        'input.next': { actions: 'acknowledge' },
      },
    },
    // Others have the output port first.
    emptied: {
      on: {
        'input.next': [
          { guard: 'hasPacket', target: 'routing', actions: 'ask' },
          { target: 'empty', actions: 'acknowledge' },
        ],
      },
    },
  },
});
