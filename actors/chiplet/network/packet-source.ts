import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { flitOf } from './flit.ts';
import { type HeldFlit, type NetworkMessage, networkProtocol, type SourcePacket } from './protocol.ts';

/** Flits in the emptiest queue of port 0 above which no further packet is taken, and below which the source opens again. */
export const injectionLimit = 100;

/** Times this near count as equal (chiplet specification 5.3). */
const tolerance = 1e-8;

/** What a source is made from. */
export interface PacketSourceInput {
  readonly router: Address;
  readonly random: Address;
  /** The input channels of port 0. */
  readonly queues: readonly Address[];
  /** Words of 64 bits in a flit. */
  readonly words: number;
  /** The packets of the trace that this router sends, by time. */
  readonly packets: readonly SourcePacket[];
  /** The first words of its traffic, as doubles. */
  readonly running: readonly number[];
  /** Whether a full source opens again after an ejection, too (chiplet specification 5.3, `strict: false`). */
  readonly reopens: boolean;
}

/** The source of a router: how far it is in its list. */
export interface PacketSourceContext {
  readonly spec: Fixed<PacketSourceInput>;
  /** The next packet of the list. */
  next: number;
  /** Packets that are in no list and wait for their time, by time. */
  offered: SourcePacket[];
  /** Time from which the next packet may be sent. */
  nextStart: number;
  now: number;
  cycle: number;
  /** Flits in each queue of port 0. */
  counts: number[];
  /** True while all queues of port 0 hold so much that nothing more is taken. */
  full: boolean;
  running: number[];
}

const role = networkProtocol.roles['Router.Source'];

/** The kit of sources, also for planted faults. */
export const packetSourceKit = role.component<PacketSourceContext>();
const { act, update, post, when } = packetSourceKit;

type Source = PacketSourceContext;

/** The packet that comes next: of the list, unless one that was offered comes before it. */
function nextPacket({ spec, next, offered }: Source): SourcePacket | undefined {
  const listed = spec.value.packets[next];
  const other = offered[0];
  return listed && (!other || listed.time <= other.time) ? listed : other;
}

/** The queue with the fewest flits, the first of equals. */
const emptiest = ({ counts }: Source): number => counts.indexOf(Math.min(...counts));

/** The flits of a packet with their words, which go on from those of the packet before (chiplet specification 5.9). */
function flitsOf(source: Source, packet: SourcePacket, words: readonly number[]): HeldFlit[] {
  const { running } = source;
  return Array.from({ length: packet.size }, (_, place) => {
    const halves: number[] = [];
    for (let i = 0; i < running.length; i++) {
      const sum = running[i]! * 0.8 + words[place * running.length + i]!;
      // A sum beyond 64 bits becomes 0 when it is converted.
      const word = sum < 2 ** 64 ? Math.floor(sum) : 0;
      const upper = Math.floor(word / 2 ** 32);
      running[i] = word;
      halves.push((word - upper * 2 ** 32) | 0, upper | 0);
    }
    const { packet: number, target, start, first, size } = packet;
    return { flit: flitOf(first, place, size), packet: number, target, start, halves };
  });
}

/** Puts the packet that comes next into the emptiest queue of port 0. */
function enter(
  source: Source,
  words: readonly number[],
): NetworkMessage<'packet.enter'> & { readonly to: Address } {
  const packet = nextPacket(source)!;
  const { spec, offered, cycle, counts } = source;
  if (packet === offered[0]) offered.shift();
  else source.next++;
  const flits = flitsOf(source, packet, words);
  const queue = emptiest(source);
  // The packet is still added.
  if (counts[queue]! > injectionLimit) source.full = true;
  counts[queue]! += packet.size;
  source.nextStart = nextPacket(source)?.time ?? source.nextStart;
  return { to: spec.value.queues[queue]!, type: 'packet.enter', packet: packet.packet, flits, cycle };
}

/**
 * Where packets enter the network at a router: its list of packets, put into the queues of port 0 when they are due, while these are not full (chiplet
 * specification 5.3, takePackets).
 */
export const packetSource = setup({
  types: role.types<PacketSourceContext, PacketSourceInput>(),
  guards: {
    isDue: when(
      (source) =>
        !source.full && source.nextStart <= source.now + tolerance && nextPacket(source) !== undefined,
    ),
    isFull: when((source) => source.full),
    opens: when<'queue.shorter'>(
      ({ spec }, { left, isThroughSwitch }) =>
        left < injectionLimit && (isThroughSwitch || spec.value.reopens),
    ),
  },
  actions: {
    noteDue: update<'packets.take'>((source, { now, cycle, order }) => {
      source.now = now;
      source.cycle = cycle;
      if (order === undefined) return;
      let at = source.offered.length;
      while (at > 0 && source.offered[at - 1]!.time > order.time) at--;
      source.offered.splice(at, 0, order);
      source.nextStart = nextPacket(source)!.time;
    }),
    noteShorter: update<'queue.shorter'>((source, { input, left, cycle }) => {
      source.counts[input] = left;
      source.cycle = cycle;
    }),
    open: update<'queue.shorter'>((source, { cycle }) => {
      source.full = false;
      source.now = cycle;
    }),
    askForWords: post((source) => ({
      to: source.spec.value.random,
      type: 'random.words',
      count: nextPacket(source)!.size * source.running.length,
    })),
    enter: act<'random.drawn'>((source, { words }, out) => {
      out.post(enter(source, words));
    }),
    settle: post(({ spec, cycle }) => ({ to: spec.value.router, type: 'source.settled', cycle })),
  },
}).createMachine({
  id: 'packet-source',
  context: ({ input }) => ({
    spec: fixed(input),
    next: 0,
    offered: [],
    nextStart: input.packets[0]?.time ?? 0,
    now: 0,
    cycle: 0,
    counts: input.queues.map(() => 0),
    full: false,
    running: [...input.running],
  }),
  initial: 'open',
  on: { 'packets.take': { actions: 'noteDue' } },
  states: {
    open: {
      on: {
        'packets.take': { target: 'deciding', actions: 'noteDue' },
        'queue.shorter': { actions: ['noteShorter', 'settle'] },
      },
    },
    full: {
      on: {
        'packets.take': { target: 'deciding', actions: 'noteDue' },
        'queue.shorter': [
          { guard: 'opens', target: 'deciding', actions: ['noteShorter', 'open'] },
          { actions: ['noteShorter', 'settle'] },
        ],
      },
    },
    deciding: {
      always: [
        { guard: 'isDue', target: 'drawing' },
        { guard: 'isFull', target: 'full', actions: 'settle' },
        { target: 'open', actions: 'settle' },
      ],
    },
    drawing: {
      ...waitingFor<Source>('the words of a packet', ({ spec }) => spec.value.random),
      entry: 'askForWords',
      on: { 'random.drawn': { target: 'entering', actions: 'enter' } },
    },
    entering: {
      ...waitingFor<Source>('a packet to enter its queue', ({ spec }) => spec.value.router),
      on: { 'packet.noted': 'deciding' },
    },
  },
});
