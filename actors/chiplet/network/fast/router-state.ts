import type { Hasher } from '../../../../kernel/hash.ts';
import type { Resource } from '../../../../kernel/resource.ts';
import type { RandomStream } from '../random-stream.ts';
import { noCounts } from '../router-counters.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from '../topology/topology.ts';
import { InputBuffers } from './input-buffers.ts';
import type { RouterTables } from './router-tables.ts';
import { held, ToggleRegisters } from './toggles.ts';

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

/** Everything of a router that changes: its tables, as cells, and single numbers. */
export class RouterState implements Resource {
  readonly cells: Int32Array;
  readonly buffers: InputBuffers;
  readonly registers: ToggleRegisters;
  /** Running words of the traffic that this router sends (chiplet specification 5.9). */
  readonly running: Float64Array;
  /** Room for the halves of a flit's words while they are made; not part of the state. */
  readonly halves: Int32Array;

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
  readonly counters = noCounts();

  constructor(
    readonly tables: RouterTables,
    readonly random: RandomStream | undefined,
    pending: Int32Array,
    nextStart: number,
    places = tables.bufferDepth,
  ) {
    const { queues, ports } = tables;
    const cells = new Int32Array(tables.room);
    this.cells = cells;
    cells.fill(places, tables.credits, tables.credits + queues);
    cells.fill(-1, tables.waiting, tables.waiting + ports);
    cells.fill(1, tables.lastWinners, tables.lastWinners + queues);
    for (let output = 0; output < queues; output++) cells[tables.lastRequests + 2 * output] = 1;
    cells.fill(held, tables.seenFlits, tables.seenFlits + tables.registers);
    this.buffers = new InputBuffers(tables, cells);
    this.registers = new ToggleRegisters(tables, cells);
    this.running = new Float64Array(tables.words);
    this.halves = new Int32Array(2 * tables.words);
    this.pending = pending;
    this.pendingEnd = pending.length;
    this.nextStart = nextStart;
  }

  /** What each input channel is doing, the output channel that it was given, and where its packet may go on. */
  get states(): Int32Array {
    return this.#table(this.tables.states, this.tables.queues);
  }
  get outputs(): Int32Array {
    return this.#table(this.tables.outputs, this.tables.queues);
  }
  get ways(): Int32Array {
    return this.#table(this.tables.ways, this.tables.queues);
  }
  /** Free places behind each output channel. */
  get credits(): Int32Array {
    return this.#table(this.tables.credits, this.tables.queues);
  }
  /** The channels in use of each output port, the flit that waits there for the wire, and its channel. */
  get used(): Int32Array {
    return this.#table(this.tables.used, this.tables.ports);
  }
  get waiting(): Int32Array {
    return this.#table(this.tables.waiting, this.tables.ports);
  }
  get waitingChannels(): Int32Array {
    return this.#table(this.tables.waitingChannels, this.tables.ports);
  }

  /** A table as a view of the cells, for those who look at it from outside. */
  #table(from: number, length: number): Int32Array {
    return this.cells.subarray(from, from + length);
  }

  /** Puts an input channel into a state; one that takes a packet in counts as work only while it has flits. */
  enter(channel: number, state: number): void {
    const { cells, tables } = this;
    const bit = 1 << (channel & 31);
    const word = tables.members + (channel >> 5);
    const from = setOf[cells[tables.states + channel]!]!;
    if (from >= 0) cells[word + from * tables.span]! &= ~bit;
    cells[tables.states + channel] = state;
    const into = setOf[state]!;
    if (into < 0 || (into === sets.front && cells[tables.counts + channel] === 0)) return;
    cells[word + into * tables.span]! |= bit;
  }

  /** True when a turn would change anything; one that would not, draws no random number either. */
  hasWork(): boolean {
    const { cells, tables } = this;
    const { members, span, credits, outputs, sending } = tables;
    for (let word = sending; word < sending + tables.sendingSpan; word++) if (cells[word] !== 0) return true;
    for (let word = members; word < members + span; word++) {
      if (cells[word + sets.granted * span] !== 0 || cells[word + sets.front * span] !== 0) return true;
    }
    for (let word = 0; word < span; word++) {
      let bits = cells[members + sets.competing * span + word]!;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        const output = cells[outputs + (word << 5) + 31 - Math.clz32(bit)]!;
        if (cells[credits + output]! > 0) return true;
      }
      bits = cells[members + sets.allocating * span + word]!;
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
    const { cells, tables } = this;
    const route = cells[tables.ways + channel]!;
    const last = lastChannelOf(route);
    const first = firstChannelOf(route);
    const candidates = (last === 31 ? -1 : (1 << (last + 1)) - 1) & (-1 << first);
    return candidates & ~cells[tables.used + portOfWay(route)]!;
  }

  /** What the router can do next, worked out anew. */
  settle(): void {
    this.pace =
      this.restless || this.hasWork() ? paces.working : this.flits > 0 ? paces.blocked : paces.empty;
  }

  fork(): RouterState {
    const fork = new RouterState(this.tables, this.random?.fork(), this.pending.slice(), this.nextStart);
    fork.cells.set(this.cells);
    (fork as { buffers: InputBuffers }).buffers = this.buffers.over(fork.cells);
    fork.running.set(this.running);
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

  /** The flits that it holds, and what each input channel that has some is doing. */
  describe(): unknown {
    const { channels } = this.tables;
    const name = (queue: number) => `port ${Math.floor(queue / channels)} channel ${queue % channels}`;
    const doing = Object.fromEntries(Object.entries(channelStates).map(([word, state]) => [state, word]));
    const busy = [...this.states.entries()].flatMap(([queue, state]) => {
      const flits = this.buffers.count(queue);
      if (flits === 0 && state === channelStates.idle) return [];
      const output = this.outputs[queue]!;
      const bound = state === channelStates.competing || state === channelStates.granted;
      const way =
        state === channelStates.allocating
          ? ` for port ${portOfWay(this.ways[queue]!)}`
          : bound
            ? ` for ${name(output)} with ${this.credits[output]} places free`
            : '';
      return [[name(queue), `${doing[state]}, ${flits} flits${way}`] as const];
    });
    return { flits: this.flits, ...Object.fromEntries(busy) };
  }

  hash(into: Hasher): void {
    // Of the queues only what is in them counts, not where in their rings it is.
    into.numbers(this.cells, 0, this.tables.counts);
    this.buffers.hash(into);
    into.numbers(this.running);
    this.random?.hash(into);
    into.numbers(this.pending, this.pendingFirst, this.pendingEnd);
    for (const one of [this.nextStart, Number(this.full), this.flits, this.pace, Number(this.asked)])
      into.number(one);
    into.value(this.counters);
  }
}
