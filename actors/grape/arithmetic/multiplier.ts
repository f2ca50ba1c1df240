import { type FloatResult, normalised, roundedShift, unnormalised } from './rounding.ts';
import {
  exponentBias,
  exponentOf,
  longPrecision,
  shortPrecision,
  signedZero,
  significandOf,
  signOf,
  type Word,
} from './word.ts';

/**
 * The ten control bits of the multiplier by the letters that write them, first letter highest (GRAPE specification 2.5).
 *
 * Details: u SHIFT50A, v ROUND50A, w ROUNDA, A NORMALA, x SHIFT25B, y SHIFT50B, z ROUNDB, B NORMALB, R ROUND, O NORMALO.
 */
export const multiplierLetters = 'uvwAxyzBRO';

/** The control bit of a letter, as a mask: u is bit 9, O is bit 0. */
export const multiplierBit = (letter: string): number => 1 << (9 - multiplierLetters.indexOf(letter));

/** The bits that are on when nothing is written: the capital letters. */
export const multiplierDefaults = bitsOf('ABRO');

/** Control words by name (GRAPE specification 2.5). */
export const multiplierWords = {
  /** A single multiplication rounded to 25 bits. */
  fmulShort: bitsOf('wAzBRO'),
  /** A single multiplication whose 50 bits are exact. */
  fmulLong: bitsOf('wAzBO'),
  /** 50 bits of A by the upper 25 of B, unnormalised. */
  dmul0: bitsOf('vAB'),
  /** 50 bits of A by the next 25 of B, unnormalised. */
  dmul1: bitsOf('vAxz'),
} as const;

/** The control word in which the bits of these letters are on. */
export function bitsOf(letters: string): number {
  let bits = 0;
  for (const letter of letters) bits |= multiplierBit(letter);
  return bits;
}

/** The control word of `fmul` with these flags written: each flips its bit (GRAPE specification 2.5). */
export const bitsOfFlags = (flags: string): number => multiplierDefaults ^ bitsOf(flags);

const significandMask = (1n << BigInt(longPrecision)) - 1n;
const on = (bits: number, letter: string): boolean => (bits & multiplierBit(letter)) !== 0;

/** Multiplies two long words under a control word of ten bits (GRAPE specification 2.5). */
export function multiply(a: Word, b: Word, bits: number): FloatResult {
  const sign = (signOf(a) ^ signOf(b)) as 0 | 1;
  let magnitudeA = significandOf(a, on(bits, 'A'));
  let magnitudeB = significandOf(b, on(bits, 'B'));
  let exponentA = exponentOf(a);
  let exponentB = exponentOf(b);
  if (on(bits, 'u')) {
    magnitudeA = (magnitudeA << 50n) & significandMask;
    exponentA -= 50;
  }
  if (on(bits, 'x')) {
    magnitudeB = (magnitudeB << 25n) & significandMask;
    exponentB -= 25;
  }
  if (on(bits, 'y')) {
    magnitudeB = (magnitudeB << 50n) & significandMask;
    exponentB -= 50;
  }
  // Port A is 50 bits wide, port B 25; what a rounding carries beyond is kept.
  magnitudeA = on(bits, 'w')
    ? rounded(magnitudeA, 36)
    : on(bits, 'v')
      ? rounded(magnitudeA, 11)
      : cut(magnitudeA, 11);
  magnitudeB = on(bits, 'z') ? rounded(magnitudeB, 36) : cut(magnitudeB, 36);
  const product = magnitudeA * magnitudeB;
  if (product === 0n) return { word: signedZero(sign), status: 'fine' };
  const scale = exponentA + exponentB - 2 * (exponentBias + longPrecision - 1);
  const round = on(bits, 'R');
  if (!on(bits, 'O')) return unnormalised(sign, product, scale, exponentA + exponentB - exponentBias, round);
  return normalised(sign, product, scale, round ? shortPrecision : longPrecision);
}

const rounded = (magnitude: bigint, drop: number): bigint => roundedShift(magnitude, drop) << BigInt(drop);
const cut = (magnitude: bigint, drop: number): bigint => (magnitude >> BigInt(drop)) << BigInt(drop);
