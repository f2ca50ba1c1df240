/*
 * Reals of 16 bits, f16 (5 bits of exponent, 10 of fraction) and bf16 (8 and 7), as bits; their values are exact as doubles. Results are rounded once:
 * to the nearest, ties to even, or towards zero (PTX ISA, sections on half precision and alternate formats).
 */

import type { Rounding } from './exact-reals.ts';

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

/** To which side a magnitude is rounded: the nearest, ties to even; towards zero; away from it. */
type Side = 'near' | 'in' | 'out';

const sideOf = (negative: boolean, mode: Rounding): Side => {
  if (mode === 'rn') return 'near';
  return mode === 'rz' || (mode === 'rm') !== negative ? 'in' : 'out';
};

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
export function smallBits(size: number, { fraction, least, most }: SmallFormat, side: Side): number {
  if (size === 0) return 0;
  const exponent = Math.max(least, exponentOf(size));
  const units = size * 2 ** (fraction - exponent);
  const whole = side === 'near' ? wholeEven(units) : side === 'in' ? Math.floor(units) : Math.ceil(units);
  // The hidden bit of a normal number adds one to the exponent, as does a carry out of the fraction.
  const bits = (exponent - least) * 2 ** fraction + whole;
  const largest = (most - least + 2) * 2 ** fraction - 1;
  if (bits <= largest) return bits;
  return side === 'in' ? largest : largest + 1;
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

function bitsOf(value: number, format: SmallFormat, infinite: number, mode: Rounding): number {
  if (Number.isNaN(value)) return noHalf;
  const sign = signOf(value);
  return (
    sign | (Number.isFinite(value) ? smallBits(Math.abs(value), format, sideOf(sign !== 0, mode)) : infinite)
  );
}

/** A double as an f16. */
export const bits16 = (value: number, mode: Rounding = 'rn'): number => bitsOf(value, half, 0x7c00, mode);

/** A double as a bf16. */
export const bitsBfloat = (value: number, mode: Rounding = 'rn'): number =>
  bitsOf(value, bfloat, 0x7f80, mode);

/** Bits of an f16 or bf16, those of what is no number without its sign and fraction. */
export const halfNumber = (bits: number, infinite: number): number =>
  (bits & 0x7fff) > infinite ? noHalf : bits;

/** Held at the largest number of its size: f16 or bf16 bits of an infinity become those of the number before it. */
export const finiteBits = (bits: number, infinite: number): number =>
  (bits & 0x7fff) === infinite ? bits - 1 : bits;

/** An f16 whose magnitude is below the normal ones becomes a zero of its sign. */
export const flushed16 = (value: number): number =>
  value > -(2 ** -14) && value < 2 ** -14 ? value * 0 : value;

/** What `flushed16` makes of a result that has not been rounded yet: one that only becomes normal for want of bits below is flushed, too. */
export const flushedResult16 = (value: number): number =>
  Math.abs(value) < 2 ** -14 - 2 ** -26 ? value * 0 : value;

/** What is below zero becomes zero, also the negative one. */
export const rectified = (value: number): number => (value <= 0 ? 0 : value);

const e4m3: SmallFormat = { fraction: 3, least: -6, most: 8 };
const e5m2: SmallFormat = { fraction: 2, least: -14, most: 15 };

/** A double as 8 bits, held at the largest number of the format; what is no number is 0x7f (PTX ISA, cvt with satfinite). */
function bits8(value: number, format: SmallFormat, largest: number): number {
  if (Number.isNaN(value)) return 0x7f;
  const size = Math.abs(value);
  const bits =
    size === Number.POSITIVE_INFINITY ? largest : Math.min(largest, smallBits(size, format, 'near'));
  return (signOf(value) >>> 8) | bits;
}

export const bitsE4m3 = (value: number): number => bits8(value, e4m3, 0x7e);
export const bitsE5m2 = (value: number): number => bits8(value, e5m2, 0x7b);

/** The value of 8 bits of the format e4m3, which has no infinities. */
export function realOfE4m3(bits: number): number {
  const size = bits & 0x7f;
  return size === 0x7f ? Number.NaN : (bits & 0x80 ? -1 : 1) * smallValue(size, e4m3);
}

/** The value of 8 bits of the format e5m2: the upper half of an f16. */
export const realOfE5m2 = (bits: number): number => realOf16(bits << 8);

/** A real of 32 bits with 10 bits of fraction: to the nearest, ties away from zero or with `rn` to even, or towards zero (PTX ISA, cvt to tf32). */
export function bitsTf32(value: number, mode = 'rna'): number {
  single[0] = value;
  if (Number.isNaN(value)) return 0x7fffe000;
  if (!Number.isFinite(value)) return singleBits[0]!;
  const bits = singleBits[0]!;
  const half = { rna: 0x1000, rn: 0xfff + ((bits >> 13) & 1), rz: 0 }[mode]!;
  return (bits + half) & ~0x1fff;
}

/** Held at the largest number of its sign: the bits of a tf32 that is infinite become those of the number before it. */
export const finiteTf32 = (bits: number): number =>
  (bits & 0x7fffffff) === 0x7f800000 ? bits - 0x2000 : bits;

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
