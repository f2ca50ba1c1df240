import { expect, test } from 'vitest';
import { kneeOf } from './load-curve.ts';

test('the knee lies on the line between the points around twice the lowest delay', () => {
  const points = [
    { offered: 0.1, delay: 20 },
    { offered: 0.2, delay: 30 },
    { offered: 0.4, delay: 50 },
  ];

  expect(kneeOf(points)).toBeCloseTo(0.3, 12);
  expect(kneeOf(points.slice(0, 2))).toBeUndefined();
});
