import { add } from '../arithmetic/adder.ts';
import { multiplierWords, multiply } from '../arithmetic/multiplier.ts';
import type { Word } from '../arithmetic/word.ts';
import { addLanes } from './lane-adder.ts';
import { aluLanes } from './lane-alu.ts';
import { multiplyLanes } from './lane-multiplier.ts';
import { type Planes, planesOf, putWord, wordAt } from './planes.ts';

/** The usual forms of adder and multiplier, and shifts, on whole rows of PEs: where an engine differs from another (GRAPE specification 10). */
export interface RowArithmetic {
  /** Planes for both operands of an operation: contents are of use until the next operation of any block. */
  operands(lanes: number): { readonly a: Planes; readonly b: Planes };
  /** Adds the first `count` words, normalised in and out, rounded to 61 or 25 bits (GRAPE specification 2.4). */
  add(a: Planes, b: Planes, result: Planes, count: number, sub: boolean, round: boolean): void;
  /** Adds words without hidden bits, normalised out, as `faddAB` does: the last step of a long product (GRAPE specification 2.6). */
  addParts(a: Planes, b: Planes, result: Planes, count: number, sub: boolean, round: boolean): void;
  /** Multiplies the first `count` words as plain `fmul` does (GRAPE specification 2.5). */
  multiply(a: Planes, b: Planes, result: Planes, count: number, round: boolean): void;
  /** One pass of a long product: `dmul0`, or `dmul1` (GRAPE specification 2.6). */
  multiplyPart(a: Planes, b: Planes, result: Planes, count: number, second: boolean): void;
  /** Shifts words by the whole words of the others; to the right without a sign or with one (GRAPE specification 2.7). */
  shift(op: 'lsl' | 'lsr', signed: boolean, a: Planes, b: Planes, result: Planes, count: number): void;
}

/** Arithmetic in JavaScript: everywhere. What makes up a long product goes word by word. */
export const scriptRows: RowArithmetic = {
  operands: (lanes) => ({ a: planesOf(lanes), b: planesOf(lanes) }),
  add: (a, b, result, count, sub, round) => addLanes(a, 0, b, 0, result, 0, count, sub, round),
  addParts: (a, b, result, count, sub, round) => {
    const control = { normA: false, normB: false, normO: true, sub, round };
    wordByWord(a, b, result, count, (x, y) => add(x, y, control).word);
  },
  multiply: (a, b, result, count, round) => multiplyLanes(a, 0, b, 0, result, 0, count, round),
  multiplyPart: (a, b, result, count, second) => {
    const bits = second ? multiplierWords.dmul1 : multiplierWords.dmul0;
    wordByWord(a, b, result, count, (x, y) => multiply(x, y, bits).word);
  },
  shift: (op, signed, a, b, result, count) => aluLanes(op, signed, a, 0, b, 0, result, 0, count),
};

/** What the reference arithmetic makes of each pair of words. */
export function wordByWord(
  a: Planes,
  b: Planes,
  result: Planes,
  count: number,
  operation: (a: Word, b: Word) => Word,
): void {
  for (let lane = 0; lane < count; lane++) putWord(result, lane, operation(wordAt(a, lane), wordAt(b, lane)));
}
