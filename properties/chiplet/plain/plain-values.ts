/*
 * Values of registers and the roundings of reals, by exact arithmetic alone (chiplet specification 7.1). Nothing of the instruction set of the machine is shared.
 */

/** A value of a register: bits of an integer, a real, a predicate. */
export type Value = bigint | number | boolean;

/** Width of a type in bits. */
export const widthOf = (type: string): number => {
  const known = widths.get(type);
  if (known !== undefined) return known;
  const made = Number(/\d+$/.exec(type)?.[0] ?? 1);
  widths.set(type, made);
  return made;
};
const widths = new Map<string, number>();

/** True for the reals whose registers hold numbers. */
export const isReal = (type: string): boolean => type === 'f32' || type === 'f64';

/** An integer of a type from the bits of a register. */
export const numbered = (type: string, bits: Value): bigint =>
  type.startsWith('s')
    ? BigInt.asIntN(widthOf(type), bits as bigint)
    : BigInt.asUintN(widthOf(type), bits as bigint);

export const single = (type: string, value: number): number => (type === 'f32' ? Math.fround(value) : value);
export const least = (type: string): bigint =>
  type.startsWith('s') ? -(1n << BigInt(widthOf(type) - 1)) : 0n;
export const most = (type: string): bigint =>
  (1n << BigInt(widthOf(type) - (type.startsWith('s') ? 1 : 0))) - 1n;
export const held = (type: string, value: bigint): bigint => {
  if (value < least(type)) return least(type);
  return value > most(type) ? most(type) : value;
};

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Bits of an integer of so many bits, the lowest first. */
export const bitsOf = (value: bigint, width: number): readonly number[] =>
  Array.from({ length: width }, (_, at) => Number((value >> BigInt(at)) & 1n));
export const numberOf = (bits: readonly number[]): bigint =>
  bits.reduce((sum, bit, at) => sum | (BigInt(bit) << BigInt(at)), 0n);

/** A real as an integer times a power of two. */
export function exact(value: number): readonly [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const e = Number((bits >> 52n) & 0x7ffn);
  const m = (bits & ((1n << 52n) - 1n)) | (e === 0 ? 0n : 1n << 52n);
  return [bits >> 63n === 1n ? -m : m, Math.max(e, 1) - 1075];
}

/** a x b + c with one rounding. */
export function fused(type: string, a: number, b: number, c: number): number {
  const plain = a * b + c;
  if (![a, b, c].every(Number.isFinite) || a === 0 || b === 0) return single(type, plain);
  const [[ma, ea], [mb, eb], [mc, ec]] = [exact(a), exact(b), exact(c)];
  const e = Math.min(ea + eb, ec);
  const sum = ((ma * mb) << BigInt(ea + eb - e)) + (mc << BigInt(ec - e));
  if (sum === 0n) return single(type, plain);
  return rounded(sum, e, type);
}

/** An integer times a power of two as the nearest real, the even one of two. */
export function rounded(value: bigint, e: number, type: string): number {
  const digits = magnitude(value).toString(2).length;
  const { precision, lowest, most } = shapeOf(type);
  const drop = Math.max(digits - precision, lowest - e);
  let kept = magnitude(value);
  let at = e;
  if (drop > 0) {
    const rest = kept & ((1n << BigInt(drop)) - 1n);
    const half = 1n << BigInt(drop - 1);
    kept >>= BigInt(drop);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
    at += drop;
  }
  const result = scaled(Number(kept), at);
  const held = result > most ? Number.POSITIVE_INFINITY : result;
  return value < 0n ? -held : held;
}

/** What is greatest of a real type, and where its significant bits are. */
const shapes: Readonly<
  Record<string, { readonly precision: number; readonly lowest: number; readonly most: number }>
> = {
  f64: { precision: 53, lowest: -1074, most: Number.MAX_VALUE },
  f32: { precision: 24, lowest: -149, most: (2 - 2 ** -23) * 2 ** 127 },
  f16: { precision: 11, lowest: -24, most: 65504 },
  bf16: { precision: 8, lowest: -133, most: (2 - 2 ** -7) * 2 ** 127 },
  e4m3: { precision: 4, lowest: -9, most: 448 },
  e5m2: { precision: 3, lowest: -16, most: 57344 },
};
const shapeOf = (type: string) => shapes[type]!;

/** An integer times a power of two, and where `more` a little more of the same sign, as a real in a direction: towards zero, down or up. */
export function directed(mode: string, type: string, value: bigint, e: number, more = false): number {
  const { precision, lowest, most } = shapeOf(type);
  const isNegative = value < 0n;
  const digits = magnitude(value).toString(2).length;
  const drop = Math.max(0, digits - precision, lowest - e);
  let kept = magnitude(value) >> BigInt(drop);
  const isCut = more || kept << BigInt(drop) !== magnitude(value);
  const isAway = mode === (isNegative ? 'rm' : 'rp');
  if (isCut && isAway) kept++;
  const result = scaled(Number(kept), e + drop);
  const held = result > most ? (isAway ? Number.POSITIVE_INFINITY : most) : result;
  return isNegative ? -held : held;
}

/** The sum of two numbers that is zero: it is negative when both are, or in the direction down unless both are positive. */
const zeroSum = (mode: string, a: number, b: number): number => {
  const [first, second] = [Object.is(a, -0), Object.is(b, -0)];
  if (a === 0 && b === 0) return (mode === 'rm' ? first || second : first && second) ? -0 : 0;
  return mode === 'rm' ? -0 : 0;
};

/** a x b + c in a direction, with one rounding. */
export function directedFused(mode: string, type: string, a: number, b: number, c: number): number {
  const product = a * b;
  if (![a, b, c].every(Number.isFinite)) return product + c;
  const [[ma, ea], [mb, eb], [mc, ec]] = [exact(a), exact(b), exact(c)];
  const e = Math.min(ea + eb, ec);
  const sum = ((ma * mb) << BigInt(ea + eb - e)) + (mc << BigInt(ec - e));
  if (sum !== 0n) return directed(mode, type, sum, e);
  // A product that is too small for a double is not zero.
  return a === 0 || b === 0 ? zeroSum(mode, product, c) : mode === 'rm' ? -0 : 0;
}

/** Bits of a quotient or root beyond those that are kept. */
const spare = 120;

export function directedQuotient(mode: string, type: string, a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a / b;
  const [[ma, ea], [mb, eb]] = [exact(a), exact(b)];
  const wide = magnitude(ma) << BigInt(spare);
  const quotient = wide / magnitude(mb);
  const isNegative = ma < 0n !== mb < 0n;
  const more = quotient * magnitude(mb) !== wide;
  return directed(mode, type, isNegative ? -quotient : quotient, ea - eb - spare, more);
}

export function directedRoot(mode: string, type: string, a: number): number {
  if (!(a > 0) || a === Number.POSITIVE_INFINITY) return Math.sqrt(a);
  const [m, e] = exact(a);
  const shift = spare + ((e - spare) % 2 === 0 ? 0 : 1);
  const wide = m << BigInt(shift);
  let root = 1n << BigInt(Math.ceil(wide.toString(2).length / 2));
  for (let next = (root + wide / root) >> 1n; next < root; next = (root + wide / root) >> 1n) root = next;
  return directed(mode, type, root, (e - shift) / 2, root * root !== wide);
}

/** A real that is too small to be normal as a zero of its sign. */
export const flushed = (value: number): number =>
  Math.abs(value) < 2 ** -126 ? (value < 0 || Object.is(value, -0) ? -0 : 0) : value;

/** A number times a power of two, in steps that no intermediate rounding spoils. */
function scaled(value: number, e: number): number {
  let [result, left] = [value, e];
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  return result * 2 ** left;
}

/** Bytes of a real as an integer. */
export function bitsOfReal(type: string, value: number): bigint {
  // Which bits it has that is no number, its sign among them, the processor decides that runs this.
  if (Number.isNaN(value)) return type === 'f32' ? 0x7fff_ffffn : 0x7ff8n << 48n;
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f32') {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** The real whose bytes an integer is. */
export function realOfBits(type: string, bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f32') {
    view.setUint32(0, Number(BigInt.asUintN(32, bits)));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  return view.getFloat64(0);
}
