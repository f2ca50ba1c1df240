import { allocatedPlanes, type BlockExtents, blockExtents, type Decomposition } from './decomposition.ts';
import { allocateFields, type Fields, fieldNames, type GridSize } from './grid.ts';
import { initialValues, type Variant } from './initial-values.ts';

/** What one rank works on: its part of the grid with halo, in fields of the size `allocated`. */
export interface Block {
  readonly decomposition: Decomposition;
  readonly rank: number;
  readonly extents: BlockExtents;
  readonly allocated: GridSize;
  readonly fields: Fields;
}

/** The size of the fields of a rank, halo included (TCA specification 13). */
export function allocatedSize(decomposition: Decomposition, rank: number): GridSize {
  const { i, j } = blockExtents(decomposition, rank);
  return { imax: allocatedPlanes(i), jmax: allocatedPlanes(j), kmax: decomposition.size.kmax };
}

/** Allocates the block of a rank and fills it, its halo included, with initial values. */
export function createBlock(decomposition: Decomposition, rank: number, variant: Variant): Block {
  const extents = blockExtents(decomposition, rank);
  const allocated = allocatedSize(decomposition, rank);
  const { imax, jmax, kmax } = allocated;
  const fields = allocateFields(imax * jmax * kmax);
  const value = initialValues(variant, decomposition.size);
  const [iFirst, jFirst] = [extents.i.allocatedFirst, extents.j.allocatedFirst];
  for (const name of fieldNames) {
    const field = fields[name];
    let at = 0;
    for (let i = iFirst; i < iFirst + imax; i++)
      for (let j = jFirst; j < jFirst + jmax; j++)
        for (let k = 0; k < kmax; k++) field[at++] = value(name, i, j, k);
  }
  return { decomposition, rank, extents, allocated, fields };
}

/** Copies what a block owns of p to its place in the p of the whole grid. */
export function gatherBlock({ decomposition, extents, allocated, fields }: Block, whole: Float32Array): void {
  const { jmax, kmax } = decomposition.size;
  const { i, j } = extents;
  const rowFloats = (j.ownEnd - j.ownFirst) * kmax;
  for (let plane = i.ownFirst; plane < i.ownEnd; plane++) {
    const from = ((plane - i.allocatedFirst) * allocated.jmax + j.ownFirst - j.allocatedFirst) * kmax;
    whole.set(fields.p.subarray(from, from + rowFloats), (plane * jmax + j.ownFirst) * kmax);
  }
}
