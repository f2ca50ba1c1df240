import { expect, test } from 'vitest';
import { violatingRuns } from './planted-faults.ts';
import { statusAnswersAreExact } from './status-answers-are-exact.ts';

test('status answers are exact in every run of the sound machine', () => {
  expect(violatingRuns(statusAnswersAreExact)).toBe(0);
});

test.each(['M-18', 'M-19'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(statusAnswersAreExact, mutant)).toBeGreaterThan(0);
});
