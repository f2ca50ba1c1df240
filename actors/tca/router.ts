import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { nodeOf } from './address-map.ts';
import { creditsBack } from './credits.ts';
import { channels, inSubTicks, subTicks, type TcaParameters } from './parameters.ts';
import { completionTo, noInput, readTo, writeTo } from './passed-on.ts';
import type { MemoryWrite, TcaOutbox } from './protocol.ts';
import { tcaProtocol } from './protocol.ts';

/** A port of a chip (TCA specification 2): the host, the neighbours on the ring, the other ring. */
export type Port = 'N' | 'E' | 'W' | 'S';

/** The ports in the order in which they are numbered and served; the channels of the DMA controller follow as inputs. */
export const portOrder: readonly Port[] = ['N', 'E', 'W', 'S'];

/** Inputs of a router: its ports, then its channels (TCA specification 6). */
export const inputCount = portOrder.length + channels;

/** Packets of room that a packet from outside of a ring must find in a port that leads round it (TCA specification 2). */
export const bubblePackets = 2;

/** The links of a chip, and by node the port that leads there. */
export interface RouterInput {
  readonly node: number;
  /** What it sends over, and who sends to it, by port: at N the host, whose writes come by the PIO window. */
  readonly links: Readonly<Partial<Record<Port, Address>>>;
  readonly senders: Readonly<Partial<Record<Port, Address>>>;
  readonly dmacs: readonly Address[];
  /** By node the port that leads there. */
  readonly ports: readonly Port[];
  /** Packets that the transmit queue of a port holds. */
  readonly transmitPackets: number;
  readonly parameters: Pick<TcaParameters, 'chipOut' | 'chipTransit' | 'cableLatency'>;
}

/** A write in the receive FIFO of an input. */
interface Received {
  readonly packet: MemoryWrite;
  readonly out: number;
  /** Sub-tick in which it has crossed the chip. */
  readonly ready: number;
}

/** The router of a chip: what waits at its inputs, and the room in its transmit queues. */
export interface RouterContext {
  readonly spec: RouterInput;
  /** The receive FIFOs by input. */
  inputs: Received[][];
  /** By port: packets for which its transmit queue has room. */
  room: number[];
  /** By port: first sub-tick of its next grant, and the input that was granted last. */
  grantsAt: number[];
  granted: number[];
  /** Sub-tick of the turn that it has asked for; -1 when there is none. */
  turnAt: number;
  /** Packets that were to leave by each port. */
  routed: Record<Port, number>;
}

type Out = TcaOutbox<'Router'>;

const role = tcaProtocol.roles.Router;
const { act, when } = role.component<RouterContext>();

const hostPort = 0;

/** The input at which a write comes in: a port, or the channel that made it; what a processor stores comes from the host. */
function inputOf({ input = noInput, channel }: MemoryWrite): number {
  if (input !== noInput) return input;
  return channel < 0 ? hostPort : portOrder.length + channel;
}

/** Puts a write into the receive FIFO of its input. */
function receive(c: RouterContext, packet: MemoryWrite, { now }: Out): void {
  const { node, ports, links, parameters } = c.spec;
  const port = ports[nodeOf(packet.addr)];
  if (port === undefined || links[port] === undefined)
    throw new Error(`EUR: node ${node} has no way to address ${packet.addr}`);
  // What comes from the chip itself has not crossed it.
  const delay = inSubTicks(packet.source === node ? parameters.chipOut : parameters.chipTransit);
  c.routed[port]++;
  c.inputs[inputOf(packet)]!.push({ packet, out: portOrder.indexOf(port), ready: now + delay });
}

const isRing = (port: number): boolean => portOrder[port] === 'E' || portOrder[port] === 'W';

/** Room that a packet must find: one that would begin to go round a ring leaves a packet of room behind (TCA specification 2). */
const roomNeeded = (input: number, out: number): number =>
  isRing(out) && !isRing(input) ? bubblePackets : 1;

/** Why the head of an input cannot be granted now. */
type Hindrance = 'empty' | 'time' | 'room' | null;

function hindrance(c: RouterContext, input: number, needed: typeof roomNeeded, now: number): Hindrance {
  const head = c.inputs[input]![0];
  if (head === undefined) return 'empty';
  if (head.ready > now || c.grantsAt[head.out]! > now) return 'time';
  return c.room[head.out]! < needed(input, head.out) ? 'room' : null;
}

/** The input that a port grants next: the first behind the last one whose head wants it and may go (TCA specification 6). */
function nextFor(c: RouterContext, out: number, needed: typeof roomNeeded, now: number): number {
  for (let k = 1; k <= inputCount; k++) {
    const input = (c.granted[out]! + k) % inputCount;
    if (c.inputs[input]![0]?.out === out && hindrance(c, input, needed, now) === null) return input;
  }
  return -1;
}

function grant(c: RouterContext, input: number, out: Out): void {
  const { packet, out: port } = c.inputs[input]!.shift()!;
  const { links, senders, dmacs, parameters } = c.spec;
  const name = portOrder[port]!;
  c.room[port]!--;
  c.granted[port] = input;
  c.grantsAt[port] = out.now + subTicks;
  out.post(writeTo(packet, links[name]!, 0, noInput));
  if (input >= portOrder.length) {
    out.post({ to: dmacs[input - portOrder.length]!, type: 'write.accepted' });
    return;
  }
  const sender = senders[portOrder[input]!];
  const latency = input === hostPort ? 0 : inSubTicks(parameters.cableLatency);
  if (sender !== undefined) out.post(creditsBack(sender, packet, latency));
}

/** Grants what can be granted now, and asks for a turn when a head has to be looked at later. */
export function arbitrate(c: RouterContext, out: Out, needed: typeof roomNeeded = roomNeeded): void {
  const { now } = out;
  // What stood behind a granted packet may go to another port in the same sub-tick.
  for (let granted = true; granted; ) {
    granted = false;
    for (let port = 0; port < portOrder.length; port++) {
      const input = c.room[port]! > 0 ? nextFor(c, port, needed, now) : -1;
      if (input < 0) continue;
      grant(c, input, out);
      granted = true;
    }
  }
  let next = -1;
  for (const [head] of c.inputs) {
    if (head === undefined) continue;
    const at = Math.max(head.ready, c.grantsAt[head.out]!);
    if (at > now && (next < 0 || at < next)) next = at;
  }
  // Heads that only lack room are looked at when a packet leaves a transmit queue.
  if (next < 0 || (c.turnAt > now && c.turnAt <= next)) return;
  c.turnAt = next;
  out.post({ to: out.self, type: 'router.turn', delay: next - now });
}

/** Ports whose transmit queues the heads of the inputs wait for. */
const awaited = (c: RouterContext): readonly Address[] =>
  c.inputs.flatMap(([head]) => (head === undefined ? [] : [c.spec.links[portOrder[head.out]!]!]));

/** The router of a PEACH2 chip (TCA specification 6): passes writes on by address, reads to the host, completions to who asked. */
export const router = setup({
  types: role.types<RouterContext, RouterInput>(),
  guards: {
    isEmpty: when((c) => c.inputs.every((input) => input.length === 0)),
    hasTurn: when((c, _event, { now }) => c.turnAt > now),
  },
  actions: {
    receive: act<'tlp.write'>(receive),
    arbitrate: act((c, _event, out) => arbitrate(c, out)),
    makeRoom: act<'port.room'>((c, { port }) => {
      c.room[port]!++;
    }),
    askHost: act<'tlp.read'>((c, packet, out) => {
      out.post(readTo(packet, c.spec.links.N!, 0));
    }),
    answer: act<'tlp.completion'>((_c, packet, out) => {
      out.post(completionTo(packet, packet.requester, 0));
    }),
  },
}).createMachine({
  id: 'router',
  context: ({ input }) => ({
    spec: input,
    inputs: Array.from({ length: inputCount }, () => []),
    room: portOrder.map(() => input.transmitPackets),
    grantsAt: portOrder.map(() => 0),
    granted: portOrder.map(() => inputCount - 1),
    turnAt: -1,
    routed: { N: 0, E: 0, W: 0, S: 0 },
  }),
  on: {
    'tlp.write': { target: '.routing', actions: ['receive', 'arbitrate'] },
    'port.room': { target: '.routing', actions: ['makeRoom', 'arbitrate'] },
    'router.turn': { target: '.routing', actions: 'arbitrate' },
    'tlp.read': { actions: 'askHost' },
    'tlp.completion': { actions: 'answer' },
  },
  initial: 'idle',
  states: {
    idle: {},
    // Something is at its inputs: it crosses the chip, or waits for room.
    routing: {
      always: [
        { guard: 'isEmpty', target: 'idle' },
        { guard: 'hasTurn', target: 'crossing' },
        { target: 'blocked' },
      ],
    },
    crossing: {},
    blocked: {
      ...waitingFor<RouterContext>('room in the transmit queue of a port', awaited),
    },
  },
});
