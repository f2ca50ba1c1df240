import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decompose } from '../../actors/tca/himeno/decomposition.ts';
import { Problem } from '../../actors/tca/himeno/problem.ts';
import { type HimenoProblem, himenoEnd } from './himeno-reference.ts';

interface GoldenCase {
  readonly variant: HimenoProblem['data'];
  readonly imax: number;
  readonly jmax: number;
  readonly kmax: number;
  readonly iterations: number;
  readonly gosaF64: number;
  readonly pCrc32: string;
}

const golden = JSON.parse(readFileSync(new URL('golden/himeno.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly GoldenCase[];
};
const small = golden.cases.filter(
  ({ imax, jmax, kmax, iterations }) => imax * jmax * kmax * iterations < 5000,
);

test.each(small)(
  'the reference gives the golden p: $variant $imax x $jmax x $kmax, $iterations iterations',
  (one) => {
    const { crc32, gosa } = himenoEnd({
      size: [one.imax, one.jmax, one.kmax],
      blocks: [1, 1],
      data: one.variant,
      order: 'sequential',
      iterations: one.iterations,
    });

    expect(crc32).toBe(one.pCrc32);
    expect(Math.abs(gosa - one.gosaF64)).toBeLessThanOrEqual(1e-12 * one.gosaF64);
  },
);

test.each([
  [2, 2],
  [3, 1],
  [2, 3],
] as const)('faces from one snapshot leave the edges of %i x %i blocks one iteration old', (A, B) => {
  const direct = new Problem(decompose({ imax: 7, jmax: 8, kmax: 5 }, A, B), 'mixed', 'concurrent');
  direct.iterateTo(3);

  const { p, gosa } = himenoEnd({
    size: [7, 8, 5],
    blocks: [A, B],
    data: 'mixed',
    order: 'concurrent',
    iterations: 3,
  });

  expect(p).toEqual(direct.p);
  expect(Math.abs(gosa - direct.result.gosaF64)).toBeLessThanOrEqual(1e-12 * gosa);
});
