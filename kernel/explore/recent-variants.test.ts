import { expect, test } from 'vitest';
import { KnownVariants } from './alternative.ts';
import { RecentVariants } from './recent-variants.ts';

test('gives what was put last for the same key, and nothing for any other one', () => {
  const recent = new RecentVariants();
  const [one, other] = [new KnownVariants(), new KnownVariants()];
  recent.set(5, 7, 0, 0, one);
  expect(recent.at(5, 7, 0, 0)).toBe(one);
  expect(recent.at(7, 5, 0, 0)).toBeUndefined();
  expect(recent.at(5, 8, 0, 0)).toBeUndefined();
  expect(recent.at(5, 7, 1, 0)).toBeUndefined();
  expect(recent.at(5, 7, 0, 1)).toBeUndefined();
  recent.set(5, 7, 0, 0, other);
  expect(recent.at(5, 7, 0, 0)).toBe(other);
});

test('gives nothing wrong while it grows and places are taken by others', () => {
  const recent = new RecentVariants();
  const all = Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => new KnownVariants()));
  for (const [local, row] of all.entries())
    for (const [letter, variants] of row.entries()) recent.set(local, letter, 0, 0, variants);
  let found = 0;
  for (const [local, row] of all.entries())
    for (const [letter, variants] of row.entries()) {
      const recently = recent.at(local, letter, 0, 0);
      if (recently === undefined) continue;
      if (recently !== variants) throw new Error(`(${local}, ${letter}) gives what belongs to another key`);
      found++;
    }
  expect(found).toBeGreaterThan(10_000);
});

test('a key beyond 31 bits is not found, rather than taken for another one', () => {
  const recent = new RecentVariants();
  recent.set(5, 7, 2 ** 32 + 3, 0, new KnownVariants());
  expect(recent.at(5, 7, 2 ** 32 + 3, 0)).toBeUndefined();
});
