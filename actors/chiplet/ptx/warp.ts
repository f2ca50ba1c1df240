import type { BarrierBoard } from './barrier-board.ts';
import { reductionOf } from './bulk-reduction.ts';
import { BulkUnit, type Reduction } from './bulk-unit.ts';
import {
  type CalledFunction,
  type CallOperands,
  type CallRecord,
  restoreRegisters,
  savedRegisters,
  stackBytes,
} from './called-function.ts';
import { type Cluster, clusterBarrier, clusterStep, placeInCluster } from './cluster.ts';
import type { DeviceMemory } from './device-memory.ts';
import type { BarrierVote } from './instruction.ts';
import type { Kernel } from './kernel.ts';
import type { LoopWays } from './meeting-points.ts';
import { isAt, onlyLanes, type PartedLanes } from './parted-lanes.ts';
import { specialValues, type WarpPlace } from './special-registers.ts';
import { TextureUnit } from './texture-unit.ts';
import type { ValueType } from './value-type.ts';
import { sameNumbers, type Views } from './views.ts';

/** An access outside allocations, or one that is not aligned (chiplet specification 13, E-MEM). */
export class MemoryFault extends Error {
  override readonly name = 'MemoryFault';
  readonly code = 'E-MEM';
}

type KernelTrapCode = 'E-TRAP' | 'E-ASSERT' | 'E-DEADLOCK';

/** A kernel that stopped itself, with `trap` or by an assertion, or whose lanes can never go on. */
export class KernelTrap extends Error {
  override readonly name = 'KernelTrap';
  readonly code: KernelTrapCode;

  constructor(message: string, code: KernelTrapCode = 'E-TRAP') {
    super(message);
    this.code = code;
  }
}

/** One for all: no instruction leaves anything in it, and 32 KiB for each core cost time where systems are made anew for each schedule. */
const bankWords = new Float64Array(32 * 128);

/** Room for intermediate values of one instruction; warps that never work at the same time share one. */
export class Scratch {
  /** A register of all lanes. */
  readonly lanes = new Int32Array(32);
  /** A 64-bit result of the arithmetic. */
  readonly pair = new Int32Array(2);
  /** Addresses that the lanes touched, generic ones for shared and local memory in a generic access. */
  readonly touched = new Float64Array(32);
  /** Segments or words found among them. */
  readonly found = new Float64Array(128);
  readonly bankCounts = new Int32Array(32);
  readonly bankWords = bankWords;
}

/** What the warps of a block have in common. */
export interface BlockPlace {
  readonly kernel: Kernel;
  readonly place: Omit<WarpPlace, 'warp'>;
  readonly threads: number;
  readonly shared: Views;
  readonly local: Views;
  readonly parameters: Views;
  readonly barriers: BarrierBoard;
  readonly cluster: Cluster;
}

/** Bytes of local memory that a thread gets, so that every one begins aligned. */
export const localStride = ({ localBytes }: Kernel): number => (localBytes + 15) & ~15;

/** A place, and the lanes that go there. */
export type Way = readonly [to: number, lanes: number];

/** Turns of lanes that have parted from others of their warp, before those have theirs. */
const turnsOfParted = 256;

/** Turns after which it is looked whether lanes go round without getting anywhere; fewer where others have parted from them: each of 31 may wait for one of them. */
const turnsBeforeLook = 256;
const turnsBetweenLooks = 16;

/** Room in the local window before addresses begin anew; only timing looks at them. */
const localSpan = 0x4000000;

/**
 * 32 threads that go together: their registers, and the stack that says which of them are where (chiplet specification 7.2).
 *
 * Details: a register is 32 words, one of 64 bits 64 words, a predicate one word with a bit a lane. The topmost entry of the stack is in `pc`, `mask` and
 * `meeting`; the others are in `stack`, three words each.
 */
export class Warp {
  readonly i: Int32Array;
  readonly f: Float32Array;
  readonly d: Float64Array;
  pc = 0;
  mask: number;
  /** Lanes that have a thread. */
  readonly withThread: number;
  /** Where the lanes at hand meet the others: then the entry is dropped. */
  meeting: number;
  stack = new Int32Array(24);
  depth = 0;
  finished = false;
  /** Barrier that it waits at; -1 when it waits at none. */
  barrier = -1;
  /** What it asked there, for which lanes. */
  vote: BarrierVote | null = null;
  voters = 0;
  /** Lanes that have arrived at the barrier of their cluster, which has not opened; and those that it has opened for, and have not waited. */
  arrived = 0;
  passed = 0;
  /** Lanes that wait for it, where the warp as a whole does. */
  resting = 0;
  /** Carries of the lanes. */
  carry = 0;
  /** Where the frame of the function at hand begins in the local memory of its lanes. */
  frame = 0;
  /** Calls with a stack that have not returned, the latest last. */
  calls: CallRecord[] = [];
  /** Lanes that go on by themselves, each group with a stack of its own. */
  parted: PartedLanes[] = [];
  /** How often the lanes at hand went round since others had their turn. */
  turns = 0;
  /** The registers at the last look, while the next turn has not come: lanes that come round with the same ones wait for memory. */
  looked: Int32Array | null = null;
  /** How often in a row lanes came round with the registers that they had; only the order of turns without timing follows from it. */
  idleTurns = 0;
  /** What `%clock` reads. */
  clock = 0;
  /** Lanes that the last instruction was carried out in. */
  active = 0;
  /** Set before each step: forks of a run have memories of their own. */
  memory: DeviceMemory;
  readonly shared: Views;
  readonly local: Views;
  readonly parameters: Views;
  readonly localBytes: number;
  readonly localTouched: number;
  readonly lanes: Int32Array;
  readonly pair: Int32Array;
  readonly touched: Float64Array;

  constructor(
    readonly home: BlockPlace,
    /** Number in its block. */
    readonly number: number,
    memory: DeviceMemory,
    readonly scratch: Scratch,
    from?: Warp,
  ) {
    const { kernel, threads, place } = home;
    const buffer = from
      ? (from.i.buffer.slice(0) as ArrayBuffer)
      : new ArrayBuffer(4 * ((kernel.registerWords + 1) & ~1));
    this.i = new Int32Array(buffer);
    this.f = new Float32Array(buffer);
    this.d = new Float64Array(buffer);
    const count = Math.min(32, threads - 32 * number);
    this.withThread = count === 32 ? -1 : (1 << count) - 1;
    this.mask = this.withThread;
    this.meeting = kernel.code.length;
    this.memory = memory;
    this.shared = home.shared;
    this.local = home.local;
    this.parameters = home.parameters;
    this.localBytes = localStride(kernel);
    this.localTouched = (((place.blockNumber << 5) + number) * 32 * this.localBytes) % localSpan;
    this.lanes = scratch.lanes;
    this.pair = scratch.pair;
    this.touched = scratch.touched;
    if (from) {
      this.pc = from.pc;
      this.mask = from.mask;
      this.meeting = from.meeting;
      this.stack = from.stack.slice();
      this.depth = from.depth;
      this.finished = from.finished;
      this.barrier = from.barrier;
      this.vote = from.vote;
      this.voters = from.voters;
      this.arrived = from.arrived;
      this.passed = from.passed;
      this.resting = from.resting;
      this.carry = from.carry;
      this.frame = from.frame;
      this.calls = [...from.calls];
      this.parted = from.parted.map((one) => ({ ...one, stack: one.stack.slice(), calls: [...one.calls] }));
      this.turns = from.turns;
      this.looked = from.looked?.slice() ?? null;
      this.clock = from.clock;
      this.active = from.active;
    } else
      for (const { name, slot } of kernel.special) {
        const values = specialValues(name, { ...place, warp: number });
        if (typeof values === 'boolean') this.i[slot] = values ? -1 : 0;
        else if (typeof values === 'number') this.i.fill(values, slot, slot + 32);
        else for (let lane = 0; lane < 32; lane++) this.i[slot + lane] = values(lane);
      }
  }

  /** Lanes that have not exited. */
  get alive(): number {
    let lanes = this.finished ? 0 : this.#atHand;
    for (const { lanes: others } of this.parted) lanes |= others;
    return lanes;
  }

  /** Lanes that wait for each other with those at hand, these among them. */
  get #atHand(): number {
    let lanes = this.mask;
    for (let at = 0; at < this.depth; at++) lanes |= this.stack[3 * at + 2]!;
    return lanes;
  }

  /** First byte of the local memory of a lane. */
  localOf(lane: number): number {
    return (32 * this.number + lane) * this.localBytes;
  }

  /** Goes on at `pc` with the lanes at hand, or with those below when they have come to where they meet. */
  settle(): void {
    while (this.mask === 0 || this.pc === this.meeting) {
      if (this.depth === 0) {
        const ended = this.mask === 0 || this.pc === this.home.kernel.code.length;
        if (!ended || this.parted.length === 0) {
          this.finished = ended;
          return;
        }
        this.#takeUp(this.#nextParted());
        continue;
      }
      this.#pop();
    }
  }

  /**
   * Lanes part on several ways, of which the first is on top, so that it comes first, and meet again at `meeting` (chiplet specification 7.2). Of lanes in loops, by `loops`, those that stay do so, and those that leave
   * wait beyond the loop.
   */
  part(ways: readonly Way[], meeting: number, loops: LoopWays | null): void {
    const stay = loops === null ? ways : this.#staying(ways, loops);
    if (stay.length === 1) this.pc = stay[0]![0];
    if (stay.length < 2) return;
    this.#leaveTo(meeting);
    for (const [to, lanes] of stay.toReversed()) if (to !== meeting) this.push(to, lanes, meeting);
  }

  /** The ways of those that stay in their loops; the others have left. */
  #staying(ways: readonly Way[], { beyond, leaving }: LoopWays): readonly Way[] {
    for (const place of beyond) if (this.#entryTo(place) < 0) this.#waitAt(place);
    return ways.filter((way) => {
      const place = leaving.get(way[0]);
      if (place !== undefined) this.#leave(way, place);
      return place === undefined;
    });
  }

  /** All lanes at hand go to one place, which may be outside of loops that others are still in. */
  goTo(to: number, ways: LoopWays | null): void {
    const place = this.depth === 0 ? undefined : ways?.leaving.get(to);
    if (place === undefined || place === this.meeting || this.#entryTo(place) < 0) this.pc = to;
    else this.#leave([to, this.mask], place);
  }

  /** The topmost entry in the function at hand whose lanes meet others at a place; the number of entries below, and -1 without one. */
  #entryTo(place: number): number {
    let { depth: at, meeting } = this;
    while (meeting !== place) {
      if (meeting < 0 || at === 0) return -1;
      meeting = this.stack[3 * --at + 1]!;
    }
    return at;
  }

  /** The lanes at hand go on together, and those that come to a place wait there for the others. */
  #waitAt(place: number): void {
    this.pc = place;
    this.push(place, this.mask, place);
  }

  /** Lanes leave the entries whose lanes meet before a place, and go there when these have come to it. */
  #leave([to, lanes]: Way, place: number): void {
    const first = this.#entryTo(place);
    this.mask &= ~lanes;
    for (let at = first; at < this.depth; at++) this.stack[3 * at + 2] = this.stack[3 * at + 2]! & ~lanes;
    if (to === place) return;
    const { pc, mask, meeting } = this;
    this.push(pc, mask, meeting);
    this.stack.copyWithin(3 * first + 3, 3 * first, 3 * this.depth - 3);
    this.stack.set([to, place, lanes], 3 * first);
  }

  /** The entry at hand goes on where its lanes meet; one that ends there anyway is dropped. */
  #leaveTo(meeting: number): void {
    if (this.meeting === meeting && this.depth > 0) this.#pop();
    else this.pc = meeting;
  }

  /** The lanes at hand have gone round: when they did so too often, others of the warp have their turn. */
  turn(): void {
    const most = this.parted.length > 0 ? turnsOfParted : this.home.kernel.turnsMost;
    // Where nobody parts they are not counted: lanes that go round for ever come to the same state again.
    if (most === Number.POSITIVE_INFINITY || (++this.turns < most && !this.#waitsForMemory())) return;
    this.turns = 0;
    this.letOthers();
  }

  /** True when the lanes at hand came round with the registers that they had a turn ago. */
  #waitsForMemory(): boolean {
    const looks =
      this.parted.length > 0 ? this.turns % turnsBetweenLooks === 1 : this.turns === turnsBeforeLook;
    if (looks) {
      this.looked = this.i.slice();
      return false;
    }
    if (this.looked === null) return false;
    const before = this.looked;
    this.looked = null;
    const waits = sameNumbers(this.i, before);
    this.idleTurns = waits ? this.idleTurns + 1 : 0;
    return waits;
  }

  /** True when all lanes came round with the registers that they had: nothing changes for them before others write. */
  get standsStill(): boolean {
    return this.idleTurns > this.parted.length;
  }

  /** The next time that the lanes at hand go round, others of the warp have their turn. */
  sleep(): void {
    this.turns = this.home.kernel.turnsMost;
  }

  /** Others of the warp have their turn: those that wait for the lanes at hand, or have parted from them. False when there are none. */
  letOthers(): boolean {
    const waiting = this.#atHand & ~this.mask;
    if (waiting === 0 && this.parted.length === 0) return false;
    const all = this.#lanesAtHand(false);
    this.parted.push(onlyLanes(all, this.mask));
    this.#takeUp(waiting === 0 ? this.parted.shift()! : onlyLanes(all, waiting));
    this.settle();
    return true;
  }

  /**
   * The lanes at hand wait here for those of `needed` that have parted from them; true when all have come, then they go on together.
   *
   * Errors: `KernelTrap` when nobody can come any more.
   */
  gather(needed: number): boolean {
    const here = this.#lanesAtHand(true);
    const others = this.parted.filter((one) => one.gathers && isAt(one, here));
    this.parted = this.parted.filter((one) => !others.includes(one));
    for (const one of others) {
      this.mask |= one.mask;
      for (let at = 0; at < this.depth; at++)
        this.stack[3 * at + 2] = this.stack[3 * at + 2]! | one.stack[3 * at + 2]!;
    }
    // Lanes below in the stack are not waited for: their way leads through here, or to where they all meet.
    const away = this.parted.reduce((lanes, one) => lanes | one.lanes, 0);
    if ((needed & away) === 0) return true;
    this.parted.push(this.#lanesAtHand(true));
    const next = this.parted.findIndex(({ gathers }) => !gathers);
    if (next < 0) this.#standstill();
    this.#takeUp(this.parted.splice(next, 1)[0]!);
    this.settle();
    return false;
  }

  /** Calls a function for some lanes; the others go on when it has returned. */
  enterFunction(callee: CalledFunction, lanes: number, call: CallOperands, caller: number): void {
    const saved = savedRegisters(callee.registers, this.i);
    this.calls.push({ callee, call, depth: this.depth, frame: this.frame, caller, saved });
    this.push(callee.entry, lanes, -1);
    this.frame = caller + call.frameBytes;
    for (const [at, { offset, bytes }] of callee.parameters.entries())
      this.#copyLocal(caller + call.given[at]!.offset, this.frame + offset, bytes, lanes);
  }

  /** Lanes return from the function at hand: their registers are as they were, and the caller has the results. */
  leaveFunction(lanes: number): void {
    const { callee, call, depth, caller, saved } = this.calls.at(-1)!;
    for (const [at, { offset, bytes }] of callee.results.entries())
      this.#copyLocal(this.frame + offset, caller + call.results[at]!.offset, bytes, lanes);
    restoreRegisters(callee.registers, saved, this.i, lanes);
    this.mask &= ~lanes;
    for (let at = depth + 1; at < this.depth; at++) this.stack[3 * at + 2] = this.stack[3 * at + 2]! & ~lanes;
  }

  #copyLocal(from: number, to: number, bytes: number, lanes: number): void {
    for (let lane = 0; lane < 32; lane++) {
      if (((lanes >>> lane) & 1) === 0) continue;
      const first = this.localOf(lane);
      this.local.bytes.copyWithin(first + to, first + from, first + from + bytes);
    }
  }

  push(pc: number, mask: number, meeting: number): void {
    if (3 * this.depth + 3 > this.stack.length) {
      const larger = new Int32Array(2 * this.stack.length);
      larger.set(this.stack);
      this.stack = larger;
    }
    const at = 3 * this.depth++;
    this.stack[at] = this.pc;
    this.stack[at + 1] = this.meeting;
    this.stack[at + 2] = this.mask;
    this.pc = pc;
    this.mask = mask;
    this.meeting = meeting;
  }

  /** The barrier that it waits at has opened; `results` is what each question came to. */
  goOn(results: (what: BarrierVote['what']) => number): void {
    this.barrier = -1;
    const { vote, voters } = this;
    if (vote === null) return;
    this.vote = null;
    const value = results(vote.what);
    if (vote.what !== 'popc')
      this.i[vote.result] = (this.i[vote.result]! & ~voters) | (value === 1 ? voters : 0);
    else for (let lane = 0; lane < 32; lane++) if ((voters >>> lane) & 1) this.i[vote.result + lane] = value;
  }

  /** The barrier of the cluster has opened. */
  passCluster(): void {
    this.passed |= this.arrived;
    this.arrived = 0;
    if (this.barrier !== clusterBarrier) return;
    this.barrier = -1;
    this.passed &= ~this.resting;
    this.resting = 0;
  }

  /** The shared memory of a block of the cluster, where an address behind the block's own leads. Errors: `MemoryFault`. */
  sharedOfCluster(address: number, bytes: number, lane: number): Views {
    return this.home.cluster.sharedAt(address, bytes) ?? this.outside(address, bytes, lane, 'shared');
  }

  /** An address of shared memory as one of the block of this rank. Errors: `MemoryFault` for one outside the shared window, and for a rank that there is not. */
  addressInCluster(address: number, rank: number, lane: number): number {
    const { size } = this.home.cluster;
    if (address < 0 || address >= clusterStep * (1 + size))
      this.fault(`found the address of other memory, expected one of shared memory`, lane);
    if (rank >= size)
      this.fault(`found the rank ${rank}, expected one of the ${size} blocks of the cluster`, lane);
    return (address % clusterStep) + clusterStep * (1 + rank);
  }

  /** The rank of the block whose shared memory has this address. Errors: `MemoryFault` for another address. */
  rankInCluster(address: number, lane: number): number {
    const { size } = this.home.cluster;
    if (address < 0 || address >= clusterStep * (1 + size))
      this.fault(`found the address of other memory, expected one of shared memory`, lane);
    return address < clusterStep
      ? placeInCluster(this.home.place, this.home.place.blockNumber).rank
      : Math.floor(address / clusterStep) - 1;
  }

  /** Takes lanes that exit out of every entry. */
  retire(lanes: number): void {
    this.mask &= ~lanes;
    this.arrived &= ~lanes;
    this.passed &= ~lanes;
    for (let at = 0; at < this.depth; at++) this.stack[3 * at + 2] = this.stack[3 * at + 2]! & ~lanes;
  }

  fork(home: BlockPlace, scratch: Scratch): Warp {
    return new Warp(home, this.number, this.memory, scratch, this);
  }

  /** Reports an access outside allocations. Errors: always. */
  outside(address: number, bytes: number, lane: number, space = 'device'): never {
    const room = space === 'device' ? 'an allocation' : `${space} memory`;
    this.fault(
      `found an access of ${bytes} bytes at ${hexadecimal(address)}, expected one within ${room}`,
      lane,
    );
  }

  /** Reports an access that is not aligned. Errors: always. */
  misaligned(address: number, bytes: number, lane: number): never {
    this.fault(`found an access at ${hexadecimal(address)}, expected a multiple of its ${bytes} bytes`, lane);
  }

  /** What its lanes read textures and surfaces with. */
  get textureUnit(): TextureUnit {
    return new TextureUnit(this);
  }

  /** What its lanes copy many bytes with. */
  get bulkUnit(): BulkUnit {
    return new BulkUnit(this);
  }

  /** What an operation does to elements in memory. */
  reductions(what: string, type: ValueType): Reduction {
    return reductionOf(what, type)!;
  }

  /** Stops the kernel. Errors: always. */
  trap(lane: number): never {
    throw new KernelTrap(`E-TRAP found the end of all work: ${this.#placeOf(lane)}`);
  }

  /** Reports an assertion that does not hold. Errors: always. */
  failAssertion(what: string, lane: number): never {
    throw new KernelTrap(`E-ASSERT ${what}: ${this.#placeOf(lane)}`, 'E-ASSERT');
  }

  /** Reports a use of the barrier of the cluster that can never come to an end. Errors: always. */
  clusterFault(what: string, lanes: number): never {
    const lane = 31 - Math.clz32(lanes & -lanes);
    throw new KernelTrap(`E-DEADLOCK ${what}: ${this.#placeOf(lane)}`, 'E-DEADLOCK');
  }

  /** Reports calls that the stack has no room for. Errors: `MemoryFault`. */
  checkStack(end: number, lanes: number): void {
    if (end <= this.localBytes) return;
    this.fault(
      `found calls within calls of more than ${stackBytes} bytes, expected them to fit the stack of a thread`,
      31 - Math.clz32(lanes & -lanes),
    );
  }

  /** Reports a call of something else than a function. Errors: always. */
  noFunction(address: number, lane: number): never {
    this.fault(
      `found a call of ${hexadecimal(address)}, expected the address of a function with these parameters`,
      lane,
    );
  }

  #standstill(): never {
    const places = this.parted.map(({ lanes, pc }) => `${hexadecimal(lanes >>> 0)} at pc ${pc}`);
    const lane = 31 - Math.clz32(this.mask & -this.mask);
    throw new KernelTrap(
      `E-DEADLOCK found lanes that wait for each other at different places: ${places.join(', ')}: ${this.#placeOf(lane)}`,
      'E-DEADLOCK',
    );
  }

  /** Reports an access that cannot be. Errors: always. */
  fault(what: string, lane: number): never {
    throw new MemoryFault(`E-MEM ${what}: ${this.#placeOf(lane)}`);
  }

  /** Where its lanes are, by the first of them, and at which barrier they wait. */
  get standsAt(): string {
    const lane = 31 - Math.clz32(this.mask & -this.mask);
    if (this.barrier < 0) return this.#placeOf(lane);
    const name = this.barrier === clusterBarrier ? 'the barrier of its cluster' : `barrier ${this.barrier}`;
    // Who waits at a barrier has issued it.
    return `${this.#placeOf(lane, this.pc - 1)} (waits at ${name})`;
  }

  /** Where a lane is, in words. */
  #placeOf(lane: number, pc = this.pc): string {
    const { kernel, place } = this.home;
    const { at, text } = kernel.code[pc]!;
    const thread = 32 * this.number + lane;
    return `kernel ${kernel.name}, block ${place.blockNumber}, thread ${thread}, pc ${pc}, ${kernel.file}:${at.line}: ${text}`;
  }

  #pop(): void {
    const at = 3 * --this.depth;
    this.pc = this.stack[at]!;
    this.meeting = this.stack[at + 1]!;
    this.mask = this.stack[at + 2]!;
    this.turns = 0;
    while (this.calls.length > 0 && this.calls.at(-1)!.depth >= this.depth)
      this.frame = this.calls.pop()!.frame;
  }

  /** The lanes at hand with their stack, as a group of their own. */
  #lanesAtHand(gathers: boolean): PartedLanes {
    const { pc, mask, meeting, depth, frame, calls } = this;
    const stack = this.stack.slice(0, 3 * depth);
    return { lanes: this.#atHand, pc, mask, meeting, stack, depth, frame, calls: [...calls], gathers };
  }

  /** The next group that can go on. */
  #nextParted(): PartedLanes {
    const at = this.parted.findIndex(({ gathers }) => !gathers);
    return this.parted.splice(Math.max(0, at), 1)[0]!;
  }

  #takeUp({ pc, mask, meeting, stack, depth, frame, calls }: PartedLanes): void {
    this.pc = pc;
    this.mask = mask;
    this.meeting = meeting;
    if (this.stack.length < stack.length) this.stack = new Int32Array(2 * stack.length);
    this.stack.set(stack);
    this.depth = depth;
    this.frame = frame;
    this.calls = [...calls];
    this.turns = 0;
  }
}

const hexadecimal = (address: number): string =>
  address < 0 ? String(address) : `0x${address.toString(16)}`;
