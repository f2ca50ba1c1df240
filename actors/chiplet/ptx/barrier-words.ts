/*
 * A barrier in shared memory (PTX ISA, mbarrier), in two words. Lower: arrivals still expected in this phase, 20 bits, and the lower 12 bits of the bytes still
 * expected from copies. Upper: arrivals of a phase, 20 bits, the upper 10 bits of those bytes, a free bit, and the number of the phase modulo 2.
 */

const countMask = 0xfffff;
/** Arrivals that a barrier may be for. */
export const arrivalsMost = countMask;
/** Bytes that may be expected at a time. */
const bytesMost = countMask;

/** Arrivals still expected. */
export const pendingArrivals = (low: number): number => low & countMask;

/** Bytes still expected, of 22 bits with their sign. */
const pendingBytes = (low: number, high: number): number =>
  (((low >>> 20) | (((high >>> 20) & 0x3ff) << 12)) << 10) >> 10;

/** Begins the first phase of a barrier for so many arrivals. */
export function beginBarrier(words: Int32Array, at: number, count: number): void {
  words[at] = count & countMask;
  words[at + 1] = count & countMask;
}

function keep(words: Int32Array, at: number, arrivals: number, bytes: number): void {
  const high = words[at + 1]!;
  if (arrivals <= 0 && bytes === 0) {
    // The last one that is expected begins the next phase.
    const expected = high & countMask;
    words[at] = expected;
    words[at + 1] = ((high & -2147483648 & ~countMask) ^ -2147483648) | expected;
    return;
  }
  words[at] = (arrivals & countMask) | (bytes << 20);
  words[at + 1] = (high & ~0x3ff00000) | (((bytes >> 12) & 0x3ff) << 20);
}

/** Arrivals at a barrier. */
export function arriveAt(words: Int32Array, at: number, count: number): void {
  const low = words[at]!;
  keep(words, at, pendingArrivals(low) - count, pendingBytes(low, words[at + 1]!));
}

/** Arrivals that this phase has, and later ones do not. */
export function dropFrom(words: Int32Array, at: number, count: number): void {
  const high = words[at + 1]!;
  words[at + 1] = (high & ~countMask) | ((high - count) & countMask);
  arriveAt(words, at, count);
}

/** Bytes that copies will bring in this phase, or with a negative number have brought; false beyond what a barrier can count. */
export function expectBytes(words: Int32Array, at: number, more: number): boolean {
  const low = words[at]!;
  const bytes = pendingBytes(low, words[at + 1]!) + more;
  if (Math.abs(bytes) > bytesMost) return false;
  keep(words, at, pendingArrivals(low), bytes);
  return true;
}
