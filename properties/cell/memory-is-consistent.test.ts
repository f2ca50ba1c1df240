import { expect, test } from 'vitest';
import { memoryIsConsistent } from './memory-is-consistent.ts';
import { violatingRuns } from './planted-faults.ts';

test('the memories are consistent in every run of the sound machine', () => {
  expect(violatingRuns(memoryIsConsistent)).toBe(0);
});

test.each(['M-20', 'M-21'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(memoryIsConsistent, mutant)).toBeGreaterThan(0);
});
