import { expect, test } from 'vitest';
import { oneCommandBeforeEachByte } from './one-command-before-each-byte.ts';
import { violatingRuns } from './planted-faults.ts';

test('every byte has its command in every run of the sound machine', () => {
  expect(violatingRuns(oneCommandBeforeEachByte)).toBe(0);
});

test.each(['M-11', 'M-17', 'M-25'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(oneCommandBeforeEachByte, mutant)).toBeGreaterThan(0);
});
