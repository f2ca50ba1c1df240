import { invariant } from '../../../kernel/errors.ts';
import type { GridSize } from './grid.ts';

/** A grid cut into A x B x 1 blocks, one a rank (TCA specification 13). */
export interface Decomposition {
  readonly size: GridSize;
  /** Blocks along i. */
  readonly A: number;
  /** Blocks along j. */
  readonly B: number;
}

/**
 * What a block has of one axis, in indices of the whole grid: `first` is in, `end` is not.
 *
 * Details: a halo of width 1 is allocated on the sides where there is a neighbour, and only there.
 */
export interface Extent {
  readonly ownFirst: number;
  readonly ownEnd: number;
  readonly allocatedFirst: number;
  readonly allocatedEnd: number;
}

/** The place of a rank among the blocks, and what it has of the axes that are cut. */
export interface BlockExtents {
  /** Place along i, 0..A-1. */
  readonly x: number;
  /** Place along j, 0..B-1. */
  readonly y: number;
  readonly i: Extent;
  readonly j: Extent;
}

/**
 * Cuts a grid into A x B x 1 blocks.
 *
 * Errors: invariants on axes shorter than 3 points, which have no interior, and on blocks that would own
 * nothing.
 */
export function decompose(size: GridSize, A: number, B: number): Decomposition {
  for (const [axis, points] of Object.entries(size))
    invariant(
      Number.isSafeInteger(points) && points >= 3,
      `${axis} is an integer of at least 3, not ${points}`,
    );
  checkCount('i', A, size.imax);
  checkCount('j', B, size.jmax);
  return { size, A, B };
}

function checkCount(axis: string, blocks: number, points: number): void {
  invariant(Number.isSafeInteger(blocks), `blocks along ${axis} are counted, not ${blocks}`);
  invariant(
    blocks >= 1 && blocks <= points,
    `${points} planes along ${axis} make 1 to ${points} blocks, not ${blocks}`,
  );
}

/** The number of blocks. */
export const rankCount = ({ A, B }: Decomposition): number => A * B;

/** The rank at a place: x * B + y (TCA specification 13). */
export const rankAt = ({ B }: Decomposition, x: number, y: number): number => x * B + y;

/**
 * The node on a ring that a rank runs on, and the rank that runs on a node: blocks go to and fro along the ring, so that the neighbours of a
 * 2 x 2 grid are neighbours on it.
 */
export function nodeOfRank({ B }: Pick<Decomposition, 'B'>, rank: number): number {
  const [x, y] = [Math.floor(rank / B), rank % B];
  return x * B + (x % 2 === 0 ? y : B - 1 - y);
}

/** What a rank has of the grid. */
export function blockExtents({ size, A, B }: Decomposition, rank: number): BlockExtents {
  invariant(
    Number.isSafeInteger(rank) && rank >= 0 && rank < A * B,
    `ranks are 0..${A * B - 1}, not ${rank}`,
  );
  const x = Math.floor(rank / B);
  const y = rank % B;
  return { x, y, i: extentOf(x, A, size.imax), j: extentOf(y, B, size.jmax) };
}

function extentOf(place: number, blocks: number, points: number): Extent {
  const ownFirst = Math.floor((place * points) / blocks);
  const ownEnd = Math.floor(((place + 1) * points) / blocks);
  return {
    ownFirst,
    ownEnd,
    allocatedFirst: place === 0 ? ownFirst : ownFirst - 1,
    allocatedEnd: place === blocks - 1 ? ownEnd : ownEnd + 1,
  };
}

/** Planes that are allocated along an axis, those of the halo included. */
export const allocatedPlanes = ({ allocatedFirst, allocatedEnd }: Extent): number =>
  allocatedEnd - allocatedFirst;
