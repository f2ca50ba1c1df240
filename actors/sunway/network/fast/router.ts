import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { type Leaving, leave } from '../leave.ts';
import type { Packet, PacketArrive, PacketCredit, PacketEnter, RouterTurn } from '../packet.ts';
import { oppositeOf, portNames } from '../ports.ts';
import {
  type OutputPort,
  type PortCounts,
  type RouterInput,
  type RouterSpec,
  specOf,
} from '../router-input.ts';

/** What an input port does (specification 8.5). */
export type PortPhase = 'empty' | 'routing' | 'active' | 'blocked';

/** An input port: a buffer whose first packet is on its way out. */
export interface InputPort extends Leaving {
  phase: PortPhase;
  buffer: Packet[];
}

/** The router of one cluster. */
export interface FastRouterContext extends PortCounts {
  readonly spec: Fixed<RouterSpec>;
  inputs: InputPort[];
  outputs: OutputPort[];
}

type RouterEvent = PacketEnter | PacketCredit | RouterTurn;
type RouterSends = PacketEnter | PacketArrive | PacketCredit | RouterTurn;
type Out = Outbox<RouterSends>;

const { act } = component<FastRouterContext, RouterEvent, RouterSends>();

/** Sends the first packet of an input port on towards those of its targets whose output port is free and has room. */
function advance(c: FastRouterContext, from: number, out: Out): void {
  const input = c.inputs[from]!;
  if (input.rest === 0) return;
  const { behind } = c.spec.value;
  for (let to = 0; to < c.outputs.length; to++) {
    const targets = input.rest & behind[to]!;
    if (targets !== 0) leave(c, input, input.buffer[0]!, { from, to, targets }, out);
  }
  input.phase = input.freeAt > out.now ? 'active' : 'blocked';
}

/** A packet comes: when it is the first of its port, its way is chosen. */
function enter(c: FastRouterContext, { port, packet }: PacketEnter, out: Out): void {
  const input = c.inputs[port]!;
  c.flitsIn[port]! += packet.flits;
  input.buffer.push(packet);
  if (input.buffer.length === 1) route(c, port, out);
}

/** Chooses the way of the first packet of a port. */
function route(c: FastRouterContext, port: number, out: Out): void {
  const input = c.inputs[port]!;
  input.phase = 'routing';
  input.rest = input.buffer[0]!.targets;
  advance(c, port, out);
}

/** The last flit of a packet has gone: its room is given back, the next of its port and of those that wait for the output follow. */
function goOn(c: FastRouterContext, { input: from, output: to }: RouterTurn, out: Out): void {
  const input = c.inputs[from]!;
  if (input.buffer.length > 0 && input.rest === 0 && input.freeAt <= out.now) {
    const { flits } = input.buffer.shift()!;
    const upstream = c.spec.value.ends[from];
    if (upstream)
      out.post({
        to: upstream.to,
        type: 'packet.credit',
        port: oppositeOf[from]!,
        flits,
        delay: 1,
      });
    input.phase = 'empty';
  } else if (input.rest !== 0 && input.freeAt <= out.now) input.phase = 'blocked';
  offer(c, to, out);
  if (input.phase === 'empty' && input.buffer.length > 0) route(c, from, out);
}

/** Lets input ports that wait for an output port have it, in turns. */
function offer(c: FastRouterContext, to: number, out: Out): void {
  const { turn } = c.outputs[to]!;
  for (let k = 0; k < c.inputs.length; k++) {
    const from = (turn + k) % c.inputs.length;
    const targets = c.inputs[from]!.rest & c.spec.value.behind[to]!;
    if (targets !== 0) advance(c, from, out);
  }
}

/**
 * The router of one cluster as plain code: the fast twin of `../router.ts`, with the same messages in the same order.
 *
 * Details: a packet sets out when the next buffer has room for all its flits, so that these follow each other without a gap: one message
 * stands for them, and a turn for the last of them. Heads that come in the same cycle for a free port are served in the order of delivery;
 * those that wait, in turns of the ports.
 */
export const fastRouter = setup({
  types: {} as { context: FastRouterContext; events: RouterEvent; input: RouterInput },
  actions: {
    enter: act<'packet.enter'>(enter),
    goOn: act<'router.turn'>(goOn),
    takeCredit: act<'packet.credit'>((c, { port, flits }, out) => {
      c.outputs[port]!.credits += flits;
      offer(c, port, out);
    }),
  },
}).createMachine({
  id: 'fastRouter',
  context: ({ input }) => ({
    spec: fixed(specOf(input)),
    inputs: portNames.map(() => ({ phase: 'empty' as const, buffer: [], rest: 0, freeAt: 0 })),
    outputs: portNames.map(() => ({ freeAt: 0, credits: input.bufferFlits, turn: 0 })),
    flitsIn: portNames.map(() => 0),
    flitsOut: portNames.map(() => 0),
  }),
  initial: 'switching',
  states: {
    switching: {
      on: {
        'packet.enter': { actions: 'enter' },
        'packet.credit': { actions: 'takeCredit' },
        'router.turn': { actions: 'goOn' },
      },
    },
  },
});
