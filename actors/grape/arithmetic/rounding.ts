import {
  bitLength,
  exponentBias,
  exponentMax,
  fractionMask,
  longPrecision,
  signedZero,
  type Word,
  wordOf,
} from './word.ts';

/** What became of a result: fine, too large (the largest word instead), too small (a signed zero instead). */
export type FloatStatus = 'fine' | 'overflow' | 'underflow';

/** A long word out of a float unit. */
export interface FloatResult {
  readonly word: Word;
  readonly status: FloatStatus;
}

const fine = (word: Word): FloatResult => ({ word, status: 'fine' });
const tooLarge = (sign: 0 | 1): FloatResult => ({
  word: wordOf(sign, exponentMax, fractionMask),
  status: 'overflow',
});
const tooSmall = (sign: 0 | 1): FloatResult => ({ word: signedZero(sign), status: 'underflow' });

/** value / 2^shift as the nearest integer, ties to even; an exact shift when `shift` is not positive (GRAPE specification 2.3). */
export function roundedShift(value: bigint, shift: number): bigint {
  if (shift <= 0) return value << BigInt(-shift);
  const by = BigInt(shift);
  const quotient = value >> by;
  const rest = value - (quotient << by);
  const half = 1n << (by - 1n);
  return rest > half || (rest === half && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/**
 * A value magnitude x 2^scale as a normalised word of `precision` bits, 61 or 25 (GRAPE specification 2.3: normRound).
 *
 * Details: round to nearest, ties to even; beyond the range of the exponent the largest word, below it a signed zero. `magnitude` is positive.
 */
export function normalised(sign: 0 | 1, magnitude: bigint, scale: number, precision: number): FloatResult {
  const excess = bitLength(magnitude) - precision;
  let significand = roundedShift(magnitude, excess);
  let exponent = scale + excess + precision - 1 + exponentBias;
  if (significand === 1n << BigInt(precision)) {
    significand >>= 1n;
    exponent++;
  }
  if (exponent > exponentMax) return tooLarge(sign);
  if (exponent < 1) return tooSmall(sign);
  const fraction = (significand - (1n << BigInt(precision - 1))) << BigInt(longPrecision - precision);
  return fine(wordOf(sign, exponent, fraction));
}

/**
 * A value magnitude x 2^scale without a hidden bit, at `exponent` or as far above as it needs to stay below 1.0 (GRAPE specification 2.3:
 * unnormOut).
 *
 * Details: never shifted left, so that sums keep a chosen exponent: fixed-point accumulation. Long results are cut, short ones rounded to
 * nearest even in the 24 bits they have.
 */
export function unnormalised(
  sign: 0 | 1,
  magnitude: bigint,
  scale: number,
  exponent: number,
  short: boolean,
): FloatResult {
  const width = BigInt(longPrecision - 1);
  let e = exponent;
  let field = fieldAt(magnitude, scale, e, short);
  while (field >> width) field = fieldAt(magnitude, scale, ++e, short);
  if (e > exponentMax) return tooLarge(sign);
  if (e < 0) return tooSmall(sign);
  return fine(field === 0n ? wordOf(0, e, 0n) : wordOf(sign, e, field));
}

function fieldAt(magnitude: bigint, scale: number, exponent: number, short: boolean): bigint {
  const down = exponent - exponentBias - (longPrecision - 1) - scale;
  if (short) return roundedShift(magnitude, down + 36) << 36n;
  return down >= 0 ? magnitude >> BigInt(down) : magnitude << BigInt(-down);
}
