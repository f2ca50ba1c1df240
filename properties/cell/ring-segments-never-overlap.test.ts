import { expect, test } from 'vitest';
import { violatingRuns } from './planted-faults.ts';
import { ringSegmentsNeverOverlap } from './ring-segments-never-overlap.ts';

test('segments never overlap in every run of the sound machine', () => {
  expect(violatingRuns(ringSegmentsNeverOverlap)).toBe(0);
});

test.each(['M-02', 'M-22'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(ringSegmentsNeverOverlap, mutant)).toBeGreaterThan(0);
});
