import { compared, joined } from './plain-comparisons.ts';
import { piecesResult } from './plain-pieces.ts';
import { isSmall, smallResult } from './plain-small-reals.ts';
import {
  bitsOf,
  bitsOfReal,
  directed,
  directedFused,
  directedQuotient,
  directedRoot,
  exact,
  flushed,
  fused,
  held,
  isReal,
  least,
  magnitude,
  most,
  numbered,
  numberOf,
  rounded,
  single,
  type Value,
  widthOf,
} from './plain-values.ts';

/*
 * What PTX instructions make of their operands, from chiplet specification 7.1 alone: integers as bigints, reals as numbers, predicates as booleans.
 * Nothing of the instruction set of the machine is shared.
 */

function converted(words: readonly string[], to: string, from: string, value: Value): Value {
  const flushes = words.includes('ftz');
  const mode = words.find((word) => word.startsWith('r'));
  if (isReal(from)) {
    const real = flushes && from === 'f32' ? flushed(value as number) : (value as number);
    if (isReal(to)) {
      const near = mode?.endsWith('i') ? single(to, whole(mode, real)) : towards(mode, to, real);
      const kept = words.includes('sat') ? saturated(near) : near;
      return flushes && to === 'f32' ? flushed(kept) : kept;
    }
    // No number is 0 where both ends have at most 32 bits, else the highest bit alone.
    if (Number.isNaN(real)) return from === 'f32' && widthOf(to) < 64 ? 0n : 1n << BigInt(widthOf(to) - 1);
    if (!Number.isFinite(real)) return real < 0 ? least(to) : most(to);
    return held(to, BigInt(whole(mode ?? 'rzi', real)));
  }
  const number = numbered(from, value);
  if (isReal(to)) {
    const near = mode === 'rn' || number === 0n ? rounded(number, 0, to) : directed(mode!, to, number, 0);
    return words.includes('sat') ? saturated(near) : near;
  }
  return words.includes('sat') ? held(to, number) : numbered(to, number);
}

/** A real held between 0 and 1; what is no number is 0. */
const saturated = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)));

function whole(mode: string, real: number): number {
  switch (mode) {
    case 'rmi':
      return Math.floor(real);
    case 'rpi':
      return Math.ceil(real);
    case 'rni': {
      const down = Math.floor(real);
      const rest = real - down;
      const near = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
      // What becomes zero keeps its sign.
      return near === 0 && real < 0 ? -0 : near;
    }
    default:
      return Math.trunc(real);
  }
}

/** A double as a real of a type, rounded in a direction. */
function towards(mode: string | undefined, to: string, real: number): number {
  if (mode === undefined || mode === 'rn' || real === 0 || !Number.isFinite(real)) return single(to, real);
  const [m, e] = exact(real);
  return directed(mode, to, m, e);
}

const byteRows: Readonly<Record<string, readonly string[]>> = {
  f4e: ['3210', '4321', '5432', '6543'],
  b4e: ['5670', '6701', '7012', '0123'],
  rc8: ['0000', '1111', '2222', '3333'],
  ecl: ['3210', '3211', '3222', '3333'],
  ecr: ['0000', '1110', '2210', '3210'],
  rc16: ['1010', '3232', '1010', '3232'],
};

function permuted(mode: string | undefined, a: bigint, b: bigint, selector: bigint): bigint {
  const bytes = Array.from({ length: 8 }, (_, at) => ((at < 4 ? a : b) >> BigInt(8 * (at % 4))) & 255n);
  const row = mode && byteRows[mode]![Number(selector & 3n)]!;
  return [0, 1, 2, 3].reduce((sum, at) => {
    const nibble = row ? Number(row[3 - at]) : Number((selector >> BigInt(4 * at)) & 15n);
    const byte = bytes[nibble % 8]!;
    const taken = nibble >= 8 ? (byte >> 7n === 1n ? 255n : 0n) : byte;
    return sum | (taken << BigInt(8 * at));
  }, 0n);
}

/** The result of an instruction as its words name it; undefined for one that this reader does not know. */
export function resultOf(
  base: string,
  words: readonly string[],
  types: readonly string[],
  args: readonly Value[],
): Value | undefined {
  const type = types[0] ?? '';
  const width = widthOf(type);
  const [a, b, c] = args;
  if (type === 'pred' && ['and', 'or', 'xor', 'not', 'mov'].includes(base))
    return base === 'not' ? !a : base === 'mov' ? a : joined(base, a as boolean, b as boolean);
  if (types.some(isSmall) && !['mov', 'selp'].includes(base)) return smallResult(base, words, types, args);
  if (base === 'setp' || base === 'set') {
    const [word, join] = words.filter((one) => one !== 'ftz');
    const of = types.at(-1)!;
    const [x, y] = [a!, b!].map((one) =>
      words.includes('ftz') && of === 'f32' ? flushed(one as number) : one,
    );
    const holds = joined(join, compared(word!, of, x!, y!), c as boolean);
    if (base === 'setp') return holds;
    return type === 'f32' ? (holds ? 1 : 0) : holds ? (1n << 32n) - 1n : 0n;
  }
  switch (base) {
    case 'mov':
      return a;
    case 'cvt':
      return converted(words, types[0]!, types[1]!, a!);
    case 'selp':
      return c ? a : b;
    case 'slct':
      return (types[1] === 'f32' ? (c as number) >= 0 : numbered('s32', c!) >= 0n) ? a : b;
  }
  return isReal(type)
    ? real(base, words, type, args as readonly number[])
    : integer(base, words, types, width, args as readonly bigint[]);
}

function real(
  base: string,
  words: readonly string[],
  type: string,
  args: readonly number[],
): number | boolean | undefined {
  if (type !== 'f32' || !words.includes('ftz')) return unflushed(base, words, type, args);
  const result = unflushed(base, words, type, args.map(flushed));
  return typeof result === 'number' ? flushed(result) : result;
}

function unflushed(
  base: string,
  words: readonly string[],
  type: string,
  [a = 0, b = 0, c = 0]: readonly number[],
): number | boolean | undefined {
  const mode = words.find((word) => ['rz', 'rm', 'rp'].includes(word));
  const clipped = (value: number): number => (words.includes('sat') ? saturated(value) : value);
  if (mode !== undefined)
    switch (base) {
      case 'add':
        return clipped(directedFused(mode, type, a, 1, b));
      case 'sub':
        return clipped(directedFused(mode, type, a, 1, -b));
      case 'mul':
        return clipped(a === 0 || b === 0 ? a * b : directedFused(mode, type, a, b, a * b < 0 ? -0 : 0));
      case 'fma':
      case 'mad':
        return clipped(directedFused(mode, type, a, b, c));
      case 'div':
        return directedQuotient(mode, type, a, b);
      case 'rcp':
        return directedQuotient(mode, type, 1, a);
      case 'sqrt':
        return directedRoot(mode, type, a);
      default:
        return undefined;
    }
  const isNaNKept = words.includes('NaN') && (Number.isNaN(a) || Number.isNaN(b));
  switch (base) {
    case 'ex2':
      return single(type, 2 ** a);
    case 'lg2':
      return single(type, Math.log2(a));
    case 'sin':
      return single(type, Math.sin(a));
    case 'cos':
      return single(type, Math.cos(a));
    case 'tanh':
      return single(type, Math.tanh(a));
    case 'rsqrt':
      return single(type, 1 / Math.sqrt(a));
    case 'add':
      return clipped(single(type, a + b));
    case 'sub':
      return clipped(single(type, a - b));
    case 'mul':
      return clipped(single(type, a * b));
    case 'div':
      return single(type, a / b);
    case 'mad':
    case 'fma':
      return clipped(fused(type, a, b, c));
    case 'neg':
      return -a;
    case 'abs':
      return Math.abs(a);
    case 'min':
      if (isNaNKept) return Number.NaN;
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
    case 'max':
      if (isNaNKept) return Number.NaN;
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
    case 'sqrt':
      return single(type, Math.sqrt(a));
    case 'rcp':
      return single(type, 1 / a);
    case 'copysign':
      return bitsOfReal(type, a) >> BigInt(widthOf(type) - 1) === 1n ? -Math.abs(b) : Math.abs(b);
    case 'testp':
      return {
        finite: Number.isFinite(a),
        infinite: Math.abs(a) === Number.POSITIVE_INFINITY,
        number: !Number.isNaN(a),
        notanumber: Number.isNaN(a),
        // A zero is a normal number.
        normal: Number.isFinite(a) && (a === 0 || Math.abs(a) >= (type === 'f32' ? 2 ** -126 : 2 ** -1022)),
        subnormal: a !== 0 && Math.abs(a) < (type === 'f32' ? 2 ** -126 : 2 ** -1022),
      }[words[0]!];
    default:
      return undefined;
  }
}

function integer(
  base: string,
  words: readonly string[],
  types: readonly string[],
  width: number,
  args: readonly bigint[],
): bigint | undefined {
  const [type = ''] = types;
  const inPieces = piecesResult(base, words, types, args);
  if (inPieces !== undefined) return inPieces;
  const [a = 0n, b = 0n, c = 0n] = args.map((one) => (typeof one === 'bigint' ? numbered(type, one) : 0n));
  const raw = args.map((one) => (typeof one === 'bigint' ? BigInt.asUintN(width, one) : 0n)) as [
    bigint,
    bigint,
    bigint,
  ];
  const product = (): bigint => (words.includes('hi') ? (a * b) >> BigInt(width) : a * b);
  const small = (value: bigint): bigint =>
    type.startsWith('s') ? BigInt.asIntN(24, value) : BigInt.asUintN(24, value);
  const amount = (): number => Math.min(width, Number(BigInt.asUintN(32, args[1]!)));
  // Place and length of a field are bytes, says the manual; of 64 bits a GPU takes all of the operand.
  const fieldMask = width === 64 ? 0xffff_ffffn : 255n;
  switch (base) {
    case 'add':
      return words.includes('sat') ? held(type, a + b) : a + b;
    case 'sub':
      return words.includes('sat') ? held(type, a - b) : a - b;
    case 'mul':
      return product();
    case 'mad':
      return words.includes('wide') ? a * b + args[2]! : product() + c;
    case 'mul24':
      return words.includes('hi') ? (small(a) * small(b)) >> 16n : small(a) * small(b);
    case 'mad24':
      return (words.includes('hi') ? (small(a) * small(b)) >> 16n : small(a) * small(b)) + c;
    case 'div':
      return b === 0n ? -1n : a / b;
    case 'rem':
      return b === 0n ? -1n : a % b;
    case 'min':
    case 'max': {
      const one = a < b === (base === 'min') ? a : b;
      return words.includes('relu') && one < 0n ? 0n : one;
    }
    case 'sad':
      return c + magnitude(a - b);
    case 'abs':
      return magnitude(a);
    case 'neg':
      return -a;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'not':
      return ~a;
    case 'cnot':
      return a === 0n ? 1n : 0n;
    case 'shl':
      return raw[0] << BigInt(amount());
    case 'shr':
      return a >> BigInt(amount());
    case 'popc':
      return BigInt(bitsOf(raw[0], width).filter((bit) => bit === 1).length);
    case 'clz':
      return BigInt(width - (raw[0] === 0n ? 0 : raw[0].toString(2).length));
    case 'brev':
      return numberOf([...bitsOf(raw[0], width)].reverse());
    case 'bfe': {
      const [from, length] = [Number(args[1]! & fieldMask), Number(args[2]! & fieldMask)];
      const bits = bitsOf(raw[0], width);
      const sign = type.startsWith('u') || length === 0 ? 0 : bits[Math.min(from + length - 1, width - 1)]!;
      return numberOf(
        Array.from({ length: width }, (_, at) =>
          at < length && from + at < width ? bits[from + at]! : sign,
        ),
      );
    }
    case 'bfi': {
      const [from, length] = [Number(args[2]! & fieldMask), Number(args[3]! & fieldMask)];
      const [field, into] = [bitsOf(raw[0], width), bitsOf(raw[1], width)];
      return numberOf(into.map((bit, at) => (at >= from && at < from + length ? field[at - from]! : bit)));
    }
    case 'bfind': {
      const searched = BigInt.asUintN(width, a < 0n ? ~a : a);
      const found = searched.toString(2).length - 1;
      if (searched === 0n) return (1n << 32n) - 1n;
      return BigInt(words.includes('shiftamt') ? width - 1 - found : found);
    }
    case 'prmt':
      return permuted(words[0], raw[0], raw[1], raw[2]);
    case 'lop3':
      return numberOf(
        Array.from({ length: 32 }, (_, at) => {
          const [x, y, z] = raw.slice(0, 3).map((one) => Number((one >> BigInt(at)) & 1n)) as [
            number,
            number,
            number,
          ];
          return (Number(args[3]!) >> (4 * x + 2 * y + z)) & 1;
        }),
      );
    case 'shf': {
      const count = BigInt.asUintN(32, args[2]!);
      const n = words.includes('wrap') ? count & 31n : count > 32n ? 32n : count;
      const both = (raw[1] << 32n) | raw[0];
      return words.includes('l') ? ((both << n) >> 32n) & 0xffff_ffffn : (both >> n) & 0xffff_ffffn;
    }
    default:
      return undefined;
  }
}
