import type { Register, ResolvedOperand } from './resolved.ts';
import { laneWords } from './value-type.ts';

/*
 * Functions that are called with a stack: those that come back to themselves, and those whose address is taken. All others stand in the place of their calls.
 */

/** Bytes in a frame. */
export interface FramePlace {
  readonly offset: number;
  readonly bytes: number;
}

/** A function with one body for all of its calls. Each call has a frame in local memory, and registers of its own. */
export interface CalledFunction {
  readonly name: string;
  /** What a pointer to it holds. */
  readonly address: number;
  /** Its first line. */
  entry: number;
  readonly parameters: readonly FramePlace[];
  readonly results: readonly FramePlace[];
  /** What is put back when it returns. */
  registers: readonly Register[];
  /** Bytes of its frame. */
  frameBytes: number;
}

/** A call, as the flat code has it. */
export interface FlatCall {
  /** Null where the address says it. */
  readonly callee: CalledFunction | null;
  readonly address: ResolvedOperand | null;
  /** Names of the functions that an address may be of; null for any. */
  readonly choice: readonly string[] | null;
  /** Places in the frame of the caller. */
  readonly given: readonly FramePlace[];
  readonly results: readonly FramePlace[];
  /** Bytes of the frame of the caller: known when all of it is written. */
  readonly frame: { readonly end: number };
}

/** A call, ready to run. */
export interface CallOperands {
  readonly callee: CalledFunction | null;
  /** First word of the register with the address, and words of a lane in it. */
  readonly slot: number;
  readonly stride: 1 | 2;
  readonly choice: readonly string[] | null;
  readonly given: readonly FramePlace[];
  readonly results: readonly FramePlace[];
  readonly frameBytes: number;
}

/** A call that has not returned. */
export interface CallRecord {
  readonly callee: CalledFunction;
  readonly call: CallOperands;
  /** Entries of the stack below the function. */
  readonly depth: number;
  /** The frame that was at hand, and that of the caller. */
  readonly frame: number;
  readonly caller: number;
  /** The registers of the function as they were, one behind the other. */
  readonly saved: Int32Array;
}

/** Frames begin at multiples of it. */
const frameAlign = 16;

/** Bytes of a frame that holds so many. */
export const frameBytesOf = (bytes: number): number =>
  Math.max(frameAlign, Math.ceil(bytes / frameAlign) * frameAlign);

/** Bytes of local memory of a thread that frames of calls have together. */
export const stackBytes = 4096;

const wordsOf = ({ type }: Register): number => (type === 'pred' ? 1 : laneWords(type));

/** The registers of a function, all lanes. */
export function savedRegisters(registers: readonly Register[], words: Int32Array): Int32Array {
  const saved = new Int32Array(registers.reduce((sum, one) => sum + wordsOf(one), 0));
  let at = 0;
  for (const one of registers) {
    const count = wordsOf(one);
    saved.set(words.subarray(one.slot, one.slot + count), at);
    at += count;
  }
  return saved;
}

/** Puts back what `savedRegisters` gave, for the lanes of the mask. */
export function restoreRegisters(
  registers: readonly Register[],
  saved: Int32Array,
  words: Int32Array,
  mask: number,
): void {
  let at = 0;
  for (const { type, slot, ...rest } of registers) {
    const count = wordsOf({ type, slot, ...rest });
    if (type === 'pred') words[slot] = (words[slot]! & ~mask) | (saved[at]! & mask);
    else {
      const stride = count >> 5;
      for (let lane = 0; lane < 32; lane++) {
        if (((mask >>> lane) & 1) === 0) continue;
        for (let word = stride * lane; word < stride * lane + stride; word++)
          words[slot + word] = saved[at + word]!;
      }
    }
    at += count;
  }
}
