import { expect, test } from 'vitest';
import { everyRequestFinishes } from './every-request-finishes.ts';
import { violatingRuns } from './planted-faults.ts';

test('every request finishes in every run of the sound machine', () => {
  expect(violatingRuns(everyRequestFinishes)).toBe(0);
});

test.each(['M-10a', 'D-01', 'D-03'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(everyRequestFinishes, mutant)).toBeGreaterThan(0);
});
