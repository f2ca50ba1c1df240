import { expect, test } from 'vitest';
import { type OpenLoopSpec, openLoopInstance } from './open-loop.ts';
import { segmentNodeCount } from './rings.ts';

const spec: OpenLoopSpec = {
  N: 8,
  K: 2,
  load: 0.6,
  sizes: 'uniform',
  pattern: 'uniform',
  count: 4000,
  seed: 3,
};

test('the same seed draws the same instance, another seed another one', () => {
  expect(openLoopInstance(spec)).toEqual(openLoopInstance(spec));
  expect(openLoopInstance(spec)).not.toEqual(openLoopInstance({ ...spec, seed: 4 }));
});

test.each(['uniform', 'bimodal', 'small'] as const)('%s sizes offer the load that was asked for', (sizes) => {
  const { requests } = openLoopInstance({ ...spec, sizes });

  let nodeCycles = 0;
  for (const [, src, dst, size] of requests) {
    nodeCycles += size * Math.min(segmentNodeCount(8, 0, src, dst), segmentNodeCount(8, 1, src, dst));
  }
  const cycles = requests.at(-1)![0] + 1;

  expect(nodeCycles / (2 * 2 * 8 * cycles)).toBeCloseTo(0.6, 1);
});

test('the patterns send where their names say', () => {
  const pairs = (pattern: OpenLoopSpec['pattern']) => openLoopInstance({ ...spec, pattern }).requests;

  expect(pairs('neighbour').every(([, src, dst]) => [1, 7].includes((dst - src + 8) % 8))).toBe(true);
  expect(pairs('complement').every(([, src, dst]) => src + dst === 7)).toBe(true);
  expect(pairs('burst').every(([issue]) => issue % 16 === 0)).toBe(true);
  expect(pairs('hotSpot').filter(([, src, dst]) => src === 0 || dst === 0).length).toBeGreaterThan(2000);
  expect(pairs('uniform').every(([, src, dst]) => src !== dst)).toBe(true);
});
