import { expect, test } from 'vitest';
import { urgentRequestsStartInTime } from './bounded-wait.ts';
import { violatingRuns } from './planted-faults.ts';

test('urgent requests start in time in every run of the sound machine', () => {
  expect(violatingRuns(urgentRequestsStartInTime)).toBe(0);
});

test.each(['W-01'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(urgentRequestsStartInTime, mutant)).toBeGreaterThan(0);
});
