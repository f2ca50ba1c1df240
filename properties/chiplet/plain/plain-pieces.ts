/*
 * What PTX instructions make of parts of words: bytes and half words, fields of bits (PTX ISA, video instructions, dp4a, dp2a, bmsk, szext, fns). Nothing of the
 * instruction set of the machine is shared.
 */

/** A word, and the part of it that is meant: `b0` to `b3`, `h0`, `h1`, or all of it. */
export interface Piece {
  readonly bits: bigint;
  readonly part?: string | undefined;
}

const isSigned = (type: string): boolean => type.startsWith('s');
const asNumber = (signed: boolean, width: number, bits: bigint): bigint =>
  signed ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
const placeOf = (part: string | undefined): readonly [first: number, width: number] => {
  if (part === undefined) return [0, 32];
  const width = part.startsWith('b') ? 8 : 16;
  return [width * Number(part[1]), width];
};
const taken = (signed: boolean, first: number, width: number, bits: bigint): bigint =>
  asNumber(signed, width, bits >> BigInt(first));
const clamped = (signed: boolean, width: number, value: bigint): bigint => {
  const top = 1n << BigInt(signed ? width - 1 : width);
  const low = signed ? -top : 0n;
  if (value < low) return low;
  return value >= top ? top - 1n : value;
};

/** What a name does to two numbers. */
function step(what: string, a: bigint, b: bigint): bigint {
  switch (what) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'absdiff':
      return a > b ? a - b : b - a;
    case 'min':
      return a < b ? a : b;
    case 'max':
      return a > b ? a : b;
    case 'avrg':
      return (a + b + (a + b >= 0n ? 1n : 0n)) >> 1n;
    case 'shl':
      return a << b;
    case 'shr':
      return a >> b;
    default: {
      const holds = { eq: a === b, ne: a !== b, lt: a < b, le: a <= b, gt: a > b, ge: a >= b }[what]!;
      return holds ? 1n : 0n;
    }
  }
}

/** True for the name of a video instruction. */
export const isVideo = (base: string): boolean =>
  /^v(add|sub|absdiff|avrg|min|max|shl|shr|set|mad)[24]?$/.test(base);

/** The result of a video instruction; `into` is the part of the target that it goes to. */
export function videoResult(
  base: string,
  words: readonly string[],
  types: readonly string[],
  into: string | undefined,
  [a, b, c]: readonly Piece[],
): bigint {
  const [, name, count] = /^v([a-z]+)([24])?$/.exec(base)!;
  const compares = name === 'set';
  const [to, from, by] = compares
    ? ['u32', types[0]!, types[1]!]
    : (types as readonly [string, string, string]);
  const what = compares ? words.find((word) => /^(eq|ne|lt|le|gt|ge)$/.test(word))! : name!;
  const [sign, signA, signB] = [to, from, by].map(isSigned) as [boolean, boolean, boolean];
  if (name === 'mad') return product(words, [signA, signB], a!, b!, c!);
  if (count !== undefined)
    return inParts(what, 32 / Number(count), words, [sign, signA, signB], a!.bits, b!.bits, c!.bits);
  const [x, y] = [taken(signA, ...placeOf(a!.part), a!.bits), taken(signB, ...placeOf(b!.part), b!.bits)];
  const amount = words.includes('wrap') ? y & 31n : words.includes('clamp') && y > 32n ? 32n : y;
  const [first, width] = placeOf(into);
  const result = step(what, x, amount);
  const held = words.includes('sat') ? clamped(sign, width, result) : result;
  if (into !== undefined) {
    const mask = ((1n << BigInt(width)) - 1n) << BigInt(first);
    return (c!.bits & ~mask) | ((held << BigInt(first)) & mask);
  }
  const second = words.find((word) => /^(add|min|max)$/.test(word));
  return second === undefined ? held : step(second, asNumber(sign, 32, held), asNumber(sign, 32, c!.bits));
}

/** vmad: the final result is signed where a factor is. */
function product(
  words: readonly string[],
  [signA, signB]: readonly [boolean, boolean],
  a: Piece,
  b: Piece,
  c: Piece,
): bigint {
  const sign = signA || signB;
  const [x, y] = [taken(signA, ...placeOf(a.part), a.bits), taken(signB, ...placeOf(b.part), b.bits)];
  const sum = x * y + asNumber(sign, 32, c.bits) + (words.includes('po') ? 1n : 0n);
  const scaled = sum >> (words.includes('shr7') ? 7n : words.includes('shr15') ? 15n : 0n);
  return words.includes('sat') ? clamped(sign, 32, scaled) : scaled;
}

/** The same on each part of two words. */
function inParts(
  what: string,
  width: number,
  words: readonly string[],
  [sign, signA, signB]: readonly [boolean, boolean, boolean],
  a: bigint,
  b: bigint,
  c: bigint,
): bigint {
  const firsts = Array.from({ length: 32 / width }, (_, at) => at * width);
  const results = firsts.map((first) => {
    const one = step(what, taken(signA, first, width, a), taken(signB, first, width, b));
    return words.includes('sat') ? clamped(sign, width, one) : one;
  });
  if (words.includes('add')) return results.reduce((sum, one) => sum + one, c);
  return results.reduce((sum, one, at) => sum | (BigInt.asUintN(width, one) << BigInt(firsts[at]!)), 0n);
}

/** The result of an instruction on fields and rows; undefined for one that this reader does not know. */
export function piecesResult(
  base: string,
  words: readonly string[],
  types: readonly string[],
  args: readonly bigint[],
): bigint | undefined {
  const [a = 0n, b = 0n, c = 0n] = args;
  const [type = '', other = ''] = types;
  switch (base) {
    case 'dp4a':
      return [0, 8, 16, 24].reduce(
        (sum, at) => sum + taken(isSigned(type), at, 8, a) * taken(isSigned(other), at, 8, b),
        c,
      );
    case 'dp2a': {
      const from = words.includes('hi') ? 16 : 0;
      return [0, 1].reduce(
        (sum, at) =>
          sum + taken(isSigned(type), 16 * at, 16, a) * taken(isSigned(other), from + 8 * at, 8, b),
        c,
      );
    }
    case 'bmsk': {
      const [from, count] = [a, b].map((one) => held32(words, one)) as [bigint, bigint];
      return ((1n << count) - 1n) << from;
    }
    case 'szext': {
      const count = Number(held32(words, b));
      return count === 0 ? 0n : asNumber(isSigned(type), count, a);
    }
    case 'fns':
      return nthSet(BigInt.asUintN(32, a), BigInt.asUintN(32, b), BigInt.asIntN(32, c));
    case 'add':
    case 'min':
    case 'max': {
      if (!type.endsWith('16x2')) break;
      return [0, 16].reduce((sum, at) => {
        const one = step(base, taken(isSigned(type), at, 16, a), taken(isSigned(type), at, 16, b));
        const kept = words.includes('relu') && one < 0n ? 0n : one;
        return sum | (BigInt.asUintN(16, kept) << BigInt(at));
      }, 0n);
    }
  }
  return undefined;
}

const held32 = (words: readonly string[], value: bigint): bigint => {
  const count = BigInt.asUintN(32, value);
  return words.includes('wrap') ? count & 31n : count > 32n ? 32n : count;
};

/** The place of the n-th bit that is set, from a place on up or down; all ones where there is none. */
function nthSet(mask: bigint, base: bigint, offset: bigint): bigint {
  const none = 0xffff_ffffn;
  const isSet = (at: number): boolean => at >= 0 && at < 32 && ((mask >> BigInt(at)) & 1n) === 1n;
  if (offset === 0n) return isSet(Number(base)) ? base : none;
  const inc = offset > 0n ? 1 : -1;
  let count = Math.abs(Number(offset));
  for (let at = Number(base); at >= 0 && at < 32; at += inc)
    if (isSet(at) && --count === 0) return BigInt(at);
  return none;
}
