import { expect, test } from 'vitest';
import { RecentRecords } from './recent-records.ts';

test('gives what was put last for the same key, and nothing for any other one', () => {
  const recent = new RecentRecords();
  recent.set(5, 7, 0, 0, 11);
  expect(recent.at(5, 7, 0, 0)).toBe(11);
  expect(recent.at(7, 5, 0, 0)).toBe(0);
  expect(recent.at(5, 8, 0, 0)).toBe(0);
  expect(recent.at(5, 7, 1, 0)).toBe(0);
  expect(recent.at(5, 7, 0, 1)).toBe(0);
  recent.set(5, 7, 0, 0, 12);
  expect(recent.at(5, 7, 0, 0)).toBe(12);
});

test('gives nothing wrong while it grows and places are taken by others', () => {
  const recent = new RecentRecords();
  const recordOf = (local: number, letter: number) => 1 + 400 * local + letter;
  for (let local = 0; local < 400; local++)
    for (let letter = 0; letter < 400; letter++) recent.set(local, letter, 0, 0, recordOf(local, letter));
  let found = 0;
  for (let local = 0; local < 400; local++)
    for (let letter = 0; letter < 400; letter++) {
      const record = recent.at(local, letter, 0, 0);
      if (record === 0) continue;
      if (record !== recordOf(local, letter))
        throw new Error(`(${local}, ${letter}) gives what belongs to another key`);
      found++;
    }
  expect(found).toBeGreaterThan(10_000);
});

test.each([
  ['a budget state beyond 31 bits', 2 ** 32 + 3, 0],
  ['a budget state that has no room beside a version', 2 ** 20, 1],
  ['a version beyond 12 bits', 0, 4096],
])('%s is not found, rather than taken for another one', (_, budgetState, version) => {
  const recent = new RecentRecords();
  recent.set(5, 7, budgetState, version, 11);
  expect(recent.at(5, 7, budgetState, version)).toBe(0);
  expect(recent.at(5, 7, 1, 0)).toBe(0);
});
