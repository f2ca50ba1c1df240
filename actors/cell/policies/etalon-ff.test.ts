import { expect, test } from 'vitest';
import { arbitrate } from '../arbitrate.ts';
import { etalonFf } from './etalon-ff.ts';

test('tries direction 0 first even where it is the longer way, lowest ring first', () => {
  const spec = { N: 8, K: 2 };

  const { placements } = arbitrate(
    {
      ...spec,
      requests: [
        [0, 3, 2, 5],
        [0, 2, 3, 5],
        [0, 5, 6, 5],
      ],
    },
    etalonFf(spec),
  );

  expect(placements).toEqual([
    [1, 0, 0],
    [1, 0, 1],
    [1, 0, 1],
  ]);
});

test('a request that cannot start is overtaken by a younger one that can', () => {
  const spec = { N: 8, K: 1 };
  // 0 to 4 fills nodes 0..4 upward, 4 to 0 the same nodes downward; 4 to 5 meets both at node 4, 6 to 7 meets neither.
  const requests = [
    [0, 0, 4, 9],
    [0, 4, 0, 9],
    [0, 4, 5, 1],
    [0, 6, 7, 1],
  ] as const;

  const { placements } = arbitrate({ ...spec, requests }, etalonFf(spec));

  expect(placements).toEqual([
    [1, 0, 0],
    [1, 1, 0],
    [10, 0, 0],
    [1, 0, 0],
  ]);
});
