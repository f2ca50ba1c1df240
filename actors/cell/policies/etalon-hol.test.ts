import { expect, test } from 'vitest';
import { arbitrate } from '../arbitrate.ts';
import { etalonHol } from './etalon-hol.ts';

test('nobody overtakes a request that cannot start', () => {
  const spec = { N: 8, K: 1 };
  // The first two fill both rings around node 0; the third waits for them and the fourth, whose way is free, for the third.
  const requests = [
    [0, 0, 1, 4],
    [0, 1, 0, 4],
    [0, 0, 7, 1],
    [0, 4, 5, 1],
  ] as const;

  const { placements } = arbitrate({ ...spec, requests }, etalonHol(spec));

  expect(placements).toEqual([
    [1, 0, 0],
    [1, 1, 0],
    [5, 0, 0],
    [5, 1, 0],
  ]);
});
