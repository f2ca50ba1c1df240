import { addLanes } from './lane-adder.ts';
import { multiplyLanes } from './lane-multiplier.ts';
import { type Planes, planesOf } from './planes.ts';

/** The usual forms of adder and multiplier on whole rows of PEs: where an engine differs from another (GRAPE specification 10). */
export interface RowArithmetic {
  /** Planes for both operands of an operation: contents are of use until the next operation of any block. */
  operands(lanes: number): { readonly a: Planes; readonly b: Planes };
  /** Adds the first `count` words, normalised in and out, rounded to 61 or 25 bits (GRAPE specification 2.4). */
  add(a: Planes, b: Planes, result: Planes, count: number, sub: boolean, round: boolean): void;
  /** Multiplies the first `count` words as plain `fmul` does (GRAPE specification 2.5). */
  multiply(a: Planes, b: Planes, result: Planes, count: number, round: boolean): void;
}

/** Arithmetic in JavaScript: everywhere. */
export const scriptRows: RowArithmetic = {
  operands: (lanes) => ({ a: planesOf(lanes), b: planesOf(lanes) }),
  add: (a, b, result, count, sub, round) => addLanes(a, 0, b, 0, result, 0, count, sub, round),
  multiply: (a, b, result, count, round) => multiplyLanes(a, 0, b, 0, result, 0, count, round),
};
