import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { InputBuffers } from './input-buffers.ts';
import { RandomStream } from './random-stream.ts';
import type { RouterSpec } from './router-spec.ts';
import { TableBlock } from './table-block.ts';
import { ToggleRegisters } from './toggles.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from './topology/topology.ts';

/** What a virtual channel of an input port is doing (chiplet specification 5.2). */
export const channelStates = {
  /** Nothing. */
  idle: 0,
  /** A head is at the front. */
  routing: 1,
  /** It needs a virtual channel of an output port. */
  allocating: 2,
  /** It needs the switch. */
  competing: 3,
  /** It has the switch. */
  granted: 4,
  /** Its packet is for this router and is being taken in. */
  home: 5,
} as const;

/** Sets of input channels by what is to be done with them. */
export const sets = { front: 0, allocating: 1, competing: 2, granted: 3 } as const;

/** Which set a channel in a state belongs to; -1 for none. */
const setOf = Int8Array.of(-1, sets.front, sets.allocating, sets.competing, sets.granted, sets.front);

/** What a router can do next. */
export const paces = { empty: 0, blocked: 1, working: 2 } as const;

/** Counters of a router (chiplet specification 5.9); words are flits times words of a flit. */
export interface RouterCounters {
  flitsRead: number;
  flitsWritten: number;
  writeToggles: number;
  inToggles: number;
  outToggles: number;
  switches: number;
  grants: number;
  requestToggles: number;
  grantChanges: number;
  finished: number;
  delaySum: number;
  /** Packets and flits that this router has put into the network, and flits that it has taken out. */
  packetsInjected: number;
  flitsInjected: number;
  flitsAccepted: number;
}

/** Everything of a router that changes. Channels are numbered port by port: `port * channels + channel`. */
export class RouterState implements Resource {
  readonly buffers: InputBuffers;
  readonly states: Uint8Array;
  /** By input channel: the output channel that it was given, by number. */
  readonly outputs: Int32Array;
  /** By input channel: where its packet may go on, as `way` writes it. */
  readonly ways: Int32Array;
  /** By output channel: free places in the buffer at the other end. */
  readonly credits: Int32Array;
  /** By output port: the channels in use. */
  readonly used: Int32Array;
  /** By output port: the flit that waits for the wire, -1 when none does, and its channel. No more than one ever waits: the wire takes it in the next cycle. */
  readonly waiting: Int32Array;
  readonly waitingChannels: Int32Array;
  /** By set and by word of 32 channels. */
  readonly members: Int32Array;
  /** Output ports with a flit for the wire, 32 a word. */
  readonly sending: Int32Array;
  readonly registers: ToggleRegisters;
  /** By output port: the input port of its last flit. */
  readonly lastInputs: Int32Array;
  /** By output channel: lower and upper half of the last vector of requests, and the last winner. */
  readonly lastRequests: Int32Array;
  readonly lastWinners: Int32Array;
  /** Running words of the traffic that this router sends (chiplet specification 5.9). */
  readonly running: Float64Array;
  /** Room for the halves of a flit's words while they are made; not part of the state. */
  readonly halves: Int32Array;
  readonly random: RandomStream | undefined;
  /** Words of 32 channels in a set. */
  readonly span: number;

  /** Packets that this router has still to send, by number, in their order; those before `pendingFirst` are sent. */
  pending: Int32Array;
  pendingFirst = 0;
  pendingEnd: number;
  /** Time at which the next of them may be sent. */
  nextStart: number;
  /** True while all queues of port 0 hold so much that nothing more is taken. */
  full = false;
  /** Flits in the router. */
  flits = 0;
  pace: number = paces.empty;
  /** True when the router has a turn in every cycle from its first flit on, whether it has something to do or not. */
  restless = false;
  /** True while the router has asked for a turn that has not come. */
  asked = false;
  readonly counters: RouterCounters = {
    flitsRead: 0,
    flitsWritten: 0,
    writeToggles: 0,
    inToggles: 0,
    outToggles: 0,
    switches: 0,
    grants: 0,
    requestToggles: 0,
    grantChanges: 0,
    finished: 0,
    delaySum: 0,
    packetsInjected: 0,
    flitsInjected: 0,
    flitsAccepted: 0,
  };

  constructor(
    readonly ports: number,
    readonly channels: number,
    readonly bufferDepth: number,
    readonly outputDepth: number,
    words: number,
    random: RandomStream | undefined,
    pending: Int32Array,
    nextStart: number,
  ) {
    const queues = ports * channels;
    this.span = (queues + 31) >> 5;
    const tableRoom = 7 * queues + 5 * ports + 4 * this.span;
    const block = new TableBlock(InputBuffers.roomFor(ports, channels, bufferDepth) + tableRoom);
    this.buffers = new InputBuffers(ports, channels, bufferDepth, block);
    this.states = new Uint8Array(queues);
    this.outputs = block.table(queues);
    this.ways = block.table(queues);
    this.credits = block.table(queues).fill(bufferDepth);
    this.used = block.table(ports);
    this.waiting = block.table(ports).fill(-1);
    this.waitingChannels = block.table(ports);
    this.members = block.table(4 * this.span);
    this.sending = block.table((ports + 31) >> 5);
    this.registers = new ToggleRegisters(3 * ports, words);
    this.lastInputs = block.table(ports);
    this.lastRequests = block.table(2 * queues);
    for (let output = 0; output < queues; output++) this.lastRequests[2 * output] = 1;
    this.lastWinners = block.table(queues).fill(1);
    this.running = new Float64Array(words);
    this.halves = new Int32Array(2 * words);
    this.random = random;
    this.pending = pending;
    this.pendingEnd = pending.length;
    this.nextStart = nextStart;
  }

  /** The state of a router that has done nothing. `pending` are the packets that it has to send, `nextStart` the time of the first. */
  static of(spec: RouterSpec, pending: Int32Array, nextStart: number): RouterState {
    const { ports, channels, bufferDepth, outputDepth, words, random, seed } = spec;
    const own = random === 'perRouter' ? new RandomStream(seed) : undefined;
    return new RouterState(ports, channels, bufferDepth, outputDepth, words, own, pending, nextStart);
  }

  /** Puts an input channel into a state; one that takes a packet in counts as work only while it has flits. */
  enter(channel: number, state: number): void {
    const bit = 1 << (channel & 31);
    const word = channel >> 5;
    const from = setOf[this.states[channel]!]!;
    if (from >= 0) this.members[from * this.span + word]! &= ~bit;
    this.states[channel] = state;
    const into = setOf[state]!;
    if (into < 0 || (into === sets.front && this.buffers.counts[channel] === 0)) return;
    this.members[into * this.span + word]! |= bit;
  }

  /** True when nothing is in a set. */
  isIdle(set: number): boolean {
    const from = set * this.span;
    for (let word = 0; word < this.span; word++) if (this.members[from + word] !== 0) return false;
    return true;
  }

  /** True when a turn would change anything; one that would not, draws no random number either. */
  hasWork(): boolean {
    for (let word = 0; word < this.sending.length; word++) if (this.sending[word] !== 0) return true;
    if (!this.isIdle(sets.granted) || !this.isIdle(sets.front)) return true;
    const { members, span } = this;
    for (let word = 0; word < span; word++) {
      let bits = members[sets.competing * span + word]!;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        if (this.credits[this.outputs[(word << 5) + 31 - Math.clz32(bit)]!]! > 0) return true;
      }
      bits = members[sets.allocating * span + word]!;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        if (this.freeChannels((word << 5) + 31 - Math.clz32(bit)) !== 0) return true;
      }
    }
    return false;
  }

  /** The channels that an input channel may go on by and that nobody uses, as bits. */
  freeChannels(channel: number): number {
    const route = this.ways[channel]!;
    const last = lastChannelOf(route);
    const first = firstChannelOf(route);
    const candidates = (last === 31 ? -1 : (1 << (last + 1)) - 1) & (-1 << first);
    return candidates & ~this.used[portOfWay(route)]!;
  }

  /** What the router can do next, worked out anew. */
  settle(): void {
    this.pace =
      this.restless || this.hasWork() ? paces.working : this.flits > 0 ? paces.blocked : paces.empty;
  }

  fork(): RouterState {
    const fork = new RouterState(
      this.ports,
      this.channels,
      this.bufferDepth,
      this.outputDepth,
      this.running.length,
      this.random?.fork(),
      this.pending.slice(),
      this.nextStart,
    );
    (fork as { buffers: InputBuffers }).buffers = this.buffers.fork();
    (fork as { registers: ToggleRegisters }).registers = this.registers.fork();
    for (const key of tables) (fork[key] as Int32Array).set(this[key] as Int32Array);
    fork.pendingFirst = this.pendingFirst;
    fork.pendingEnd = this.pendingEnd;
    fork.full = this.full;
    fork.flits = this.flits;
    fork.pace = this.pace;
    fork.asked = this.asked;
    fork.restless = this.restless;
    Object.assign(fork.counters, this.counters);
    return fork;
  }

  hash(into: Hasher): void {
    this.buffers.hash(into);
    this.registers.hash(into);
    for (const key of tables) into.numbers(this[key]);
    this.random?.hash(into);
    into.numbers(this.pending, this.pendingFirst, this.pendingEnd);
    for (const one of [this.nextStart, Number(this.full), this.flits, this.pace, Number(this.asked)])
      into.number(one);
    into.value(this.counters);
  }
}

/** The tables that forks copy and fingerprints cover. */
const tables = [
  'states',
  'outputs',
  'ways',
  'credits',
  'used',
  'waiting',
  'waitingChannels',
  'members',
  'sending',
  'lastInputs',
  'lastRequests',
  'lastWinners',
  'running',
] as const;
