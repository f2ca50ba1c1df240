import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockTicks } from './clock-ratios.ts';

test.each([
  [[], { network: 2, chiplets: [] }],
  [[1], { network: 2, chiplets: [2] }],
  [[2], { network: 4, chiplets: [2] }],
  [[0.5], { network: 2, chiplets: [4] }],
  [[1.5, 1], { network: 6, chiplets: [4, 6] }],
])('clocks of rates %j', (rates, ticks) => {
  expect(clockTicks(rates)).toEqual(ticks);
});

test('all cycles are even numbers of ticks, in the ratio of the rates, and no coarser calendar has them', () => {
  const rate = fc.integer({ min: 1, max: 40 }).map((tenths) => tenths / 10);
  fc.assert(
    fc.property(fc.array(rate, { minLength: 1, maxLength: 4 }), (rates) => {
      const { network, chiplets } = clockTicks(rates);
      const all = [network, ...chiplets];

      expect(all.every((one) => Number.isInteger(one / 2))).toBe(true);
      for (const [at, one] of rates.entries()) expect(network).toBeCloseTo(one * chiplets[at]!, 6);
      const isCoarser = (by: number) => all.every((one) => Number.isInteger(one / (2 * by)));
      expect([2, 3, 5, 7].some(isCoarser)).toBe(false);
    }),
    { numRuns: 60 },
  );
});
