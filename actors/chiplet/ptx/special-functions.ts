import { bitsOfReal, flushed, realOf, rounded32 } from './arithmetic.ts';
import {
  type Differences,
  logarithmRows,
  powerRows,
  reciprocalRootRows,
  reciprocalRows,
  rootRows,
  sineRows,
} from './special-function-rows.ts';

/*
 * Approximate functions as the special function unit of an NVIDIA H100 gives them: a quadratic for each segment of a binade, cut off, with a square whose lower columns are left out
 * (Oberman and Siu, A High-Performance Area-Efficient Multifunction Interpolator, 2005), and around it the scaling that the translator writes for arguments and results which are
 * not normal.
 *
 * Coefficients, offsets and columns were found from its answers: all 2^23 or 2^24 arguments of a function come out bit for bit.
 */

/** A function in segments. */
interface Segments {
  readonly constants: readonly number[];
  readonly linears: readonly number[];
  readonly quadratics: readonly number[];
  /** Bits of an argument within a segment. */
  readonly bits: number;
  /** Columns below this one are left out of the square. */
  readonly column: number;
  /** What all constants have beyond quarters of a last bit. */
  readonly offset: number;
  /** Parts of a last bit that quadratic coefficients are counted in. */
  readonly share: number;
}

/** The numbers whose differences of an order these are. */
function summed(differences: string, order: number): readonly number[] {
  const values = differences.split(' ').map(Number);
  for (let left = order; left > 0; left--)
    for (let at = 1; at < values.length; at++) values[at]! += values[at - 1]!;
  return values;
}

const segmentsOf = (
  [constants, linears, quadratics]: Differences,
  bits: number,
  column: number,
  offset: number,
  share = 1,
): Segments => ({
  constants: summed(constants, 4),
  linears: summed(linears, 3),
  quadratics: summed(quadratics, 2),
  bits,
  column,
  offset,
  share,
});

const reciprocals = segmentsOf(reciprocalRows, 16, 17, 0.06175531616);
const reciprocalRoots = segmentsOf(reciprocalRootRows, 17, 19, -4.6325684e-6);
const roots = segmentsOf(rootRows, 17, 19, -8.178711e-7, 2);
const powers = segmentsOf(powerRows, 17, 19, 0.18660272827 - 2 ** 24);
const logarithms = segmentsOf(logarithmRows, 17, 19, 0.05111994);
const sines = segmentsOf(sineRows, 17, 19, 0);
/** The first segment of the logarithms has another offset. */
const firstLogarithm = 0.05102563 - logarithms.offset;

/** The square of an integer as a sum of products of two of its bits, each once, without those of columns below `column`. */
function squared(value: number, column: number): number {
  let sum = 0;
  for (let rest = value; rest !== 0; ) {
    const high = 31 - Math.clz32(rest);
    rest ^= 1 << high;
    if (2 * high >= column) sum += 2 ** (2 * high);
    const low = Math.max(0, column - high - 1);
    sum += ((rest >>> low) << low) * 2 ** (high + 1);
  }
  return sum;
}

/** The quadratic at an argument of the table, in last bits. */
function interpolated(segments: Segments, argument: number): number {
  const { bits, column, share } = segments;
  const at = argument >>> bits;
  const x = argument & ((1 << bits) - 1);
  const size = 2 ** bits;
  const linear = (segments.linears[at]! * x) / size;
  const quadratic = (segments.quadratics[at]! * squared(x, column)) / (share * size * size);
  return segments.constants[at]! / 4 + segments.offset + linear + quadratic;
}

const least = 2 ** -126;
const fraction = 0x7fffff;

const exponentOf = (bits: number): number => ((bits >>> 23) & 255) - 127;

/** The reciprocal as the unit gives it: what is below the normal numbers is zero. */
function unitReciprocal(x: number): number {
  const size = Math.abs(x);
  if (size < least) return 1 / (x * 0);
  if (!(size < Number.POSITIVE_INFINITY)) return 1 / x;
  const bits = bitsOfReal(x);
  const value = 0.5 + Math.floor(interpolated(reciprocals, bits & fraction)) * 2 ** -24;
  return flushed((x < 0 ? -value : value) * 2 ** -exponentOf(bits));
}

/** rcp.approx.f32. */
export function reciprocal(x: number): number {
  const size = Math.abs(x);
  const scale = size < least ? 2 ** 24 : size > 2 ** 126 ? 0.25 : 1;
  return scale * unitReciprocal(x * scale);
}

/** div.approx.f32, and with `full` div.full.f32: the dividend times the reciprocal. */
export function divided(a: number, b: number, full: boolean): number {
  const size = Math.abs(b);
  const scale = size < least ? 2 ** 24 : full && size > 2 ** 126 ? 0.25 : 1;
  return Math.fround(a * scale) * unitReciprocal(b * scale);
}

/** A root by segments of two binades: `exact` where the argument is 1, else `of` the last bits. Scaled for numbers below the normal ones. */
function rootLike(
  x: number,
  segments: Segments,
  direction: 1 | -1,
  of: (lastBits: number) => number,
): number {
  const scaled = x < least && x > 0;
  const bits = bitsOfReal(scaled ? x * 2 ** 24 : x);
  const exponent = exponentOf(bits);
  const argument = (bits & fraction) | ((exponent & 1) << 23);
  const value = argument === 0 ? 1 : of(Math.floor(interpolated(segments, argument)));
  return value * 2 ** (direction * ((exponent >> 1) - (scaled ? 12 : 0)));
}

/** rsqrt.approx.f32. */
export function reciprocalRoot(x: number): number {
  if (x === 0) return 1 / x;
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return 1 / Math.sqrt(x);
  return rootLike(x, reciprocalRoots, -1, (lastBits) => 0.5 + lastBits * 2 ** -24);
}

/** sqrt.approx.f32. */
export function root(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return Math.sqrt(x);
  return rootLike(x, roots, 1, (lastBits) => 1 + lastBits * 2 ** -23);
}

/** A power of two as the unit gives it: of the argument 23 bits behind the point are left, of negative ones the complement. */
function unitPower(x: number): number {
  if (!(x < 128)) return x >= 128 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -126) return 0;
  const size = Math.floor(Math.abs(x) * 2 ** 23);
  const fixed = x >= 0 ? size : (size & fraction) === 0 ? -size : -size - 1;
  const value = 1 + Math.floor(interpolated(powers, fixed & fraction)) * 2 ** -23;
  return value * 2 ** (fixed >> 23);
}

/** ex2.approx.f32. */
export function power(x: number): number {
  if (!(x < -126)) return unitPower(x);
  const half = unitPower(Math.fround(x * 0.5));
  return half * half;
}

/** A real cut off behind 24 bits. */
function cut(value: number): number {
  const nearest = Math.fround(value);
  return Math.abs(nearest) <= Math.abs(value) ? nearest : realOf(bitsOfReal(nearest) - 1);
}

/** lg2.approx.f32. */
export function logarithm(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return Math.log2(x);
  if (x < least) return logarithm(x * 2 ** 24) - 24;
  const bits = bitsOfReal(x);
  const argument = bits & fraction;
  if (x === 1) return 0;
  const lastBits =
    interpolated(logarithms, argument) + (argument >>> logarithms.bits === 0 ? firstLogarithm : 0);
  // The sum has 36 bits behind the point.
  return cut(Math.trunc((exponentOf(bits) + lastBits * 2 ** -24) * 2 ** 36) * 2 ** -36);
}

/** 1 / (2 pi) as a 32-bit real. */
const turnsOfRadian = Math.fround(1 / (2 * Math.PI));

/** The sine of an angle, in quarters of a turn more: of its turns, rounded towards zero, 25 bits behind the point are left. */
function wave(angle: number, quarters: 0 | 1): number {
  const turns = flushed(rounded32(Math.abs(angle) * turnsOfRadian, 'rz'));
  if (!(turns < Number.POSITIVE_INFINITY)) return Number.NaN;
  const fixed = Math.floor(turns * 2 ** 25) % 2 ** 25;
  const quarter = ((fixed >> 23) + quarters) & 3;
  const argument = quarter & 1 ? ~fixed & fraction : fixed & fraction;
  const value = cut(interpolated(sines, argument) * 2 ** -24);
  return quarter >= 2 ? -value : value;
}

/** sin.approx.f32. */
export const sine = (angle: number): number =>
  angle < 0 || Object.is(angle, -0) ? -wave(angle, 0) : wave(angle, 0);

/** cos.approx.f32. */
export const cosine = (angle: number): number => wave(angle, 1);
