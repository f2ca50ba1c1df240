import { expect, test } from 'vitest';
import { bytesAreLinearizable } from './memory-history.ts';
import { violatingRuns } from './planted-faults.ts';

test('every byte reads as it was last written in every run of the sound machine', () => {
  expect(violatingRuns(bytesAreLinearizable)).toBe(0);
});

test.each(['M-20', 'M-21'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(bytesAreLinearizable, mutant)).toBeGreaterThan(0);
});
