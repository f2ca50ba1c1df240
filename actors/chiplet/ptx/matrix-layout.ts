import type { ValueType } from './value-type.ts';
import { bitsOf } from './value-type.ts';

/*
 * Which element of a matrix each lane holds in each register of a fragment (PTX ISA, warp-level matrix instructions).
 */

/** Rows of A, columns of B, and what they share. */
export interface Shape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/** `a` is m by k, `b` k by n, `c` and `d` m by n. */
export type MatrixPart = 'a' | 'b' | 'c' | 'd';

/** A fragment: elements that a register packs, and where they are in the matrix. */
export interface Fragment {
  readonly rows: number;
  readonly columns: number;
  readonly type: ValueType;
  readonly registers: number;
  /** Elements in a register. */
  readonly packed: number;
  /** Row and column of element `index` of register `register` in a lane. */
  place(lane: number, register: number, index: number): readonly [row: number, column: number];
}

/** The shape that `m16n8k16` says; undefined for other words. */
export function shapeOf(word: string): Shape | undefined {
  const found = /^m(\d+)n(\d+)k(\d+)$/.exec(word);
  return found ? { m: Number(found[1]), n: Number(found[2]), k: Number(found[3]) } : undefined;
}

const sizeOf = ({ m, n, k }: Shape, part: MatrixPart): readonly [number, number] =>
  part === 'a' ? [m, k] : part === 'b' ? [k, n] : [m, n];

/** Elements of 8, 16, 32 or 64 bits in one register of at least 32. */
const packedOf = (type: ValueType): number => Math.max(1, 32 / bitsOf(type));

/**
 * The fragments of `mma`: lane 4g + t holds rows or columns g, and of the other direction a group of neighbours at t; further registers go on 8 rows below, then
 * behind the groups of all four t.
 */
export function mmaFragment(shape: Shape, part: MatrixPart, type: ValueType): Fragment {
  const [rows, columns] = sizeOf(shape, part);
  const packed = packedOf(type);
  const registers = (rows * columns) / (32 * packed);
  const place = (lane: number, register: number, index: number): readonly [number, number] => {
    const g = lane >> 2;
    const t = lane & 3;
    if (part === 'b') return [packed * (4 * register + t) + index, g];
    if (part === 'a') {
      const halves = rows / 8;
      return [g + 8 * (register % halves), packed * (4 * Math.floor(register / halves) + t) + index];
    }
    // Results stand in pairs of columns, whether a register has one of them or both.
    const pair = packed === 2 ? index : register & 1;
    const down = packed === 2 ? register : register >> 1;
    return [g + 8 * down, 2 * t + pair];
  };
  return { rows, columns, type, registers, packed, place };
}

/** Registers that `wmma` has for a fragment where that is not as many as it fills. */
const givenRegisters = (part: MatrixPart, type: ValueType, filled: number): number =>
  type === 'f16' && (part === 'a' || part === 'b') ? 8 : filled;

/** The fragments of `wmma`, which the manual leaves open: here a lane has neighbours in a row, and registers beyond them repeat them. */
export function wmmaFragment(shape: Shape, part: MatrixPart, type: ValueType): Fragment {
  const [rows, columns] = sizeOf(shape, part);
  const packed = packedOf(type);
  const filled = (rows * columns) / (32 * packed);
  const place = (lane: number, register: number, index: number): readonly [number, number] => {
    const at = (lane * filled + (register % filled)) * packed + index;
    return [Math.floor(at / columns), at % columns];
  };
  return { rows, columns, type, registers: givenRegisters(part, type, filled), packed, place };
}
