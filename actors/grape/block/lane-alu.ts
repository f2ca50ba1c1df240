import type { AluFunction } from '../arithmetic/alu.ts';
import { half, type Planes } from './planes.ts';

/** Applies an ALU function to the words of two planes, modulo 2^72 (GRAPE specification 2.7). */
export function aluLanes(
  op: AluFunction,
  signed: boolean,
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
      shiftLanes(op === 'lsl', signed, a, atA, b, atB, result, from, count);
      return;
    case 'bsl':
    case 'bsr':
      rotateLanes(op === 'bsl', a, atA, b, atB, result, from, count);
      return;
    case 'max':
    case 'min':
      chooseLanes(op === 'max', signed, a, atA, b, atB, result, from, count);
      return;
    case 'lnot':
      for (let lane = 0; lane < count; lane++) {
        const at = atA + lane;
        result.low[from + lane] = a.se[at] === 0 && a.high[at] === 0 && a.low[at] === 0 ? 1 : 0;
        result.high[from + lane] = 0;
        result.se[from + lane] = 0;
      }
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

/** The larger or the smaller of two words; with a sign, bit 71 counts as negative. */
function chooseLanes(
  larger: boolean,
  signed: boolean,
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
): void {
  // With the sign turned round, words with a sign are in the order of words without.
  const turned = signed ? 0x800 : 0;
  for (let lane = 0; lane < count; lane++) {
    const [x, y] = [atA + lane, atB + lane];
    const more =
      (a.se[x]! ^ turned) - (b.se[y]! ^ turned) || a.high[x]! - b.high[y]! || a.low[x]! - b.low[y]!;
    const first = more < 0 !== larger;
    result.se[from + lane] = first ? a.se[x]! : b.se[y]!;
    result.high[from + lane] = first ? a.high[x]! : b.high[y]!;
    result.low[from + lane] = first ? a.low[x]! : b.low[y]!;
  }
}

/** Puts the six digits of 12 bits of a word, the lowest first, at a place in a row of digits. */
function spread({ se, high, low }: Planes, lane: number, digits: Int32Array, at: number): void {
  digits[at] = low[lane]! & 0xfff;
  digits[at + 1] = (low[lane]! >>> 12) & 0xfff;
  digits[at + 2] = (low[lane]! >>> 24) | ((high[lane]! & 0x3f) << 6);
  digits[at + 3] = (high[lane]! >>> 6) & 0xfff;
  digits[at + 4] = high[lane]! >>> 18;
  digits[at + 5] = se[lane]!;
}

/** Takes a word out of a row of digits, `down` bits above the lower end of the first. */
function gather(digits: Int32Array, first: number, down: number, result: Planes, at: number): void {
  const d2 = pair(digits, first + 2, down);
  result.se[at] = pair(digits, first + 5, down);
  result.high[at] = (pair(digits, first + 4, down) << 18) | (pair(digits, first + 3, down) << 6) | (d2 >>> 6);
  result.low[at] = ((d2 & 0x3f) << 24) | (pair(digits, first + 1, down) << 12) | pair(digits, first, down);
}

/** Shifts words by the whole counts in the others; 72 and more leave nothing, or the sign. */
function shiftLanes(
  left: boolean,
  signed: boolean,
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
): void {
  // Below the word zeros, above it zeros or the sign: shifted by whole digits, then by the rest.
  const digits = new Int32Array(20);
  for (let lane = 0; lane < count; lane++) {
    spread(a, atA + lane, digits, 7);
    digits.fill(signed && a.se[atA + lane]! >= 0x800 ? 0xfff : 0, 13);
    const wide = b.se[atB + lane] !== 0 || b.high[atB + lane] !== 0 || b.low[atB + lane]! >= 72;
    const by = wide ? 72 : b.low[atB + lane]!;
    const whole = Math.floor(by / 12);
    const rest = by - 12 * whole;
    // A shift to the left by the rest is one to the right by 12 less the rest, one digit lower.
    gather(digits, left ? 7 - whole - 1 : 7 + whole, left ? 12 - rest : rest, result, from + lane);
  }
}

/** Turns words round by the counts in the others, modulo 72. */
function rotateLanes(
  left: boolean,
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
): void {
  // The word twice, one after the other, and one digit more.
  const digits = new Int32Array(13);
  for (let lane = 0; lane < count; lane++) {
    spread(a, atA + lane, digits, 0);
    digits.copyWithin(6, 0, 6);
    digits[12] = digits[0]!;
    const at = atB + lane;
    // 2^30 and 2^60 both leave 64 when they are divided by 72.
    const by = (b.low[at]! + 64 * (b.high[at]! % 72) + 64 * b.se[at]!) % 72;
    const right = left ? (72 - by) % 72 : by;
    const whole = Math.floor(right / 12);
    gather(digits, whole, right - 12 * whole, result, from + lane);
  }
}

/** Twelve bits of two neighbouring digits, `down` bits above the lower end. */
function pair(digits: Int32Array, at: number, down: number): number {
  return ((digits[at]! | (digits[at + 1]! << 12)) >>> down) & 0xfff;
}
