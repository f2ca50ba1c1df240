import { expect, test } from 'vitest';
import { everyByteOnTime } from './every-byte-on-time.ts';
import { violatingRuns } from './planted-faults.ts';

test('every byte is on time in every run of the sound machine', () => {
  expect(violatingRuns(everyByteOnTime)).toBe(0);
});

test.each(['M-08', 'M-09', 'M-10a', 'M-10b', 'D-03'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(everyByteOnTime, mutant)).toBeGreaterThan(0);
});
