import { blockExtents, type Decomposition, type Extent } from './decomposition.ts';
import { bytesPerPoint } from './grid.ts';

/** What a sweep takes on a GPU: its start, and the bytes of its points at the speed of GPU memory (TCA specification 13). */
const startNs = 8000;
const bytesPerNs = 150;

/** Nanoseconds of a sweep over so many points; a share of a grid need not be a whole number of them. */
export const calculationNs = (points: number): number => startNs + (points * bytesPerPoint) / bytesPerNs;

/** Interior points of the whole grid that a rank owns along an axis, in indices of the grid: first, and end. */
export const interiorOf = ({ ownFirst, ownEnd }: Extent, points: number): readonly [number, number] => [
  Math.max(ownFirst, 1),
  Math.min(ownEnd, points - 1),
];

/** Interior points that a rank calculates in a sweep. */
export function pointsOf(decomposition: Decomposition, rank: number): number {
  const { i, j } = blockExtents(decomposition, rank);
  const { imax, jmax, kmax } = decomposition.size;
  const [iFirst, iEnd] = interiorOf(i, imax);
  const [jFirst, jEnd] = interiorOf(j, jmax);
  return Math.max(0, iEnd - iFirst) * Math.max(0, jEnd - jFirst) * (kmax - 2);
}
