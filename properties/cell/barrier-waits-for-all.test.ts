import { expect, test } from 'vitest';
import { barrierWaitsForAll } from './barrier-waits-for-all.ts';
import { violatingRuns } from './planted-faults.ts';

test('the barrier waits for all in every run of the sound machine', () => {
  expect(violatingRuns(barrierWaitsForAll)).toBe(0);
});

test.each(['M-13', 'M-14', 'M-15'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(barrierWaitsForAll, mutant)).toBeGreaterThan(0);
});
