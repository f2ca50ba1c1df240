/*
 * Work of the video instructions (PTX ISA, video instructions) on words, half words and bytes. Intermediate results are exact.
 */

/** The part of a word that a selector of a scalar video instruction names: its first bit and its bits; undefined for none of a word. */
export const partOf = (part: string | undefined): readonly [first: number, bits: number] | undefined => {
  if (part === undefined) return [0, 32];
  const bits = part.startsWith('b') ? 8 : 16;
  const [at, ...more] = partsOf(part, bits)!;
  return at! * bits >= 32 || more.length > 0 ? undefined : [at! * bits, bits];
};

/** The parts of so many bits that a selector names, the lowest first: `.h10` is 0, 1; undefined for a selector of others. */
export const partsOf = (part: string, bits: 8 | 16): readonly number[] | undefined =>
  part.startsWith(bits === 8 ? 'b' : 'h') ? [...part.slice(1)].reverse().map(Number) : undefined;

/** A part of a word as a number, by its sign or without. */
export function takenPart(value: number, first: number, bits: number, signed: boolean): number {
  const moved = (value >>> first) << (32 - bits);
  return signed ? moved >> (32 - bits) : moved >>> (32 - bits);
}

/** A number held within so many bits. */
export function heldPart(value: number, bits: number, signed: boolean): number {
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const most = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return Math.max(least, Math.min(most, value));
}

/** `value` put into a part of `other`. */
export function mergedPart(value: number, other: number, first: number, bits: number): number {
  const mask = bits === 32 ? -1 : ((1 << bits) - 1) << first;
  return (other & ~mask) | ((value << first) & mask);
}

/** What each name does to two numbers. */
export function videoStep(what: string, a: number, b: number): number {
  switch (what) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'absdiff':
      return Math.abs(a - b);
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'avrg':
      return Math.floor((a + b + (a + b >= 0 ? 1 : 0)) / 2);
    case 'shl':
      return a * 2 ** b;
    case 'shr':
      return Math.floor(a / 2 ** b);
    case 'eq':
      return a === b ? 1 : 0;
    case 'ne':
      return a !== b ? 1 : 0;
    case 'lt':
      return a < b ? 1 : 0;
    case 'le':
      return a <= b ? 1 : 0;
    case 'gt':
      return a > b ? 1 : 0;
    default:
      return a >= b ? 1 : 0;
  }
}

/** What is done on the parts of two words. */
export interface PartsWay {
  readonly what: string;
  readonly bits: 8 | 16;
  readonly signs: { readonly a: boolean; readonly b: boolean; readonly d: boolean };
  /** Which of the parts of both words are the operands of each step, and which parts of the result are made. */
  readonly parts: {
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly d: readonly number[];
  };
  readonly holds: boolean;
  /** Results are summed up onto the fourth operand, else put into it. */
  readonly adds: boolean;
}

/** The same on parts of two words. */
export function videoParts(
  { what, bits, signs, parts, holds, adds }: PartsWay,
  a: number,
  b: number,
  c: number,
): number {
  const taken = (at: number, signed: boolean): number =>
    takenPart(at * bits < 32 ? a : b, (at * bits) & 31, bits, signed);
  let result = c;
  for (const at of parts.d) {
    const exact = videoStep(what, taken(parts.a[at]!, signs.a), taken(parts.b[at]!, signs.b));
    const one = holds ? heldPart(exact, bits, signs.d) : exact;
    result = adds ? (result + one) | 0 : mergedPart(one, result, at * bits, bits);
  }
  return result;
}

/** The bit of `mask` that is the `offset`th one set from `base` on, upwards or downwards; all ones when there is none (PTX ISA, fns). */
export function nthSetBit(mask: number, base: number, offset: number): number {
  const step = offset < 0 ? -1 : 1;
  let left = Math.max(0, Math.abs(offset) - 1);
  for (let at = base; at >= 0 && at < 32; at += step) {
    if ((mask >>> at) & 1) {
      if (left === 0) return at;
      left--;
    }
    if (offset === 0) return -1;
  }
  return -1;
}

/** The same on both half words: sums as they wrap, or the smaller or larger ones. */
export function halfWords(what: 'add' | 'min' | 'max', a: number, b: number, signed: boolean): number {
  const one = (first: number): number =>
    videoStep(what, takenPart(a, first, 16, signed), takenPart(b, first, 16, signed)) & 0xffff;
  return one(0) | (one(16) << 16);
}

/** Both half words with negative ones at zero. */
export const rectifiedHalves = (value: number): number =>
  (value & 0x8000 ? 0 : value & 0xffff) | (value < 0 ? 0 : value & -65536);

/** a * b + c of a video multiply-add, shifted right and held in 32 bits (PTX ISA, vmad); beyond 53 bits it is exact as well. */
export function videoProduct(
  a: number,
  b: number,
  c: number,
  shift: number,
  more: number,
  signed: boolean,
  holds: boolean,
): number {
  const exact = (BigInt(a) * BigInt(b) + BigInt(c) + BigInt(more)) >> BigInt(shift);
  if (!holds) return Number(BigInt.asIntN(32, exact));
  const least = signed ? -(1n << 31n) : 0n;
  const most = signed ? (1n << 31n) - 1n : (1n << 32n) - 1n;
  const held = exact < least ? least : exact > most ? most : exact;
  return Number(held) | 0;
}
