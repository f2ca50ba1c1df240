import { expect, test } from 'vitest';
import { arbitrate } from '../arbitrate.ts';
import { fifoBoth } from './fifo-both.ts';

test('takes the short direction, then the other one, and direction 0 when both are short', () => {
  const spec = { N: 8, K: 1 };
  const requests = [
    [0, 1, 0, 5],
    [0, 1, 0, 5],
    [10, 0, 4, 5],
  ] as const;

  const { placements } = arbitrate({ ...spec, requests }, fifoBoth(spec));

  expect(placements).toEqual([
    [1, 1, 0],
    [1, 0, 0],
    [11, 0, 0],
  ]);
});
