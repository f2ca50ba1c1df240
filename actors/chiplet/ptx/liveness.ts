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
  const live = uses.map(() => new Uint32Array(width));
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = uses.length - 1; at >= 0; at--) {
      const set = new Uint32Array(width);
      for (const next of successors[at]!) {
        const behind = live[next];
        if (behind) for (let i = 0; i < width; i++) set[i] = set[i]! | behind[i]!;
      }
      const { reads, writes, guarded } = uses[at]!;
      if (!guarded) for (const one of writes) set[one >> 5] = set[one >> 5]! & ~(1 << (one & 31));
      for (const one of reads) set[one >> 5] = set[one >> 5]! | (1 << (one & 31));
      const old = live[at]!;
      if (set.some((word, i) => word !== old[i])) {
        live[at] = set;
        changed = true;
      }
    }
  }
  let most = 0;
  for (const [at, set] of live.entries()) {
    const held = new Set(uses[at]!.writes);
    for (let one = 0; one < registers; one++) if ((set[one >> 5]! >>> (one & 31)) & 1) held.add(one);
    let words = 0;
    for (const one of held) words += wordsOf(one);
    most = Math.max(most, words);
  }
  return most;
}
