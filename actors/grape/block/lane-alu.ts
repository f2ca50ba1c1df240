import type { AluFunction } from '../arithmetic/alu.ts';
import { half, type Planes } from './planes.ts';

/** The functions that work on planes; the others go word by word. */
const laneFunctions = [
  'add',
  'sub',
  'and',
  'or',
  'xor',
  'not',
  'passa',
  'passb',
  'lsl',
  'lsr',
  'inc',
  'dec',
] as const;

/** A function of the ALU that works on planes. */
export type LaneFunction = (typeof laneFunctions)[number];

/** True when a function works on planes; a signed shift to the right does not. */
export const worksOnLanes = (op: AluFunction, signed: boolean): op is LaneFunction =>
  (laneFunctions as readonly string[]).includes(op) && !(op === 'lsr' && signed);

/** Applies an ALU function to the words of two planes, modulo 2^72 (GRAPE specification 2.7). */
export function aluLanes(
  op: LaneFunction,
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
): void {
  switch (op) {
    case 'add':
    case 'inc':
      for (let lane = 0; lane < count; lane++) {
        const one = op === 'inc';
        const low = a.low[atA + lane]! + (one ? 1 : b.low[atB + lane]!);
        const high = a.high[atA + lane]! + (one ? 0 : b.high[atB + lane]!) + (low >>> 30);
        result.low[from + lane] = low & half;
        result.high[from + lane] = high & half;
        result.se[from + lane] = (a.se[atA + lane]! + (one ? 0 : b.se[atB + lane]!) + (high >>> 30)) & 0xfff;
      }
      return;
    case 'sub':
    case 'dec':
      for (let lane = 0; lane < count; lane++) {
        const one = op === 'dec';
        const low = a.low[atA + lane]! - (one ? 1 : b.low[atB + lane]!);
        const high = a.high[atA + lane]! - (one ? 0 : b.high[atB + lane]!) + (low >> 30);
        result.low[from + lane] = low & half;
        result.high[from + lane] = high & half;
        result.se[from + lane] = (a.se[atA + lane]! - (one ? 0 : b.se[atB + lane]!) + (high >> 30)) & 0xfff;
      }
      return;
    case 'lsl':
    case 'lsr':
      shiftLanes(op === 'lsl', a, atA, b, atB, result, from, count);
      return;
    default:
      bitwise(op, a.se, atA, b.se, atB, result.se, from, count, 0xfff);
      bitwise(op, a.high, atA, b.high, atB, result.high, from, count, half);
      bitwise(op, a.low, atA, b.low, atB, result.low, from, count, half);
  }
}

function bitwise(
  op: 'and' | 'or' | 'xor' | 'not' | 'passa' | 'passb',
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  result: Int32Array,
  from: number,
  count: number,
  mask: number,
): void {
  switch (op) {
    case 'and':
      for (let lane = 0; lane < count; lane++) result[from + lane] = a[atA + lane]! & b[atB + lane]!;
      return;
    case 'or':
      for (let lane = 0; lane < count; lane++) result[from + lane] = a[atA + lane]! | b[atB + lane]!;
      return;
    case 'xor':
      for (let lane = 0; lane < count; lane++) result[from + lane] = a[atA + lane]! ^ b[atB + lane]!;
      return;
    case 'not':
      for (let lane = 0; lane < count; lane++) result[from + lane] = a[atA + lane]! ^ mask;
      return;
    case 'passa':
      for (let lane = 0; lane < count; lane++) result[from + lane] = a[atA + lane]!;
      return;
    case 'passb':
      for (let lane = 0; lane < count; lane++) result[from + lane] = b[atB + lane]!;
  }
}

/** Shifts words by the whole counts in the others; 72 and more give 0. */
function shiftLanes(
  left: boolean,
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
): void {
  // Digits of 12 bits, the lowest first, between zeros: shifted by whole digits, then by the rest.
  const digits = new Int32Array(20);
  for (let lane = 0; lane < count; lane++) {
    const high = a.high[atA + lane]!;
    const low = a.low[atA + lane]!;
    digits[7] = low & 0xfff;
    digits[8] = (low >>> 12) & 0xfff;
    digits[9] = (low >>> 24) | ((high & 0x3f) << 6);
    digits[10] = (high >>> 6) & 0xfff;
    digits[11] = high >>> 18;
    digits[12] = a.se[atA + lane]!;
    const wide = b.se[atB + lane] !== 0 || b.high[atB + lane] !== 0 || b.low[atB + lane]! >= 72;
    const by = wide ? 72 : b.low[atB + lane]!;
    const whole = Math.floor(by / 12);
    const rest = by - 12 * whole;
    // A shift to the left by the rest is one to the right by 12 less the rest, one digit lower.
    const first = left ? 7 - whole - 1 : 7 + whole;
    const down = left ? 12 - rest : rest;
    const d0 = pair(digits, first, down);
    const d1 = pair(digits, first + 1, down);
    const d2 = pair(digits, first + 2, down);
    const at = from + lane;
    result.se[at] = pair(digits, first + 5, down);
    result.high[at] =
      (pair(digits, first + 4, down) << 18) | (pair(digits, first + 3, down) << 6) | (d2 >>> 6);
    result.low[at] = ((d2 & 0x3f) << 24) | (d1 << 12) | d0;
  }
}

/** Twelve bits of two neighbouring digits, `down` bits above the lower end. */
function pair(digits: Int32Array, at: number, down: number): number {
  return ((digits[at]! | (digits[at + 1]! << 12)) >>> down) & 0xfff;
}
