import { longBits, longMask, type Word } from './word.ts';

/** The functions of the integer ALU, in the order of the grammar (GRAPE specification 2.7, 3.2). */
export const aluOps = [
  'add',
  'sub',
  'inc',
  'dec',
  'not',
  'and',
  'or',
  'xor',
  'max',
  'min',
  'passa',
  'passb',
  'lsl',
  'lsr',
  'bsl',
  'bsr',
  'lnot',
] as const;

/** A function of the integer ALU. */
export type AluFunction = (typeof aluOps)[number];

/** Applies a function of the integer ALU to two long words, modulo 2^72 (GRAPE specification 2.7). */
export function alu(op: AluFunction, signed: boolean, a: Word, b: Word): Word {
  switch (op) {
    case 'add':
      return (a + b) & longMask;
    case 'sub':
      return (a - b) & longMask;
    case 'inc':
      return (a + 1n) & longMask;
    case 'dec':
      return (a - 1n) & longMask;
    case 'not':
      return a ^ longMask;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'max':
      return less(a, b, signed) ? b : a;
    case 'min':
      return less(a, b, signed) ? a : b;
    case 'passa':
      return a;
    case 'passb':
      return b;
    case 'lsl':
      return b >= longBits ? 0n : (a << b) & longMask;
    case 'lsr':
      return shiftedRight(a, b, signed);
    case 'bsl':
      return rotatedLeft(a, b % longBits);
    case 'bsr':
      return rotatedLeft(a, (longBits - (b % longBits)) % longBits);
    case 'lnot':
      return a === 0n ? 1n : 0n;
  }
}

function less(a: Word, b: Word, signed: boolean): boolean {
  return signed ? BigInt.asIntN(72, a) < BigInt.asIntN(72, b) : a < b;
}

function shiftedRight(a: Word, count: bigint, signed: boolean): Word {
  if (!signed) return count >= longBits ? 0n : a >> count;
  return (BigInt.asIntN(72, a) >> (count >= longBits ? longBits : count)) & longMask;
}

const rotatedLeft = (a: Word, count: bigint): Word => ((a << count) | (a >> (longBits - count))) & longMask;
