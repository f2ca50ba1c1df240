import { allocatedSize, type Block } from './block.ts';
import { type Decomposition, rankCount } from './decomposition.ts';
import { floatBytes, type GridSize } from './grid.ts';

/**
 * Where the arrays of a node lie in its GPU memory, in bytes from the beginning of its segment; the same on all nodes.
 *
 * Details: what nodes move is here: p, p as the last sweep left it for an exchange from one snapshot, the residual, and on the node of rank 0 the
 * whole p. Coefficients never change and never move; they stay with the kernel.
 */
export interface Placement {
  readonly p: number;
  readonly snapshot: number;
  readonly residual: number;
  readonly whole: number;
  readonly bytes: number;
}

const pageBytes = 4096;
const wholePages = (bytes: number): number => pageBytes * Math.ceil(bytes / pageBytes);

/** Bytes of a p array. */
export const arrayBytes = ({ imax, jmax, kmax }: GridSize): number => imax * jmax * kmax * floatBytes;

/** Lays out the GPU memory of all nodes. */
export function placementOf(decomposition: Decomposition): Placement {
  const largest = Math.max(
    ...Array.from({ length: rankCount(decomposition) }, (_, rank) =>
      arrayBytes(allocatedSize(decomposition, rank)),
    ),
  );
  const snapshot = wholePages(largest);
  const residual = 2 * snapshot;
  const whole = residual + pageBytes;
  return { p: 0, snapshot, residual, whole, bytes: whole + wholePages(arrayBytes(decomposition.size)) };
}

/** What a block owns of p as rows of equal length, in bytes: from where in its own array, to where in the whole one. */
export function ownRows({ decomposition, extents, allocated }: Block) {
  const { jmax, kmax } = decomposition.size;
  const { i, j } = extents;
  const rowBytes = kmax * floatBytes;
  const first = (iAt: number, jAt: number, width: number): number => (iAt * width + jAt) * rowBytes;
  return {
    from: first(i.ownFirst - i.allocatedFirst, j.ownFirst - j.allocatedFirst, allocated.jmax),
    to: first(i.ownFirst, j.ownFirst, jmax),
    shape: {
      size: (j.ownEnd - j.ownFirst) * rowBytes,
      count: i.ownEnd - i.ownFirst,
      srcStride: allocated.jmax * rowBytes,
      dstStride: jmax * rowBytes,
    },
  };
}
