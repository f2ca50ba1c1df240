import type { Hasher } from '../../../../kernel/hash.ts';
import type { TurnRecord } from '../heap-clock-context.ts';
import type { PacketBook } from '../packet-book.ts';
import type { RandomStream } from '../random-stream.ts';
import type { PayloadStore } from './payload-store.ts';

/**
 * What all parts of a network share: who wants a turn, the packets and what they carry, and the one random stream.
 *
 * Details: nothing here depends on the order of delivery. A router raises its own line; a flit's words are written once, by the router that
 * injects it; the random stream and the log are touched only by who has the turn, which is handed on by messages.
 */
export class SharedState implements TurnRecord {
  /** One line a router: it wants a turn in the next cycle. */
  readonly #lines: Int32Array;
  /** Room for the requests of one stage of the router that has the turn: who asks, and for what, in the order of asking. Not part of the state. */
  readonly requesters: Int32Array;
  readonly requested: Int32Array;
  /** True when the clock knows that somebody wants a turn. */
  wanted = false;
  /** Packets that have arrived. */
  arrived = 0;
  /** What routers begin in their turns, in order, where the clock orders events by a heap; undefined where it does not. */
  log: number[] | undefined;
  /** By abandoned packet: the cycle in which the first of its flits was lost. */
  readonly #lost = new Map<number, number>();

  constructor(
    readonly routers: number,
    readonly packets: PacketBook,
    readonly payload: PayloadStore,
    readonly random: RandomStream,
    /** Virtual channels of all ports of a router. */
    readonly queues: number,
    ordered: boolean,
  ) {
    this.requesters = new Int32Array(queues);
    this.requested = new Int32Array(queues);
    this.#lines = new Int32Array((routers + 31) >> 5);
    this.log = ordered ? [] : undefined;
  }

  raise(router: number): void {
    this.#lines[router >> 5]! |= 1 << (router & 31);
  }

  lower(router: number): void {
    this.#lines[router >> 5]! &= ~(1 << (router & 31));
  }

  /** The first router from this one on that wants a turn; -1 when there is none. */
  firstFrom(router: number): number {
    const lines = this.#lines;
    let word = router >> 5;
    if (word >= lines.length) return -1;
    let bits = lines[word]! & (-1 << (router & 31));
    while (bits === 0) {
      if (++word === lines.length) return -1;
      bits = lines[word]!;
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits);
  }

  /** Abandons a packet of which a flit was lost in a cycle. */
  lose(packet: number, cycle: number): void {
    this.#lost.set(packet, Math.min(cycle, this.#lost.get(packet) ?? cycle));
  }

  /** True when a packet was abandoned before a cycle. */
  isLost(packet: number, cycle: number): boolean {
    const lost = this.#lost.get(packet);
    return lost !== undefined && lost < cycle;
  }

  /** Packets that were abandoned. */
  get packetsLost(): number {
    return this.#lost.size;
  }

  /** Routers look up what flits carry. */
  loadOf(): undefined {
    return undefined;
  }

  /** The router that a flit is addressed to. */
  targetOf(flit: number): number {
    return this.packets.targetOf(this.payload.packetOf(flit));
  }

  fork(): SharedState {
    const fork = new SharedState(
      this.routers,
      this.packets.fork(),
      this.payload.fork(),
      this.random.fork(),
      this.queues,
      false,
    );
    fork.#lines.set(this.#lines);
    for (const [packet, cycle] of this.#lost) fork.#lost.set(packet, cycle);
    fork.wanted = this.wanted;
    fork.arrived = this.arrived;
    fork.log = this.log && [...this.log];
    return fork;
  }

  hash(into: Hasher): void {
    into.numbers(this.#lines);
    into.word(this.wanted ? 1 : 0);
    into.number(this.arrived);
    this.packets.hash(into);
    this.payload.hash(into);
    this.random.hash(into);
    into.numbers(this.log ?? []);
    // Within a cycle packets are lost in any order.
    into.numbers([...this.#lost].sort(([one], [other]) => one - other).flat());
  }
}
