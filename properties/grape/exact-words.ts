/*
 * What the words of the chip stand for, in exact integers, written from GRAPE specification 2 alone: it shares nothing with the arithmetic of
 * the machine. A word with exponent field e and significand M stands for M * 2^e in units of 2^-1083.
 */

const fraction = (1n << 60n) - 1n;
const everyBit = (1n << 72n) - 1n;
const exponentOf = (word: bigint): bigint => (word >> 60n) & 0x7ffn;
const isNegative = (word: bigint): boolean => word >> 71n === 1n;
const lengthOf = (value: bigint): bigint => BigInt(value.toString(2).length);
const signBit = (negative: boolean): bigint => (negative ? 1n << 71n : 0n);

/** value / 2^places as the nearest integer, the even one of two. */
function nearest(value: bigint, places: bigint): bigint {
  if (places <= 0n) return value << -places;
  const unit = 1n << places;
  const rest = value % unit;
  const down = value / unit;
  const twice = 2n * rest;
  return twice > unit || (twice === unit && down % 2n === 1n) ? down + 1n : down;
}

interface Read {
  /** In units of 2^-1083, without its sign. */
  readonly magnitude: bigint;
  readonly negative: boolean;
  /** The exponent that counts for a result that is not normalised. */
  readonly exponent: bigint;
}

function read(word: bigint, normal: boolean): Read {
  const e = exponentOf(word);
  const negative = isNegative(word);
  if (!normal) return { magnitude: (word & fraction) << e, negative, exponent: e };
  if (e === 0n) return { magnitude: 0n, negative, exponent: 0n };
  return { magnitude: ((1n << 60n) | (word & fraction)) << e, negative, exponent: e };
}

/** The word with a hidden bit that is nearest to a magnitude above zero (GRAPE specification 2.3, normRound). */
function rounded(negative: boolean, magnitude: bigint, precision: bigint): bigint {
  let length = lengthOf(magnitude);
  let significand = nearest(magnitude, length - precision);
  if (significand === 1n << precision) {
    significand /= 2n;
    length++;
  }
  const e = length - 61n;
  if (e > 2047n) return signBit(negative) | (0x7ffn << 60n) | fraction;
  if (e < 1n) return signBit(negative);
  return signBit(negative) | (e << 60n) | ((significand << (61n - precision)) & fraction);
}

/** The word without a hidden bit at an exponent, or as far above as it must be (GRAPE specification 2.3, unnormOut). */
function placed(negative: boolean, magnitude: bigint, exponent: bigint, short: boolean): bigint {
  let e = exponent;
  const field = () => (short ? nearest(magnitude, e + 36n) << 36n : magnitude >> e);
  while (field() > fraction) e++;
  if (e > 2047n) return signBit(negative) | (0x7ffn << 60n) | fraction;
  return field() === 0n ? e << 60n : signBit(negative) | (e << 60n) | field();
}

/** The sum of two words under flags A, B, O, rounded to 25 bits or to 61 (GRAPE specification 2.4). */
export function floatSum(a: bigint, b: bigint, flags: string, short: boolean): bigint {
  const left = read(a, !flags.includes('A'));
  const right = read(b, !flags.includes('B'));
  const valued = ({ magnitude, negative }: Read) => (negative ? -magnitude : magnitude);
  const sum = valued(left) + valued(right);
  const magnitude = sum < 0n ? -sum : sum;
  if (flags.includes('O')) {
    const exponent = left.exponent > right.exponent ? left.exponent : right.exponent;
    return placed(sum < 0n, magnitude, exponent, short);
  }
  if (sum === 0n) {
    const bothNegative = left.magnitude === 0n && left.negative && right.negative;
    return signBit(bothNegative);
  }
  return rounded(sum < 0n, magnitude, short ? 25n : 61n);
}

/** What a node of the reduction tree makes of two words (GRAPE specification 2.7, 2.10). */
function combined(op: string, a: bigint, b: bigint, short: boolean): bigint {
  if (op.startsWith('fadd')) return floatSum(a, b, op.slice('fadd'.length), short);
  const valued = (word: bigint) => (op[0] === 'i' ? BigInt.asIntN(72, word) : word);
  switch (op.slice(1)) {
    case 'add':
      return (a + b) & everyBit;
    case 'max':
      return valued(a) >= valued(b) ? a : b;
    case 'min':
      return valued(a) <= valued(b) ? a : b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'passb':
      return b;
    default:
      return a;
  }
}

/**
 * The words of all blocks, in their order, combined as the tree does: neighbours first, an odd one at the end passes up unchanged
 * (GRAPE specification 2.10). `words` has at least one.
 */
export function treeOf(op: string, words: readonly bigint[], short: boolean): bigint {
  if (words.length === 1) return words[0]!;
  const pairs = Array.from({ length: Math.ceil(words.length / 2) }, (_, at) => {
    const [lower, higher] = [words[2 * at]!, words[2 * at + 1]];
    return higher === undefined ? lower : combined(op, lower, higher, short);
  });
  return treeOf(op, pairs, short);
}

/** A word with a hidden bit as the bits of a double (GRAPE specification 2.9). */
function doubleOf(word: bigint): bigint {
  const sign = signBit(isNegative(word)) >> 8n;
  const e = exponentOf(word);
  if (e === 0n) return sign;
  const bits = (e << 52n) + nearest(word & fraction, 8n);
  const infinity = 0x7ffn << 52n;
  return sign | (bits < infinity ? bits : infinity);
}

/**
 * What the host receives of a reduced word, by the name of the conversion (GRAPE specification 2.9). Undefined for a conversion that there is
 * not.
 */
export function hostBits(conversion: string, op: string, word: bigint): readonly bigint[] | undefined {
  switch (conversion) {
    case 'flt72to64': {
      if (!/^fadd.*O/.test(op)) return [doubleOf(word)];
      const { magnitude, negative } = read(word, false);
      return [doubleOf(magnitude === 0n ? signBit(negative) : rounded(negative, magnitude, 61n))];
    }
    case 'flt36to64':
      return [doubleOf((word >> 36n) << 36n)];
    case 'fix72to64l':
      return [word >> 8n];
    case 'fix72to64r':
      return [word & 0xffff_ffff_ffff_ffffn];
    case 'fix72to64w':
      return [word >> 36n, word & 0xf_ffff_ffffn];
    default:
      return undefined;
  }
}
