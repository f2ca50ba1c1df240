import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
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
export interface InputPort {
  phase: PortPhase;
  buffer: Packet[];
  /** Targets of the first packet that it has not set out for. */
  rest: number;
  /** When the last flit that is leaving has left. */
  freeAt: number;
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
    if (targets !== 0) leave(c, from, to, targets, out);
  }
  input.phase = input.freeAt > out.now ? 'active' : 'blocked';
}

/** Sends a packet, or the copy of it for some of its targets, out of a port, if that is free and has room. */
function leave(c: FastRouterContext, from: number, to: number, targets: number, out: Out): void {
  const { self, ends, flitsPerCycle } = c.spec.value;
  const input = c.inputs[from]!;
  const output = c.outputs[to]!;
  const first = input.buffer[0]!;
  const end = ends[to];
  if (!end)
    throw new Error(`found a packet for port ${portNames[to]}, expected none at the edge of the array`);
  if (output.freeAt > out.now || (end.isRouter && output.credits < first.flits)) return;
  const cycles = Math.ceil(first.flits / flitsPerCycle);
  const packet = targets === first.targets ? first : { ...first, targets };
  output.freeAt = out.now + cycles;
  output.turn = (from + 1) % c.inputs.length;
  input.rest &= ~targets;
  input.freeAt = Math.max(input.freeAt, out.now + cycles);
  c.flitsOut[to]! += first.flits;
  if (end.isRouter) {
    output.credits -= first.flits;
    const delay = Math.max(1, end.cycles);
    out.post({ to: end.to, type: 'packet.enter', port: oppositeOf[to]!, packet, delay });
  } else {
    const delay = cycles + end.cycles;
    out.post({ to: end.to, type: 'packet.arrive', packet, delay });
  }
  out.post({ to: self, type: 'router.turn', input: from, output: to, delay: cycles });
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
