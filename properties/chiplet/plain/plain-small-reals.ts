import { compared, joined } from './plain-comparisons.ts';
import {
  bitsOfReal,
  directed,
  exact,
  fused,
  numbered,
  rounded,
  type Value,
  widthOf,
} from './plain-values.ts';

/*
 * What PTX instructions make of reals of 8 and 16 bits, one or two in a register (PTX ISA, half precision instructions, cvt), by exact arithmetic alone. Nothing of the
 * instruction set of the machine is shared.
 */

/** Bits of exponent and fraction. */
const layouts: Readonly<Record<string, readonly [exponentBits: number, fractionBits: number]>> = {
  f16: [5, 10],
  bf16: [8, 7],
  e4m3: [4, 3],
  e5m2: [5, 2],
};

/** The type of a number in a register of two; the type itself for one alone. */
const singleOf = (type: string): string => type.replace(/x2$/, '');
const isTwo = (type: string): boolean => type.endsWith('x2');

/** True for a type that this file knows. */
export const isSmall = (type: string): boolean => singleOf(type) in layouts || type === 'tf32';

const sizeOf = (type: string): number => {
  const [exponentBits, fractionBits] = layouts[type]!;
  return 1 + exponentBits + fractionBits;
};

/** The number that bits of a type stand for. */
export function numberOfBits(type: string, bits: bigint): number {
  const [exponentBits, fractionBits] = layouts[type]!;
  const field = Number((bits >> BigInt(fractionBits)) & ((1n << BigInt(exponentBits)) - 1n));
  const fraction = Number(bits & ((1n << BigInt(fractionBits)) - 1n));
  const sign = (bits >> BigInt(exponentBits + fractionBits)) & 1n ? -1 : 1;
  const bias = 2 ** (exponentBits - 1) - 1;
  const isLast = field === 2 ** exponentBits - 1;
  // e4m3 has no infinities: of its last exponent only one fraction is no number.
  if (type === 'e4m3' ? isLast && fraction === 7 : isLast)
    return type !== 'e4m3' && fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  const size =
    field === 0
      ? fraction * 2 ** (1 - bias - fractionBits)
      : (2 ** fractionBits + fraction) * 2 ** (field - bias - fractionBits);
  return sign * size;
}

/** The bits of a number, rounded to the nearest that a type has. */
export const bitsOfNumber = (type: string, value: number): bigint =>
  bitsOfExact(type, asType(type, 'rn', value));

/** The bits of a number that a type has. */
function bitsOfExact(type: string, value: number): bigint {
  const [exponentBits, fractionBits] = layouts[type]!;
  const none = type.startsWith('e') ? 0x7fn : 0x7fffn;
  if (Number.isNaN(value)) return none;
  const sign = (value < 0 || Object.is(value, -0) ? 1n : 0n) << BigInt(exponentBits + fractionBits);
  const size = Math.abs(value);
  const bias = 2 ** (exponentBits - 1) - 1;
  if (size === Number.POSITIVE_INFINITY)
    return sign | (BigInt(2 ** exponentBits - 1) << BigInt(fractionBits));
  const [m, e] = exact(size);
  // The value in units of the last place of the smallest numbers.
  const shift = e - (1 - bias - fractionBits);
  let units = shift >= 0 ? m << BigInt(shift) : m >> BigInt(-shift);
  let field = 0n;
  for (; units >= 1n << BigInt(fractionBits + 1); units >>= 1n) field++;
  return sign | ((field << BigInt(fractionBits)) + units);
}

/** A number as one of a type, rounded in a direction. */
function asType(type: string, mode: string, value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const [m, e] = exact(value);
  return mode === 'rn' ? rounded(m, e, type) : directed(mode, type, m, e);
}

const flushed16 = (value: number): number =>
  Math.abs(value) < 2 ** -14 ? (value < 0 || Object.is(value, -0) ? -0 : 0) : value;
const rectified = (value: number): number => (Number.isNaN(value) ? value : Math.max(0, value));
const clipped = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)));
const isNegative = (value: number): boolean => value < 0 || Object.is(value, -0);

/** One of several numbers: what is no number counts only where it is asked for, or alone. */
function extreme(base: string, words: readonly string[], a: number, b: number): number {
  const [x, y] = words.includes('abs') ? [Math.abs(a), Math.abs(b)] : [a, b];
  const of = base === 'min' ? Math.min : Math.max;
  if (words.includes('NaN') || (!Number.isNaN(x) && !Number.isNaN(y))) return of(x, y);
  return Number.isNaN(x) ? y : x;
}

function calculated(
  base: string,
  words: readonly string[],
  type: string,
  [a = 0, b = 0, c = 0]: readonly number[],
): number | undefined {
  switch (base) {
    case 'add':
      return fused(type, a, 1, b);
    case 'sub':
      return fused(type, a, 1, -b);
    case 'mul':
      return asType(type, 'rn', a * b);
    case 'fma':
      return fused(type, a, b, c);
    case 'min':
    case 'max':
      return extreme(base, words, a, b);
    case 'ex2':
      return asType(type, 'rn', 2 ** a);
    case 'tanh':
      return asType(type, 'rn', Math.tanh(a));
    default:
      return undefined;
  }
}

/** An operation on bits of one number of 16 bits. */
function operated(
  base: string,
  words: readonly string[],
  type: string,
  bits: readonly bigint[],
): bigint | undefined {
  const flushes = words.includes('ftz') && type === 'f16';
  const flush = (value: number): number => (flushes ? flushed16(value) : value);
  if (base === 'abs' || base === 'neg') {
    const changed = base === 'abs' ? bits[0]! & 0x7fffn : bits[0]! ^ 0x8000n;
    // What is no number has the same bits always.
    if (Number.isNaN(numberOfBits(type, changed))) return bitsOfNumber(type, Number.NaN);
    return flushes ? bitsOfNumber(type, flush(numberOfBits(type, changed))) : changed;
  }
  const numbers = bits.map((one) => flush(numberOfBits(type, one)));
  let result = calculated(base, words, type, numbers);
  if (result === undefined) return undefined;
  if (words.includes('sat')) result = clipped(result);
  if (words.includes('relu')) result = rectified(result);
  // What is no number is canonical, without a sign (PTX ISA, min).
  const isSigned = words.includes('xorsign') && !Number.isNaN(result);
  return bitsOfNumber(type, flush(result)) ^ (isSigned ? (bits[0]! ^ bits[1]!) & 0x8000n : 0n);
}

/** The parts of a register of one or two numbers, the lower one first. */
const partsIn = (type: string, bits: bigint): readonly bigint[] => {
  const size = BigInt(sizeOf(singleOf(type)));
  const mask = (1n << size) - 1n;
  return isTwo(type) ? [bits & mask, (bits >> size) & mask] : [bits & mask];
};
const joinedParts = (type: string, parts: readonly bigint[]): bigint =>
  parts.reduce((sum, one, at) => sum | (one << BigInt(at * sizeOf(singleOf(type)))), 0n);

/** Whether a comparison holds, for each number of a register. */
export function comparedSmall(
  words: readonly string[],
  type: string,
  [a, b, c]: readonly Value[],
): readonly boolean[] {
  const [word, join] = words.filter((one) => one !== 'ftz');
  const one = singleOf(type);
  const read = (bits: bigint): number => {
    const value = numberOfBits(one, bits);
    return words.includes('ftz') && one === 'f16' ? flushed16(value) : value;
  };
  const [x, y] = [partsIn(type, a as bigint), partsIn(type, b as bigint)];
  return x.map((bits, at) => joined(join, compared(word!, 'f64', read(bits), read(y[at]!)), c as boolean));
}

/** A conversion from or to such a type. */
function converted(
  words: readonly string[],
  [to, from]: readonly [string, string],
  values: readonly Value[],
): Value | undefined {
  const mode = words.find((word) => /^(rn|rz|rm|rp|rna)$/.test(word)) ?? 'rn';
  const whole = words.find((word) => /^r[nzmp]i$/.test(word));
  if (to === 'tf32') return tf32(values[0] as number);
  const small = singleOf(to);
  /** What is given, the upper number of two first where there are two operands. */
  const given: readonly (number | bigint)[] = isSmall(from)
    ? partsIn(from, values[0] as bigint).map((bits) => numberOfBits(singleOf(from), bits))
    : values.length === 2
      ? [values[1] as number, values[0] as number]
      : [from.startsWith('f') ? (values[0] as number) : numbered(from, values[0]!)];
  if (!(small in layouts)) return wideOf(words, to, whole, given[0] as number);
  const parts = given.map((one) => {
    let value: number;
    if (typeof one === 'bigint')
      value = one === 0n ? 0 : mode === 'rn' ? rounded(one, 0, small) : directed(mode, small, one, 0);
    else {
      const read =
        words.includes('ftz') && from === 'f32' && small === 'bf16'
          ? Math.abs(one) < 2 ** -126
            ? isNegative(one)
              ? -0
              : 0
            : one
          : one;
      value = whole ? wholeReal(whole, read) : asType(small, mode, read);
    }
    if (words.includes('relu')) value = rectified(value);
    if (words.includes('sat')) value = clipped(value);
    if (words.includes('satfinite') && !Number.isNaN(value))
      value = Math.min(mostOf(small), Math.max(-mostOf(small), value));
    return bitsOfNumber(small, value);
  });
  return joinedParts(to, parts);
}

const mostOf = (type: string): number =>
  ({ f16: 65504, bf16: (2 - 2 ** -7) * 2 ** 127, e4m3: 448, e5m2: 57344 })[type]!;

/** A number of 16 bits as a wider real or an integer. */
function wideOf(words: readonly string[], to: string, mode: string | undefined, value: number): Value {
  if (to.startsWith('f')) return words.includes('sat') ? clipped(value) : value;
  // As a GPU answers: the least number of 64 bits with a sign.
  if (Number.isNaN(value)) return widthOf(to) === 64 ? 1n << 63n : 0n;
  const width = BigInt(widthOf(to));
  const [least, most] = to.startsWith('s')
    ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
    : [0n, (1n << width) - 1n];
  if (!Number.isFinite(value)) return value < 0 ? least : most;
  const number = BigInt(wholeReal(mode!, value));
  return number < least ? least : number > most ? most : number;
}

/** A real without its fraction. */
function wholeReal(mode: string, value: number): number {
  if (!Number.isFinite(value)) return value;
  const down = Math.floor(value);
  const rest = value - down;
  const result = {
    rmi: down,
    rpi: Math.ceil(value),
    rzi: Math.trunc(value),
    rni: rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down,
  }[mode]!;
  return result === 0 && isNegative(value) ? -0 : result;
}

/** A single with ten bits of fraction: the nearest, of two the one away from zero. */
function tf32(value: number): bigint {
  if (Number.isNaN(value)) return 0x7fff_ffffn;
  const bits = bitsOfReal('f32', value);
  if (!Number.isFinite(value)) return bits;
  const [size, sign] = [bits & 0x7fff_ffffn, bits & 0x8000_0000n];
  const kept = (size >> 13n) + ((size >> 12n) & 1n);
  return sign | (kept << 13n);
}

/** The result of an instruction on such types; undefined for one that this reader does not know. */
export function smallResult(
  base: string,
  words: readonly string[],
  types: readonly string[],
  args: readonly Value[],
): Value | undefined {
  const [type = ''] = types;
  if (base === 'cvt') return converted(words, types as readonly [string, string], args);
  if (base === 'set') {
    const of = types[1]!;
    const holds = comparedSmall(words, of, args);
    const yes = { f16: 0x3c00n, bf16: 0x3f80n }[singleOf(type)];
    if (yes !== undefined)
      return joinedParts(
        type,
        holds.map((one) => (one ? yes : 0n)),
      );
    // An integer has all its bits, or those of a half for each of two.
    const ones = isTwo(of) ? 0xffffn : (1n << BigInt(widthOf(type))) - 1n;
    return holds.reduce((sum, one, at) => sum | (one ? ones << BigInt(16 * at) : 0n), 0n);
  }
  if (base === 'setp') return comparedSmall(words, type, args)[0];
  const one = singleOf(type);
  const operands = args.map((bits) => partsIn(type, bits as bigint));
  const parts = operands[0]!.map((_, at) =>
    operated(
      base,
      words,
      one,
      operands.map((all) => all[at]!),
    ),
  );
  return parts.some((part) => part === undefined) ? undefined : joinedParts(type, parts as readonly bigint[]);
}
