import type { Successors } from './control-flow.ts';

/** What one instruction does to registers: numbers read, numbers written in every lane, numbers written in some. */
export interface RegisterUse {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** True when a guard leaves lanes unwritten: then the old content lives on. */
  readonly guarded: boolean;
}

/**
 * The most 32-bit words of registers that a thread needs at one time: what its registers take in a core (chiplet specification 7.3).
 *
 * Details: PTX names as many registers as it likes; a core holds those whose values are still wanted. `wordsOf` gives the words of a register.
 */
export function registerPressure(
  successors: Successors,
  uses: readonly RegisterUse[],
  registers: number,
  wordsOf: (register: number) => number,
): number {
  const width = (registers + 31) >> 5;
  // One row of bits for each instruction: the registers that are wanted before it.
  const live = new Uint32Array(uses.length * width);
  const row = new Uint32Array(width);
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = uses.length - 1; at >= 0; at--) {
      row.fill(0);
      for (const next of successors[at]!)
        if (next < uses.length) for (let i = 0; i < width; i++) row[i] = row[i]! | live[next * width + i]!;
      const { reads, writes, guarded } = uses[at]!;
      if (!guarded) for (const one of writes) row[one >> 5] = row[one >> 5]! & ~(1 << (one & 31));
      for (const one of reads) row[one >> 5] = row[one >> 5]! | (1 << (one & 31));
      for (let i = 0; i < width; i++) {
        if (live[at * width + i] === row[i]) continue;
        live[at * width + i] = row[i]!;
        changed = true;
      }
    }
  }
  const words = Array.from({ length: registers }, (_, one) => wordsOf(one));
  let most = 0;
  for (const [at, { writes }] of uses.entries()) {
    row.set(live.subarray(at * width, (at + 1) * width));
    for (const one of writes) row[one >> 5] = row[one >> 5]! | (1 << (one & 31));
    let held = 0;
    for (let i = 0; i < width; i++)
      for (let rest = row[i]!; rest !== 0; rest &= rest - 1)
        held += words[32 * i + 31 - Math.clz32(rest & -rest)]!;
    most = Math.max(most, held);
  }
  return most;
}
