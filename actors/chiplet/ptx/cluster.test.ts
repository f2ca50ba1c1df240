import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockInOrder, clustersOf, coordinatesOf, placeInCluster } from './cluster.ts';
import type { Dimensions } from './launch.ts';

const size = fc.integer({ min: 1, max: 3 });
const shapes = fc
  .record({ cluster: fc.tuple(size, size, size), clusters: fc.tuple(size, size, size) })
  .map(({ cluster, clusters }) => {
    const grid: Dimensions = [cluster[0] * clusters[0], cluster[1] * clusters[1], cluster[2] * clusters[2]];
    return { shape: { grid, cluster }, clusters };
  });

/** All places within some sizes, x first. */
function placesIn([x, y, z]: Dimensions): readonly Dimensions[] {
  const all: Dimensions[] = [];
  for (let c = 0; c < z; c++) for (let b = 0; b < y; b++) for (let a = 0; a < x; a++) all.push([a, b, c]);
  return all;
}

test('numbers go along x, then along y, then along z', () => {
  fc.assert(
    fc.property(shapes, ({ shape: { grid } }) => {
      const all = placesIn(grid);

      expect(all.map((_, number) => coordinatesOf(number, grid))).toEqual(all);
    }),
    { numRuns: 50 },
  );
});

test('blocks begin cluster by cluster, by rank in each, and know where they are', () => {
  fc.assert(
    fc.property(shapes, ({ shape, clusters }) => {
      const { grid, cluster } = shape;
      const expected = placesIn(clusters).flatMap((of, number) =>
        placesIn(cluster).map((inside, rank) => {
          const at = of.map((one, axis) => one * cluster[axis]! + inside[axis]!);
          const block = placesIn(grid).findIndex((one) => one.every((part, axis) => part === at[axis]));
          return { block, of, number, inside, rank };
        }),
      );
      const found = expected.map((_, place) => {
        const block = blockInOrder(shape, place);
        return { block, ...placeInCluster(shape, block) };
      });

      expect(clustersOf(shape)).toEqual(clusters);
      // Clusters of one block are none: blocks begin in their order.
      expect(found).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
