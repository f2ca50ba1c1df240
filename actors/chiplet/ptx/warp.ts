import type { BarrierBoard } from './barrier-board.ts';
import type { DeviceMemory } from './device-memory.ts';
import type { BarrierVote } from './instruction.ts';
import type { Kernel } from './kernel.ts';
import { specialValues, type WarpPlace } from './special-registers.ts';
import type { Views } from './views.ts';

/** An access outside allocations, or one that is not aligned (chiplet specification 13, E-MEM). */
export class MemoryFault extends Error {
  override readonly name = 'MemoryFault';
  readonly code = 'E-MEM';
}

/** A kernel that stopped itself, with `trap` or by an assertion. */
export class KernelTrap extends Error {
  override readonly name = 'KernelTrap';
  readonly code: 'E-TRAP' | 'E-ASSERT';

  constructor(message: string, code: 'E-TRAP' | 'E-ASSERT' = 'E-TRAP') {
    super(message);
    this.code = code;
  }
}

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
  readonly bankWords = new Float64Array(32 * 128);
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
}

/** Bytes of local memory that a thread gets, so that every one begins aligned. */
export const localStride = ({ localBytes }: Kernel): number => (localBytes + 15) & ~15;

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
  /** Carries of the lanes. */
  carry = 0;
  /** Where the frame of the function at hand begins in the local memory of its lanes. */
  frame = 0;
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
      this.carry = from.carry;
      this.frame = from.frame;
      this.clock = from.clock;
      this.active = from.active;
    } else
      for (const { name, slot } of kernel.special) {
        const values = specialValues(name, { ...place, warp: number });
        if (typeof values === 'number') this.i.fill(values, slot, slot + 32);
        else for (let lane = 0; lane < 32; lane++) this.i[slot + lane] = values(lane);
      }
  }

  /** Lanes that have not exited. */
  get alive(): number {
    let lanes = this.finished ? 0 : this.mask;
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
        this.finished = this.mask === 0 || this.pc === this.home.kernel.code.length;
        return;
      }
      this.#pop();
    }
  }

  /** Lanes part: the first go to `taken`, those of `rest` to `others`, and meet again at `meeting` (chiplet specification 7.2). */
  part(taken: number, first: number, others: number, rest: number, meeting: number): void {
    this.leaveTo(meeting);
    if (others !== meeting) this.push(others, rest, meeting);
    if (taken !== meeting) this.push(taken, first, meeting);
  }

  /** The entry at hand goes on where its lanes meet; one that ends there anyway is dropped. */
  leaveTo(meeting: number): void {
    if (this.meeting === meeting && this.depth > 0) this.#pop();
    else this.pc = meeting;
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

  /** Takes lanes that exit out of every entry. */
  retire(lanes: number): void {
    this.mask &= ~lanes;
    for (let at = 0; at < this.depth; at++) this.stack[3 * at + 2] = this.stack[3 * at + 2]! & ~lanes;
  }

  fork(home: BlockPlace, scratch: Scratch): Warp {
    return new Warp(home, this.number, this.memory, scratch, this);
  }

  /** Reports an access outside allocations. Errors: always. */
  outside(address: number, bytes: number, lane: number, space = 'device'): never {
    const room = space === 'device' ? 'an allocation' : `${space} memory`;
    this.#fault(
      `found an access of ${bytes} bytes at ${hexadecimal(address)}, expected one within ${room}`,
      lane,
    );
  }

  /** Reports an access that is not aligned. Errors: always. */
  misaligned(address: number, bytes: number, lane: number): never {
    this.#fault(
      `found an access at ${hexadecimal(address)}, expected a multiple of its ${bytes} bytes`,
      lane,
    );
  }

  /** Stops the kernel. Errors: always. */
  trap(lane: number): never {
    throw new KernelTrap(`E-TRAP found the end of all work: ${this.#placeOf(lane)}`);
  }

  /** Reports an assertion that does not hold. Errors: always. */
  failAssertion(what: string, lane: number): never {
    throw new KernelTrap(`E-ASSERT ${what}: ${this.#placeOf(lane)}`, 'E-ASSERT');
  }

  #fault(what: string, lane: number): never {
    throw new MemoryFault(`E-MEM ${what}: ${this.#placeOf(lane)}`);
  }

  /** Where a lane is, in words. */
  #placeOf(lane: number): string {
    const { kernel, place } = this.home;
    const { at, text } = kernel.code[this.pc]!;
    const thread = 32 * this.number + lane;
    return `kernel ${kernel.name}, block ${place.blockNumber}, thread ${thread}, pc ${this.pc}, ${kernel.file}:${at.line}: ${text}`;
  }

  #pop(): void {
    const at = 3 * --this.depth;
    this.pc = this.stack[at]!;
    this.meeting = this.stack[at + 1]!;
    this.mask = this.stack[at + 2]!;
  }
}

const hexadecimal = (address: number): string =>
  address < 0 ? String(address) : `0x${address.toString(16)}`;
