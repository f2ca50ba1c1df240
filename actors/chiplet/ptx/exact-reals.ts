/*
 * Reals as whole numbers times powers of two, without bounds: what is rounded to other sides than the nearest, and what doubles cannot hold in between
 * (chiplet specification 7.1).
 */

/** To the nearest number, ties to even; towards zero; down; up. */
export type Rounding = 'rn' | 'rz' | 'rm' | 'rp';

/** Numbers of a format: significant bits, exponent of the smallest one, exponent of the power of two that is too large. */
interface RealFormat {
  readonly bits: number;
  readonly least: number;
  readonly most: number;
}

/** Reals of 32 and of 64 bits, and `flushed`: those of 32 bits as they are before what is too small becomes zero, with as small exponents as they like. */
export type Significant = 24 | 53 | 'flushed';

const formats: Readonly<Record<Significant, RealFormat>> = {
  24: { bits: 24, least: -149, most: 128 },
  flushed: { bits: 24, least: -1074, most: 128 },
  53: { bits: 53, least: -1074, most: 1024 },
};

const real = new Float64Array(1);
const bits = new BigInt64Array(real.buffer);

/** A finite double as whole * 2^exponent. */
export function parts(value: number): readonly [whole: bigint, exponent: number] {
  real[0] = value;
  const all = BigInt.asUintN(64, bits[0]!);
  const field = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  const whole = field === 0 ? fraction : fraction | (1n << 52n);
  return [value < 0 ? -whole : whole, Math.max(field, 1) - 1075];
}

const lengthOf = (size: bigint): number => (size === 0n ? 0 : size.toString(2).length);

/**
 * whole * 2^exponent as a real of 24 or 53 bits, rounded once. `more` says that something smaller than the last bit of `whole` is missing, away from
 * zero; then `whole` has more bits than the result. A zero has the sign of `whole`, so it is positive for 0.
 */
export function roundedReal(
  whole: bigint,
  exponent: number,
  more: boolean,
  mode: Rounding,
  significant: Significant,
): number {
  const format = formats[significant];
  const negative = whole < 0n;
  const size = ((negative ? -whole : whole) << 1n) | (more ? 1n : 0n);
  const unit = exponent - 1;
  // Below the normal numbers fewer bits are left.
  const drop = Math.max(lengthOf(size) - format.bits, format.least - unit, 0);
  let kept = size >> BigInt(drop);
  const rest = size - (kept << BigInt(drop));
  const half = drop === 0 ? 0n : 1n << BigInt(drop - 1);
  const away = {
    rn: rest > half || (rest === half && (kept & 1n) === 1n),
    rz: false,
    rm: negative,
    rp: !negative,
  };
  if (rest !== 0n && away[mode]) kept += 1n;
  const sign = negative ? -1 : 1;
  if (lengthOf(kept) + unit + drop > format.most) {
    const stops = mode === 'rz' || mode === (negative ? 'rp' : 'rm');
    return sign * (stops ? (2 - 2 ** (1 - format.bits)) * 2 ** (format.most - 1) : Number.POSITIVE_INFINITY);
  }
  return sign * scaled(Number(kept), unit + drop);
}

/** value * 2^exponent where the result is exact. */
function scaled(value: number, exponent: number): number {
  if (value === 0) return 0;
  if (exponent < -1022) return value * 2 ** -1022 * 2 ** (exponent + 1022);
  return exponent > 970 ? value * 2 ** 970 * 2 ** (exponent - 970) : value * 2 ** exponent;
}

/** What comes of two zeros that are added, or of numbers that cancel out: positive unless rounded down. */
const zeroOf = (a: number, b: number, mode: Rounding): number =>
  Object.is(a, b) ? a : mode === 'rm' ? -0 : 0;

/** a + b, rounded once to `significant` bits. */
export function exactSum(a: number, b: number, mode: Rounding, significant: Significant): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a + b;
  return exactFused(a, 1, b, mode, significant);
}

/** a * b, rounded once to `significant` bits. */
export function exactProduct(a: number, b: number, mode: Rounding, significant: Significant): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a * b;
  const [am, ae] = parts(a);
  const [bm, be] = parts(b);
  return roundedReal(am * bm, ae + be, false, mode, significant);
}

/** a * b + c, rounded once to `significant` bits. */
export function exactFused(
  a: number,
  b: number,
  c: number,
  mode: Rounding,
  significant: Significant,
): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a * b + c;
  // The product of finite numbers is finite, however large.
  if (!Number.isFinite(c)) return c;
  const [am, ae] = parts(a);
  const [bm, be] = parts(b);
  const [cm, ce] = parts(c);
  const exponent = Math.min(ae + be, ce);
  const sum = ((am * bm) << BigInt(ae + be - exponent)) + (cm << BigInt(ce - exponent));
  if (sum !== 0n) return roundedReal(sum, exponent, false, mode, significant);
  return a === 0 || b === 0 ? zeroOf(a * b, c, mode) : zeroOf(0, -0, mode);
}

/** a / b, rounded once to `significant` bits. */
export function exactQuotient(a: number, b: number, mode: Rounding, significant: Significant): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a / b;
  const [am, ae] = parts(a);
  const [bm, be] = parts(b);
  // So many bits that the quotient has more than any format.
  const shift = Math.max(0, 64 + lengthOf(bm < 0n ? -bm : bm) - lengthOf(am < 0n ? -am : am));
  const dividend = am << BigInt(shift);
  return roundedReal(dividend / bm, ae - be - shift, dividend % bm !== 0n, mode, significant);
}

/** 1 over the root of a double, rounded once to the nearest. */
export function exactReciprocalRoot(a: number): number {
  if (!(a > 0) || a === Number.POSITIVE_INFINITY) return 1 / Math.sqrt(a);
  const [am, ae] = parts(a);
  const shift = 240 + Math.abs(ae % 2);
  const one = 1n << BigInt(shift);
  const root = wholeRoot(one / am);
  return roundedReal(root, -(ae + shift) / 2, root * root * am !== one, 'rn', 53);
}

/** The root of a, rounded once to `significant` bits. */
export function exactRoot(a: number, mode: Rounding, significant: Significant): number {
  if (!(a > 0) || a === Number.POSITIVE_INFINITY) return Math.sqrt(a);
  const [am, ae] = parts(a);
  const shift = 128 + (ae % 2 === 0 ? 0 : 1);
  const radicand = am << BigInt(shift);
  const root = wholeRoot(radicand);
  return roundedReal(root, (ae - shift) / 2, root * root !== radicand, mode, significant);
}

/** The greatest whole number whose square is not above `value`, by Newton's rule from above. */
function wholeRoot(value: bigint): bigint {
  let root = 1n << BigInt((lengthOf(value) + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
