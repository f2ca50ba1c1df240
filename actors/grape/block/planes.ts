import type { Word } from '../arithmetic/word.ts';

/** Thirty bits: half of the fraction of a long word. */
export const half = 0x3fff_ffff;

/**
 * Long words of many lanes in three planes: 12 bits of sign and exponent, and the fraction in two halves of 30 bits
 * (GRAPE specification 10).
 */
export interface Planes {
  readonly se: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
}

/** Planes of zeros for so many words. */
export const planesOf = (length: number): Planes => ({
  se: new Int32Array(length),
  high: new Int32Array(length),
  low: new Int32Array(length),
});

/** One word of the planes as a bigint. */
export const wordAt = ({ se, high, low }: Planes, at: number): Word =>
  (BigInt(se[at]!) << 60n) | (BigInt(high[at]!) << 30n) | BigInt(low[at]!);

/** Puts a word into the planes. */
export function putWord({ se, high, low }: Planes, at: number, word: Word): void {
  se[at] = Number(word >> 60n);
  high[at] = Number((word >> 30n) & 0x3fff_ffffn);
  low[at] = Number(word & 0x3fff_ffffn);
}

/** Copies words from planes to planes. */
export function copyPlanes(from: Planes, to: Planes): void {
  to.se.set(from.se);
  to.high.set(from.high);
  to.low.set(from.low);
}
