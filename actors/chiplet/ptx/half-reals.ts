/*
 * Reals of 16 bits, f16 (5 bits of exponent, 10 of fraction) and bf16 (8 and 7), as bits; their values are exact as doubles. Results are rounded once:
 * to the nearest, ties to even, or towards zero (PTX ISA, sections on half precision and alternate formats).
 */

/** A format of fewer bits than 32: bits of the fraction, smallest exponent of a normal number, and largest. */
export interface SmallFormat {
  readonly fraction: number;
  readonly least: number;
  readonly most: number;
}

export const half: SmallFormat = { fraction: 10, least: -14, most: 15 };
export const bfloat: SmallFormat = { fraction: 7, least: -126, most: 127 };

/** What is no number comes out as this, in both formats. */
export const noHalf = 0x7fff;

const real = new Float64Array(1);
const words = new Int32Array(real.buffer);
const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

/** The exponent of a finite number that is normal as a double. */
function exponentOf(value: number): number {
  real[0] = value;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

/** A whole number from 0, ties to even. */
function wholeEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
}

/**
 * The magnitude of a double in a small format, without its sign: the bits of exponent and fraction. Beyond the largest number it is one above it, which is the
 * pattern of infinity in a format that has one.
 */
export function smallBits(
  size: number,
  { fraction, least, most }: SmallFormat,
  towardsZero: boolean,
): number {
  if (size === 0) return 0;
  const exponent = Math.max(least, exponentOf(size));
  const units = size * 2 ** (fraction - exponent);
  const whole = towardsZero ? Math.floor(units) : wholeEven(units);
  // The hidden bit of a normal number adds one to the exponent, as does a carry out of the fraction.
  const bits = (exponent - least) * 2 ** fraction + whole;
  const largest = (most - least + 2) * 2 ** fraction - 1;
  return bits > largest ? (towardsZero && size !== Number.POSITIVE_INFINITY ? largest : largest + 1) : bits;
}

/** The value of the bits of exponent and fraction. */
export function smallValue(bits: number, { fraction, least }: SmallFormat): number {
  const field = Math.floor(bits / 2 ** fraction);
  const rest = bits % 2 ** fraction;
  if (field === 0) return rest * 2 ** (least - fraction);
  return (2 ** fraction + rest) * 2 ** (field - 1 + least - fraction);
}

/** The value of an f16. */
export function realOf16(bits: number): number {
  const size = bits & 0x7fff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (size > 0x7c00) return Number.NaN;
  return size === 0x7c00 ? sign * Number.POSITIVE_INFINITY : sign * smallValue(size, half);
}

/** The value of a bf16. */
export function realOfBfloat(bits: number): number {
  singleBits[0] = bits << 16;
  return single[0]!;
}

const signOf = (value: number): number => (value < 0 || Object.is(value, -0) ? 0x8000 : 0);

/** A double as an f16. */
export function bits16(value: number, towardsZero = false): number {
  if (Number.isNaN(value)) return noHalf;
  return signOf(value) | (Number.isFinite(value) ? smallBits(Math.abs(value), half, towardsZero) : 0x7c00);
}

/** A double as a bf16. */
export function bitsBfloat(value: number, towardsZero = false): number {
  if (Number.isNaN(value)) return noHalf;
  return signOf(value) | (Number.isFinite(value) ? smallBits(Math.abs(value), bfloat, towardsZero) : 0x7f80);
}

/**
 * a + b as a double that is rounded to odd where it is not exact, so that another rounding to at most 51 bits comes out as if there had been one only (Boldo and
 * Melquiond 2008).
 */
export function oddSum(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return sum;
  const share = sum - a;
  const lost = a - (sum - share) + (b - share);
  if (lost === 0) return sum;
  real[0] = sum;
  if ((words[0]! & 1) === 0) {
    // Towards what was lost: away from zero when it has the sign of the sum.
    const away = lost > 0 === sum > 0;
    if (away) words[0] = words[0]! | 1;
    else {
      if (words[0] === 0) words[1] = words[1]! - 1;
      words[0] = words[0]! - 1;
    }
  }
  return real[0]!;
}
