import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import type { InputEvent, InputSays } from './input-port.ts';
import { type Leaving, leave } from './leave.ts';
import type { Packet, PacketArrive, PacketCredit, PacketEnter, RouterTurn } from './packet.ts';
import { portNames } from './ports.ts';
import {
  type OutputPort,
  type PortCounts,
  type RouterInput,
  type RouterSpec,
  specOf,
} from './router-input.ts';

/** A router whose input ports are actors inside it. */
export interface WholeRouterInput extends RouterInput {
  /** Member 0 of the family of input ports; a member is a port. */
  readonly inputs: Address;
}

/** The first packet of an input port: what it still asks for. */
interface Request extends Leaving {
  readonly packet: Packet;
}

/** The router of one cluster: its output ports, and what input ports ask for. */
export interface RouterContext extends PortCounts {
  readonly spec: Fixed<RouterSpec & WholeRouterInput>;
  outputs: OutputPort[];
  /** By input port; null for one without a packet. */
  requests: (Request | null)[];
  /** What is being handled: input ports that are still offered an output port, and the output port; the input port that goes on when they have been, -1 for none. */
  offered: number[];
  output: number;
  next: number;
}

type RouterEvent = PacketEnter | PacketCredit | RouterTurn | InputSays;
type RouterSends = PacketEnter | PacketArrive | PacketCredit | RouterTurn | InputEvent;
type Out = Outbox<RouterSends>;

const { act, post, update, when } = component<RouterContext, RouterEvent, RouterSends>();

const inputAt = ({ spec }: RouterContext, port: number): Address => memberOf(spec.value.inputs, port);

/** Sends the first packet of an input port on towards those of its targets whose output port is free and has room, and tells the port. */
function allocate(c: RouterContext, from: number, out: Out): void {
  const { behind } = c.spec.value;
  const request = c.requests[from]!;
  for (let to = 0; to < c.outputs.length; to++) {
    const targets = request.rest & behind[to]!;
    if (targets !== 0) leave(c, request, request.packet, { from, to, targets }, out);
  }
  tell(c, from, out);
}

/** Tells an input port whether flits of its first packet go out. */
function tell(c: RouterContext, from: number, out: Out): void {
  const { rest, freeAt } = c.requests[from]!;
  const to = inputAt(c, from);
  if (freeAt > out.now) out.post({ to, type: 'input.moves', rest });
  else out.post({ to, type: 'input.waits', rest });
}

/** Whether an input port asks for an output port. */
const asksFor = (c: RouterContext, from: number, output: number): boolean =>
  ((c.requests[from]?.rest ?? 0) & c.spec.value.behind[output]!) !== 0;

/** The input ports in turn, from the one that is asked first on. */
function offer(c: RouterContext, output: number, next: number): void {
  const { length } = c.requests;
  const { turn } = c.outputs[output]!;
  c.offered = Array.from({ length }, (_, k) => (turn + k) % length);
  c.output = output;
  c.next = next;
}

const hasGone = (c: RouterContext, { input }: RouterTurn, now: number): boolean => {
  const request = c.requests[input];
  return request !== null && request !== undefined && request.rest === 0 && request.freeAt <= now;
};

/**
 * The router of one cluster in the network of storage and RMA traffic: five ports, first along the row and then along the column, copies for
 * several clusters made where their ways part (specification 8.5). What an input port does is told by `input-port.ts`, one actor each.
 *
 * Details: a packet sets out when the next buffer has room for all its flits, so that these follow each other without a gap: one message
 * stands for them, and a turn for the last of them. Heads that come in the same cycle for a free port are served in the order of delivery;
 * those that wait, in turns of the ports.
 */
export const router = setup({
  types: {} as { context: RouterContext; events: RouterEvent; input: WholeRouterInput },
  guards: {
    hasGone: when<'router.turn'>((c, turn, { now }) => hasGone(c, turn, now)),
    waitsAgain: when<'router.turn'>((c, { input }, { now }) => {
      const request = c.requests[input];
      return request !== null && request !== undefined && request.rest !== 0 && request.freeAt <= now;
    }),
    isAsked: when((c) => c.offered.some((from) => asksFor(c, from, c.output))),
    hasNext: when((c) => c.next >= 0),
  },
  actions: {
    enter: act<'packet.enter'>((c, { port, packet }, out) => {
      c.flitsIn[port]! += packet.flits;
      out.post({ to: inputAt(c, port), type: 'input.enter', packet });
    }),
    allocate: act<'input.asks'>((c, { port, packet }, out) => {
      c.requests[port] = { packet, rest: packet.targets, freeAt: 0 };
      allocate(c, port, out);
    }),
    takeCredit: update<'packet.credit'>((c, { port, flits }) => {
      c.outputs[port]!.credits += flits;
      offer(c, port, -1);
    }),
    offerOutput: update<'router.turn'>((c, { input, output }) => offer(c, output, input)),
    endRequest: act<'router.turn'>((c, { input }, out) => {
      c.requests[input] = null;
      out.post({ to: inputAt(c, input), type: 'input.tail' });
    }),
    tellWaits: act<'router.turn'>((c, { input }, out) => tell(c, input, out)),
    allocateNext: act((c, _event, out) => {
      const k = c.offered.findIndex((from) => asksFor(c, from, c.output));
      const from = c.offered[k]!;
      c.offered = c.offered.slice(k + 1);
      allocate(c, from, out);
    }),
    goOn: post((c) => ({ to: inputAt(c, c.next), type: 'input.next' })),
    forget: update((c) => {
      c.offered = [];
      c.output = 0;
      c.next = -1;
    }),
  },
}).createMachine({
  id: 'router',
  context: ({ input }) => ({
    spec: fixed({ ...input, ...specOf(input) }),
    outputs: portNames.map(() => ({ freeAt: 0, credits: input.bufferFlits, turn: 0 })),
    requests: portNames.map(() => null),
    flitsIn: portNames.map(() => 0),
    flitsOut: portNames.map(() => 0),
    offered: [],
    output: 0,
    next: -1,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'packet.enter': { target: 'entering', actions: 'enter' },
        'packet.credit': { target: 'offering', actions: 'takeCredit' },
        'router.turn': [
          { guard: 'hasGone', target: 'ending', actions: ['endRequest', 'offerOutput'] },
          { guard: 'waitsAgain', target: 'ending', actions: ['tellWaits', 'offerOutput'] },
          { target: 'offering', actions: 'offerOutput' },
        ],
      },
    },
    // A packet behind others waits for its turn; the first of its port asks for its way.
    entering: {
      on: { 'input.noted': 'idle', 'input.asks': { target: 'allocating', actions: 'allocate' } },
    },
    allocating: { on: { 'input.noted': 'idle' } },
    ending: { on: { 'input.noted': 'offering' } },
    offering: {
      always: [
        { guard: 'isAsked', target: 'offered', actions: 'allocateNext' },
        { guard: 'hasNext', target: 'entering', actions: ['goOn', 'forget'] },
        { target: 'idle', actions: 'forget' },
      ],
    },
    offered: { on: { 'input.noted': 'offering' } },
  },
});
