import { arrayCpes } from '../array/identity.ts';

/**
 * One step of a reduction as a CPE sees it: it takes the value of another one as right operand, or gives its own away.
 */
export type TreeStep = { readonly receiveFrom: number } | { readonly sendTo: number };

/** Distances of partners in order: three steps over columns, then three over rows (Sunway specification 6.11). */
export const treeDistances = [1, 2, 4, 8, 16, 32] as const;

/**
 * What a CPE does in the fixed tree of a reduction, in order; the lowest available CPE ends with the total.
 *
 * Details: after the step of distance d each aligned block of 2d CPEs has its value at its lowest available one. The lower tid is always the
 * left operand. A CPE that gives its value away is done.
 */
export function treeSteps(tid: number, available: (tid: number) => boolean): readonly TreeStep[] {
  const steps: TreeStep[] = [];
  for (const distance of treeDistances) {
    const block = Math.floor(tid / (2 * distance)) * 2 * distance;
    const left = lowest(block, distance, available);
    const right = lowest(block + distance, distance, available);
    if (left === undefined || right === undefined) continue;
    if (tid === left) steps.push({ receiveFrom: right });
    else return [...steps, { sendTo: left }];
  }
  return steps;
}

/** The CPE that ends with the total. */
export const treeRoot = (available: (tid: number) => boolean): number => lowest(0, arrayCpes, available) ?? 0;

/** Folds the values of the CPEs, at index tid, in the fixed order; undefined where a CPE is offline. */
export function foldTree<V>(
  values: readonly (V | undefined)[],
  merge: (left: V, right: V) => V,
): V | undefined {
  let level = values;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, pair) => {
      const left = level[2 * pair];
      const right = level[2 * pair + 1];
      return left === undefined || right === undefined ? (left ?? right) : merge(left, right);
    });
  return level[0];
}

function lowest(first: number, count: number, available: (tid: number) => boolean): number | undefined {
  for (let tid = first; tid < first + count; tid++) if (available(tid)) return tid;
  return undefined;
}
