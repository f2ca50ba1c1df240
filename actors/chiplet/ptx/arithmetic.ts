/*
 * Arithmetic that JavaScript has no operator for: wide integers in two 32-bit halves, one rounding in a fused multiply-add, conversions
 * (chiplet specification 7.1). Real numbers of 32 bits are doubles that are rounded when they are stored.
 */

import { exactFused, type Rounding, roundedReal } from './exact-reals.ts';

export * from './barrier-words.ts';
export * from './bit-arithmetic.ts';
export {
  exactFused,
  exactProduct,
  exactQuotient,
  exactReciprocalRoot,
  exactRoot,
  exactSum,
} from './exact-reals.ts';
export * from './half-reals.ts';
export * from './video-arithmetic.ts';

const real64 = new Float64Array(1);
const bits64 = new BigInt64Array(real64.buffer);
const real32 = new Float32Array(1);
const bits32 = new Int32Array(real32.buffer);
const two32 = 4294967296;
const two53 = 9007199254740992;

/** High 32 bits of the product of two unsigned 32-bit integers, as a signed one. */
export function multiplyHighUnsigned(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const low = al * bl;
  const middle = ah * bl + (low >>> 16);
  const other = al * bh + (middle & 0xffff);
  return (ah * bh + Math.floor(middle / 65536) + Math.floor(other / 65536)) | 0;
}

/** High 32 bits of the product of two signed 32-bit integers. */
export const multiplyHighSigned = (a: number, b: number): number =>
  (multiplyHighUnsigned(a, b) - (a < 0 ? b : 0) - (b < 0 ? a : 0)) | 0;

/** A 64-bit integer from its halves. */
export const joined = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low >>> 0);

/** Where results of 64 bits are put: low half first. */
export type Halves = Int32Array;

/** Puts a 64-bit integer into its halves, the bits above are dropped. */
export function put(into: Halves, value: bigint): void {
  into[0] = Number(BigInt.asIntN(32, value));
  into[1] = Number(BigInt.asIntN(32, value >> 32n));
}

/** Calculates with two 64-bit integers what is too rare for halves. */
export function wide(
  into: Halves,
  what: 'div' | 'rem' | 'mulhi',
  signed: boolean,
  al: number,
  ah: number,
  bl: number,
  bh: number,
): void {
  const read = (low: number, high: number) =>
    signed ? joined(low, high) : BigInt.asUintN(64, joined(low, high));
  const a = read(al, ah);
  const b = read(bl, bh);
  if (what === 'mulhi') put(into, (a * b) >> 64n);
  else put(into, b === 0n ? -1n : what === 'div' ? a / b : a % b);
}

/**
 * a*b+c of 32-bit reals, rounded once.
 *
 * Details: the product is exact as a double. Where its sum with c lies exactly between two 32-bit reals only because it was rounded to a double,
 * the part that was lost says which of the two is nearer.
 */
export function fused32(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const nearest = Math.fround(sum);
  const rest = sum - nearest;
  if (rest === 0) return nearest;
  const other = sum + rest;
  // Also true for what is not a number.
  if (Math.fround(other) !== other) return nearest;
  // Beyond the largest number nothing tells on which side of the last tie the sum lies, nor its sign.
  if (!Number.isFinite(nearest)) return exactFused(a, b, c, 'rn', 24);
  const share = sum - product;
  const lost = product - (sum - share) + (c - share);
  if (lost === 0) return nearest;
  return rest > 0 === lost > 0 ? other : nearest;
}

const splitter = 134217729;
const largest = 2 ** 900;
const smallest = 2 ** -800;

/**
 * a*b+c of 64-bit reals, rounded once.
 *
 * Details: the product in two doubles (Dekker), then the sum with the last addition but one rounded to odd (Boldo and Melquiond 2008). Where parts
 * could leave the range of doubles, integers do it.
 */
export function fused64(a: number, b: number, c: number): number {
  const product = a * b;
  const size = Math.abs(product);
  const added = Math.abs(c);
  const near =
    size > smallest &&
    size < largest &&
    Math.abs(a) < largest &&
    Math.abs(b) < largest &&
    added < largest &&
    (added > smallest || added === 0);
  if (!near) return exactFused(a, b, c, 'rn', 53);
  const ta = splitter * a;
  const ah = ta - (ta - a);
  const al = a - ah;
  const tb = splitter * b;
  const bh = tb - (tb - b);
  const bl = b - bh;
  const low = al * bl - (product - ah * bh - al * bh - ah * bl);
  const u = c + low;
  const us = u - c;
  const ul = c - (u - us) + (low - us);
  const t = product + u;
  const ts = t - product;
  const tl = product - (t - ts) + (u - ts);
  const v = tl + ul;
  const vs = v - tl;
  const lost = tl - (v - vs) + (ul - vs);
  if (lost === 0) return t + v;
  real64[0] = v;
  const bits = bits64[0]!;
  if ((bits & 1n) === 0n) bits64[0] = lost > 0 === v > 0 ? bits + 1n : bits - 1n;
  return t + real64[0]!;
}

/** Nearest whole number, ties to even. */
export function roundEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest < 0.5) return below === 0 && value < 0 ? -0 : below;
  const whole = rest > 0.5 || below % 2 !== 0 ? below + 1 : below;
  return whole === 0 && value < 0 ? -0 : whole;
}

/** A double as a 32-bit real, rounded towards zero, down or up. */
export function rounded32(value: number, mode: 'rz' | 'rm' | 'rp'): number {
  const near = Math.fround(value);
  if (near === value || Number.isNaN(value)) return near;
  const above = near > value;
  const wantsBelow = mode === 'rm' || (mode === 'rz' && value > 0);
  if (above !== wantsBelow) return near;
  return neighbour32(near, !above);
}

function neighbour32(value: number, up: boolean): number {
  if (value === 0) return up ? 2 ** -149 : -(2 ** -149);
  real32[0] = value;
  bits32[0] = bits32[0]! + (value > 0 === up ? 1 : -1);
  return real32[0]!;
}

/** A 64-bit integer as a real of 24 or 53 bits, rounded once. */
export function wholeToReal(
  low: number,
  high: number,
  signed: boolean,
  mode: Rounding,
  significant: 24 | 53,
): number {
  const plain = (signed ? high : high >>> 0) * two32 + (low >>> 0);
  if (Math.abs(plain) < two53) {
    if (significant === 53) return plain;
    return mode === 'rn' ? Math.fround(plain) : rounded32(plain, mode);
  }
  if (significant === 53 && mode === 'rn') return plain;
  const value = signed ? joined(low, high) : BigInt.asUintN(64, joined(low, high));
  return roundedReal(value, 0, false, mode, significant);
}

/** A 64-bit integer as a double, rounded to odd where it is not exact: what is rounded again to fewer bits is as if there had been one rounding. */
export function wholeToOdd(low: number, high: number, signed: boolean): number {
  const near = wholeToReal(low, high, signed, 'rz', 53);
  const value = signed ? joined(low, high) : BigInt.asUintN(64, joined(low, high));
  if (BigInt(near) === value) return near;
  real64[0] = near;
  bits64[0] = bits64[0]! | 1n;
  return real64[0]!;
}

/** A whole double as a 64-bit integer, held within its range; what is no number becomes 2^63. */
export function realToWide(into: Halves, whole: number, signed: boolean): void {
  if (Number.isNaN(whole)) put(into, 1n << 63n);
  else if (signed && whole >= two32 * 2147483648) put(into, 0x7fffffffffffffffn);
  else if (signed && whole < -two32 * 2147483648) put(into, -0x8000000000000000n);
  else if (!signed && whole >= two32 * two32) put(into, -1n);
  else if (!signed && whole < 0) put(into, 0n);
  else {
    const high = Math.floor(whole / two32);
    into[0] = whole - high * two32;
    into[1] = high;
  }
}

/** A number held within a range; what is none becomes `none`. */
export const held = (value: number, least: number, most: number, none = 0): number =>
  Number.isNaN(value) ? none : value < least ? least : value > most ? most : value;

/** Held within 0..1; what is no number becomes 0. */
export const saturated = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/** A 32-bit real whose magnitude is below the normal ones becomes a zero of its sign. */
export const flushed = (value: number): number =>
  value > -1.1754943508222875e-38 && value < 1.1754943508222875e-38 ? value * 0 : value;

/** What `flushed` makes of a result that has not been rounded yet: one that only becomes normal for want of bits below is flushed, too. */
export const flushedResult = (value: number): number =>
  Math.abs(value) < 1.1754943508222875e-38 - 2 ** -151 ? value * 0 : Math.fround(value);

/** The smaller of two reals; what is no number gives way. */
export const lesser = (a: number, b: number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);

/** The greater of two reals; what is no number gives way. */
export const greater = (a: number, b: number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);

/** div.approx: beyond 2^126 the reciprocal of the divisor counts as 0 (PTX ISA, div). */
export const dividedRoughly = (a: number, b: number): number => {
  const size = Math.abs(b);
  return size > 2 ** 126 && size < Number.POSITIVE_INFINITY ? a * (b < 0 ? -0 : 0) : a / b;
};

/** A result moved by a share of itself and by so much more. */
export const moved = (value: number, relative: number, absolute: number): number =>
  value + Math.abs(value) * relative + absolute;

/** A sine or cosine of `angle` moved by the error that PTX allows; no number beyond 100 pi, where it promises none. */
export function movedWave(value: number, angle: number, side: number): number {
  const size = Math.abs(angle);
  if (size > 100 * Math.PI) return Number.NaN;
  return value + side * (size <= 2 * Math.PI ? 2 ** -20.5 : 2 ** -14.7);
}

/** The upper 32 bits of a double, the others 0; numbers below the normal ones are zeros (PTX ISA, rcp.approx.ftz.f64). */
export function high64(value: number): number {
  if (Math.abs(value) < 2 ** -1022) return value * 0;
  real64[0] = value;
  bits64[0] = bits64[0]! & ~0xffffffffn;
  return real64[0]!;
}

/** A double rounded to the nearest of those whose lower 32 bits are 0; results below the normal numbers are zeros. */
export function roughly64(value: number): number {
  if (!Number.isFinite(value)) return value;
  real64[0] = value;
  bits64[0] = bits64[0]! + 0x80000000n;
  return high64(real64[0]!);
}

/** The real number that 32 bits stand for. */
export function realOf(bits: number): number {
  bits32[0] = bits;
  return real32[0]!;
}

/** The bits of a real number, rounded to 32 bits. */
export function bitsOfReal(value: number): number {
  real32[0] = value;
  return bits32[0]!;
}

/** Adds two 64-bit reals that are given by their halves. */
export function addReals(into: Halves, al: number, ah: number, bl: number, bh: number): void {
  bits64[0] = joined(al, ah);
  const a = real64[0]!;
  bits64[0] = joined(bl, bh);
  real64[0] = a + real64[0]!;
  put(into, bits64[0]!);
}
