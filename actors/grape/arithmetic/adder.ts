import { type FloatResult, normalised, unnormalised } from './rounding.ts';
import {
  exponentBias,
  exponentOf,
  fractionOf,
  longPrecision,
  shortPrecision,
  signedZero,
  significandOf,
  signOf,
  type Word,
} from './word.ts';

/** Control of the adder: flags A, B, S and O of `fadd` as what they mean, and the rounding that follows from the destinations. */
export interface AdderControl {
  /** Input A, or B, has a hidden bit; the flags A and B switch it off. */
  readonly normA: boolean;
  readonly normB: boolean;
  /** B is subtracted: `fsub`, or the flag S. */
  readonly sub: boolean;
  /** The result is normalised; the flag O switches it off. */
  readonly normO: boolean;
  /** Round to 25 bits: some destination is a short word (GRAPE specification 2.4). */
  readonly round: boolean;
}

/** Adds two long words exactly and rounds once (GRAPE specification 2.4). */
export function add(a: Word, b: Word, control: AdderControl): FloatResult {
  const signA = signOf(a);
  const signB = (signOf(b) ^ (control.sub ? 1 : 0)) as 0 | 1;
  const magnitudeA = significandOf(a, control.normA);
  const magnitudeB = significandOf(b, control.normB);
  const exponentA = scaleOf(a, control.normA);
  const exponentB = scaleOf(b, control.normB);
  const low = Math.min(exponentA, exponentB);
  const sum =
    signed(signA, magnitudeA << BigInt(exponentA - low)) +
    signed(signB, magnitudeB << BigInt(exponentB - low));
  const sign = sum < 0n ? 1 : 0;
  const magnitude = sum < 0n ? -sum : sum;
  const scale = low - exponentBias - (longPrecision - 1);
  if (!control.normO)
    return unnormalised(sign, magnitude, scale, Math.max(exponentA, exponentB), control.round);
  if (sum === 0n) {
    const bothNegativeZero = magnitudeA === 0n && magnitudeB === 0n && signA === 1 && signB === 1;
    return { word: signedZero(bothNegativeZero ? 1 : 0), status: 'fine' };
  }
  return normalised(sign, magnitude, scale, control.round ? shortPrecision : longPrecision);
}

/** The flag bit of the adder: the result is strictly negative (GRAPE specification 2.4). */
export const isNegative = (word: Word): boolean =>
  signOf(word) === 1 && (exponentOf(word) !== 0 || fractionOf(word) !== 0n);

/** The exponent that counts in an exact sum: a normal zero counts as exponent 0. */
const scaleOf = (word: Word, normal: boolean): number =>
  normal && significandOf(word, true) === 0n ? 0 : exponentOf(word);

const signed = (sign: 0 | 1, magnitude: bigint): bigint => (sign === 1 ? -magnitude : magnitude);
