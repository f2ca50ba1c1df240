import type { Block } from './block.ts';
import { interiorOf } from './calculation.ts';
import type { Extent } from './decomposition.ts';

/** Sum of the squares of what a sweep added, before omega (TCA specification 13). */
export interface Residual {
  /**
   * Summed in 32-bit floats in the order i, j, k: the benchmark's figure when the block is the whole grid.
   */
  readonly gosaF32Seq: number;
  /** The same 32-bit squares summed in 64-bit floats; those of the blocks of a grid may be added. */
  readonly gosaF64: number;
}

/** The relaxation factor, a 32-bit float. */
const omega = Math.fround(0.8);

const { fround } = Math;

/**
 * Carries out one Jacobi iteration on the interior points that a block owns (TCA specification 13).
 *
 * Details: every operation is rounded to a 32-bit float, in the order of the specification and never fused.
 * One operation on two 32-bit floats in 64 bits and a rounding after it give the same: 53 bits are enough for
 * that. The halo must hold the neighbours' values of the iteration before. Cost: 34 operations and 56 bytes a
 * point.
 */
export function sweep(block: Block): Residual {
  const residual = relax(block);
  takeOver(block);
  return residual;
}

/**
 * Interior points of the whole grid that a block owns along one axis, as indices of its fields: first, and
 * end.
 */
function ownInterior(extent: Extent, points: number): readonly [number, number] {
  const [first, end] = interiorOf(extent, points);
  return [first - extent.allocatedFirst, end - extent.allocatedFirst];
}

/** Writes the new values to wrk2. */
function relax({ decomposition, extents, allocated, fields }: Block): Residual {
  const { p, wrk2, a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, bnd, wrk1 } = fields;
  const [iFirst, iEnd] = ownInterior(extents.i, decomposition.size.imax);
  const [jFirst, jEnd] = ownInterior(extents.j, decomposition.size.jmax);
  const { jmax, kmax } = allocated;
  const jStep = kmax;
  const iStep = jmax * kmax;
  let gosaF32Seq = 0;
  let gosaF64 = 0;
  for (let i = iFirst; i < iEnd; i++)
    for (let j = jFirst; j < jEnd; j++) {
      const row = i * iStep + j * jStep;
      const end = row + kmax - 1;
      for (let at = row + 1; at < end; at++) {
        const iNext = at + iStep;
        const iLast = at - iStep;
        const jNext = at + jStep;
        const jLast = at - jStep;
        let s = fround(a0[at]! * p[iNext]!);
        s = fround(s + fround(a1[at]! * p[jNext]!));
        s = fround(s + fround(a2[at]! * p[at + 1]!));
        const ij = fround(fround(p[iNext + jStep]! - p[iNext - jStep]!) - p[iLast + jStep]!);
        s = fround(s + fround(b0[at]! * fround(ij + p[iLast - jStep]!)));
        const jk = fround(fround(p[jNext + 1]! - p[jLast + 1]!) - p[jNext - 1]!);
        s = fround(s + fround(b1[at]! * fround(jk + p[jLast - 1]!)));
        const ik = fround(fround(p[iNext + 1]! - p[iLast + 1]!) - p[iNext - 1]!);
        s = fround(s + fround(b2[at]! * fround(ik + p[iLast - 1]!)));
        s = fround(s + fround(c0[at]! * p[iLast]!));
        s = fround(s + fround(c1[at]! * p[jLast]!));
        s = fround(s + fround(c2[at]! * p[at - 1]!));
        s = fround(s + wrk1[at]!);
        const ss = fround(fround(fround(s * a3[at]!) - p[at]!) * bnd[at]!);
        const square = fround(ss * ss);
        gosaF32Seq = fround(gosaF32Seq + square);
        gosaF64 += square;
        wrk2[at] = p[at]! + fround(omega * ss);
      }
    }
  return { gosaF32Seq, gosaF64 };
}

/** Makes the new values the values of p. */
function takeOver({ decomposition, extents, allocated, fields }: Block): void {
  const { p, wrk2 } = fields;
  const [iFirst, iEnd] = ownInterior(extents.i, decomposition.size.imax);
  const [jFirst, jEnd] = ownInterior(extents.j, decomposition.size.jmax);
  const { jmax, kmax } = allocated;
  for (let i = iFirst; i < iEnd; i++)
    for (let j = jFirst; j < jEnd; j++) {
      const row = (i * jmax + j) * kmax;
      for (let at = row + 1; at < row + kmax - 1; at++) p[at] = wrk2[at]!;
    }
}
