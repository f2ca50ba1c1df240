import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { beatsOf, type EibSpec } from './eib-spec.ts';
import type { Packet } from './protocol.ts';
import { RoundRobin } from './round-robin.ts';

/** A packet that starts: where, and for how many cycles it holds its ports (`beats`) and the links of its path (`hold`). */
export interface RingStart {
  readonly packet: Packet;
  readonly dir: number;
  readonly ring: number;
  readonly hops: number;
  readonly beats: number;
  readonly hold: number;
}

/** A packet on a ring. */
export interface Riding {
  readonly packet: Packet;
  /** Number of the ring among all: dir * ringsPerDirection + ring. */
  readonly row: number;
  readonly hops: number;
  /** First cycle in which its path is free. */
  readonly end: number;
}

interface EligiblePacket {
  readonly packet: Packet;
  /** Cycle in which the arbiter heard of it: it may start in the next one. */
  readonly since: number;
}

/**
 * What the data arbiter owns (Cell specification 19.1, 19.2): the rings, the ports, the packets that may start, and whose turn it is.
 *
 * Details: elements are served round robin by who sends, those with priority first; the oldest packet of each alone is looked at. The path is held as
 * a whole, from the start to the last beat. The shorter direction is taken, direction 0 when both are equally long and it has room; within a
 * direction the lowest ring with room. The specification leaves these four open.
 */
export class RingScheduler implements Resource {
  /** Packets started, and link cycles held, by row. */
  readonly rowPackets: number[];
  readonly rowLinkCycles: number[];
  #eligible: EligiblePacket[][];
  #eligibleCount = 0;
  #riding: Riding[] = [];
  #turns: RoundRobin;
  /** First free cycle of every link, row by row: link i of direction 0 leads from element i to i+1, of direction 1 back. */
  readonly #linkFree: Float64Array;
  /** First free cycle of every port: N send ports, then N receive ports. */
  readonly #portFree: Float64Array;
  /** First cycle in which a row may start a packet. */
  readonly #rowOpen: Float64Array;
  readonly #shared: readonly boolean[];

  constructor(readonly spec: EibSpec) {
    const N = spec.elements.length;
    const rows = 2 * spec.ringsPerDirection;
    this.rowPackets = new Array<number>(rows).fill(0);
    this.rowLinkCycles = new Array<number>(rows).fill(0);
    this.#eligible = spec.elements.map(() => []);
    this.#linkFree = new Float64Array(rows * N);
    this.#portFree = new Float64Array(2 * N);
    this.#rowOpen = new Float64Array(rows);
    this.#turns = new RoundRobin(spec);
    this.#shared = spec.elements.map((name) => spec.sharedPort.includes(name));
  }

  /** Packets that may start and have not. */
  get eligibleCount(): number {
    return this.#eligibleCount;
  }

  /** Packets that were on a ring when it last decided. */
  get riding(): readonly Riding[] {
    return this.#riding;
  }

  /** Takes a packet that may start from cycle t + 1 on. */
  admit(packet: Packet, t: number): void {
    this.#eligible[packet.source]!.push({ packet, since: t });
    this.#eligibleCount++;
  }

  /** Chooses the packets that start in cycle t and reserves their paths and ports. */
  decide(t: number): readonly RingStart[] {
    this.#riding = this.#riding.filter(({ end }) => end > t);
    const starts: RingStart[] = [];
    for (const element of this.#turns.order()) {
      const line = this.#eligible[element]!;
      const first = line[0];
      if (first === undefined || first.since >= t) continue;
      const start = this.#place(first.packet, t);
      if (start === undefined) continue;
      line.shift();
      this.#eligibleCount--;
      this.#turns.served(element);
      starts.push(start);
    }
    return starts;
  }

  /** The first cycle after t in which a packet that waits could start, given that nothing else happens; undefined when none waits or none ever could. */
  nextChange(t: number): number | undefined {
    if (this.#eligibleCount === 0) return undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const line of this.#eligible) if (line[0] !== undefined && line[0].since >= t) return t + 1;
    const consider = (cycle: number) => {
      if (cycle > t && cycle < next) next = cycle;
    };
    for (const { end } of this.#riding) consider(end);
    this.#portFree.forEach(consider);
    this.#rowOpen.forEach(consider);
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  fork(): RingScheduler {
    const copy = this.blank();
    copy.#eligible = this.#eligible.map((line) => [...line]);
    copy.#eligibleCount = this.#eligibleCount;
    copy.#riding = [...this.#riding];
    copy.#turns = this.#turns.fork();
    copy.#linkFree.set(this.#linkFree);
    copy.#portFree.set(this.#portFree);
    copy.#rowOpen.set(this.#rowOpen);
    for (let row = 0; row < this.rowPackets.length; row++) {
      copy.rowPackets[row] = this.rowPackets[row]!;
      copy.rowLinkCycles[row] = this.rowLinkCycles[row]!;
    }
    return copy;
  }

  hash(into: Hasher): void {
    into.value(this.#eligible);
    into.value(this.#riding.map(({ row, hops, end }) => ({ row, hops, end })));
    this.#turns.hash(into);
    into.numbers(this.#linkFree);
    into.numbers(this.#portFree);
    into.numbers(this.#rowOpen);
    into.numbers(this.rowPackets);
    into.numbers(this.rowLinkCycles);
  }

  /** An empty scheduler of the same kind. */
  protected blank(): RingScheduler {
    return new RingScheduler(this.spec);
  }

  /** The links of a path as indices into one row, in the order the bytes pass them. */
  protected pathLinks(dir: number, from: number, hops: number): number[] {
    const N = this.spec.elements.length;
    return Array.from({ length: hops }, (_, hop) => (dir === 0 ? from + hop : from - hop - 1 + N) % N);
  }

  /** Cycles between two starts on one ring. */
  protected get startGap(): number {
    return this.spec.ringStartGapBusCycles;
  }

  /** Says whether one more packet of `hops` hops may ride beside `riding`. */
  protected hasRoom(riding: readonly { readonly hops: number }[], hops: number): boolean {
    if (riding.length >= this.spec.maxPerRing) return false;
    if (!this.spec.calibrated || riding.length === 0) return true;
    let sum = hops;
    for (const one of riding) sum += one.hops;
    return sum <= this.spec.calibration.maxHopSumPerRing;
  }

  #place(packet: Packet, t: number): RingStart | undefined {
    const { spec } = this;
    const N = spec.elements.length;
    const sendPort = packet.source;
    const receivePort = this.#shared[packet.target] === true ? packet.target : N + packet.target;
    if (this.#portFree[sendPort]! > t || this.#portFree[receivePort]! > t) return undefined;
    const up = (packet.target - packet.source + N) % N;
    for (const dir of up <= N - up ? [0, 1] : [1, 0]) {
      const hops = dir === 0 ? up : N - up;
      if (hops > spec.maxHops) continue;
      const links = this.pathLinks(dir, packet.source, hops);
      for (let ring = 0; ring < spec.ringsPerDirection; ring++) {
        if (!this.#isFree(dir * spec.ringsPerDirection + ring, links, hops, t)) continue;
        const beats = beatsOf(spec, packet.size);
        const start = { packet, dir, ring, hops, beats, hold: beats + this.#extraHold(hops) };
        this.#reserve(start, links, sendPort, receivePort, t);
        return start;
      }
    }
    return undefined;
  }

  #isFree(row: number, links: readonly number[], hops: number, t: number): boolean {
    if (this.#rowOpen[row]! > t) return false;
    const base = row * this.spec.elements.length;
    for (const link of links) if (this.#linkFree[base + link]! > t) return false;
    return this.hasRoom(
      this.#riding.filter((one) => one.row === row),
      hops,
    );
  }

  /** The calibration lets a packet with the longest path hold it longer: a fitted constant, not a mechanism (Cell specification 19.3). */
  #extraHold(hops: number): number {
    const { calibrated, calibration, maxHops, packetBytes } = this.spec;
    return calibrated && hops === maxHops
      ? calibration.sixHopHoldCycles - beatsOf(this.spec, packetBytes)
      : 0;
  }

  #reserve(
    start: RingStart,
    links: readonly number[],
    sendPort: number,
    receivePort: number,
    t: number,
  ): void {
    const row = start.dir * this.spec.ringsPerDirection + start.ring;
    const end = t + start.hold;
    const base = row * this.spec.elements.length;
    for (const link of links) this.#linkFree[base + link] = end;
    this.#portFree[sendPort] = t + start.beats;
    this.#portFree[receivePort] = t + start.beats;
    this.#rowOpen[row] = t + this.startGap;
    this.#riding.push({ packet: start.packet, row, hops: start.hops, end });
    this.rowPackets[row] = this.rowPackets[row]! + 1;
    this.rowLinkCycles[row] = this.rowLinkCycles[row]! + start.hops * start.hold;
  }
}
