/*
 * Words of the GRAPE machine (GRAPE specification 2.1). A long word has 72 bits: sign, 11 bits of exponent, 60 of fraction. A short word has
 * 36: sign, 11, 24; it is the upper half of a long one. Both are kept as bigints of their bit pattern.
 */

/** A bit pattern: of 72 bits for a long word, 36 for a short one. */
export type Word = bigint;

/** Bits of a long and of a short word, and of their fractions. */
export const longBits = 72n;
export const shortBits = 36n;
export const fractionBits = 60n;
/** Bits of the significands of long and short words, the hidden one included. */
export const longPrecision = 61;
export const shortPrecision = 25;
export const exponentBias = 1023;
export const exponentMax = 2047;

export const longMask = (1n << longBits) - 1n;
export const shortMask = (1n << shortBits) - 1n;
export const fractionMask = (1n << fractionBits) - 1n;
const hiddenBit = 1n << fractionBits;

export const signOf = (word: Word): 0 | 1 => (word >> 71n ? 1 : 0);
/** The exponent field of a long word, 0..2047. */
export const exponentOf = (word: Word): number => Number((word >> fractionBits) & 0x7ffn);
/** The fraction of a long word, 0..2^60 - 1. */
export const fractionOf = (word: Word): bigint => word & fractionMask;

/** Puts a long word together. */
export const wordOf = (sign: 0 | 1, exponent: number, fraction: bigint): Word =>
  (BigInt(sign) << 71n) | (BigInt(exponent) << fractionBits) | fraction;

/** Zero with a sign. */
export const signedZero = (sign: 0 | 1): Word => wordOf(sign, 0, 0n);

/**
 * The significand of a long word as an integer of 61 bits; the value is significand x 2^(exponent - 1023 - 60) (GRAPE specification 2.2).
 *
 * Details: a normal word has a hidden bit unless its exponent is 0, which makes it zero; an unnormalised one is its fraction alone.
 */
export function significandOf(word: Word, normal: boolean): bigint {
  if (!normal) return fractionOf(word);
  return exponentOf(word) === 0 ? 0n : hiddenBit | fractionOf(word);
}

/** Number of bits of a non-negative integer, 0 for 0. */
export const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);
