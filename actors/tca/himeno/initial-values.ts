import type { FieldName, GridSize } from './grid.ts';

/**
 * The data sets: that of the benchmark, and one in which all 19 points of the stencil matter (TCA
 * specification 13).
 */
export const variants = ['classic', 'mixed'] as const;

/** The name of a data set. */
export type Variant = (typeof variants)[number];

/** Gives the value of a field at a point of the whole grid. */
export type InitialValue = (field: FieldName, i: number, j: number, k: number) => number;

/**
 * The initial values of a data set (TCA specification 13).
 *
 * Details: points are those of the whole grid, so a block gets the same values as the grid it is cut from.
 */
export function initialValues(variant: Variant, size: GridSize): InitialValue {
  const classic: InitialValue = (field, i) => classicValue(field, i, size.imax);
  if (variant === 'classic') return classic;
  return (field, i, j, k) => {
    const q = (i * size.jmax + j) * size.kmax + k;
    switch (field) {
      case 'p':
        return Math.fround(classic(field, i, j, k) + uniform(q, 1) / 128);
      case 'a0':
      case 'a1':
      case 'a2':
      case 'c0':
      case 'c1':
      case 'c2':
        return Math.fround(1 + (uniform(q, mixedSalts[field]) - 0.5) / 16);
      case 'b0':
      case 'b1':
      case 'b2':
        return Math.fround((uniform(q, mixedSalts[field]) - 0.5) / 16);
      case 'wrk1':
        return Math.fround((uniform(q, 11) - 0.5) / 1024);
      case 'bnd':
        return (7 * i + 3 * j + k) % 29 === 0 ? 0 : 1;
      case 'a3':
      case 'wrk2':
        return classic(field, i, j, k);
    }
  };
}

function classicValue(field: FieldName, i: number, imax: number): number {
  switch (field) {
    case 'p':
      return Math.fround(Math.fround(i * i) / Math.fround((imax - 1) ** 2));
    case 'a0':
    case 'a1':
    case 'a2':
    case 'c0':
    case 'c1':
    case 'c2':
    case 'bnd':
      return 1;
    case 'a3':
      return Math.fround(1 / 6);
    case 'b0':
    case 'b1':
    case 'b2':
    case 'wrk1':
    case 'wrk2':
      return 0;
  }
}

/** Second argument of U for the coefficients of `mixed`. */
const mixedSalts = { a0: 2, a1: 3, a2: 4, b0: 5, b1: 6, b2: 7, c0: 8, c1: 9, c2: 10 } as const;

/** U(q, s): a hash of a linear index as a fraction of 24 bits in [0, 1). */
function uniform(q: number, salt: number): number {
  let hash = (Math.imul(q, 2654435761) + salt * 40503) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822519);
  hash ^= hash >>> 13;
  return (hash >>> 8) / 2 ** 24;
}
