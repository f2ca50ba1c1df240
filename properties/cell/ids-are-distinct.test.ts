import { expect, test } from 'vitest';
import { idsAreDistinct } from './ids-are-distinct.ts';
import { violatingRuns } from './planted-faults.ts';

test('ids are distinct in every run of the sound machine', () => {
  expect(violatingRuns(idsAreDistinct)).toBe(0);
});

test.each(['M-12'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(idsAreDistinct, mutant)).toBeGreaterThan(0);
});
