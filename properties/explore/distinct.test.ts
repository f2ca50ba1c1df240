import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Distinct, halvesOf, unseenShare } from './distinct.ts';

/** Fingerprints of few values, so that some come again. */
const halves = fc.tuple(fc.nat(3), fc.nat(31));

function distinctOf(ends: readonly (readonly [number, number])[], max?: number): Distinct {
  const distinct = new Distinct(max);
  for (const [high, low] of ends) distinct.add(high, low);
  return distinct;
}

test('counts ends, and those that only one run came to', () => {
  fc.assert(
    fc.property(fc.array(halves, { maxLength: 200, size: 'max' }), (ends) => {
      const times = new Map<string, number>();
      for (const end of ends) times.set(end.join(), (times.get(end.join()) ?? 0) + 1);

      const distinct = distinctOf(ends);

      expect(distinct.exact).toBe(true);
      expect(distinct.count).toBe(times.size);
      expect(distinct.once).toBe([...times.values()].filter((count) => count === 1).length);
    }),
  );
});

test('saved and read again is as never saved, also in the middle', () => {
  fc.assert(
    fc.property(fc.array(halves), fc.array(halves), fc.constantFrom(16, 2 ** 20), (before, after, max) => {
      const never = distinctOf([...before, ...after], max);

      const again = Distinct.of(distinctOf(before, max).save(), max);
      for (const [high, low] of after) again.add(high, low);

      expect(again.save()).toEqual(never.save());
      expect([again.count, again.once]).toEqual([never.count, never.once]);
    }),
  );
});

test('what a full set keeps does not depend on the order of the runs', () => {
  const sorted = (distinct: Distinct) => {
    const { sampledBits, kept } = distinct.save();
    return [sampledBits, ...(kept.match(/.{17}/g) ?? []).sort()];
  };
  fc.assert(
    fc.property(fc.array(halves, { minLength: 30, maxLength: 200, size: 'max' }), (ends) => {
      expect(sorted(distinctOf([...ends].reverse(), 16))).toEqual(sorted(distinctOf(ends, 16)));
    }),
  );
});

test('a full set estimates from a sample', () => {
  const distinct = new Distinct(1024);
  // Odd constants mix the numbers well enough to stand for fingerprints.
  const end = (index: number) => [index >>> 0, Math.imul(index ^ (index >>> 7), 0x9e3779b1) >>> 0] as const;

  for (let index = 0; index < 40_000; index++) distinct.add(...end(index));
  for (let index = 0; index < 10_000; index++) distinct.add(...end(index));

  expect(distinct.exact).toBe(false);
  expect(Math.abs(distinct.count / 40_000 - 1)).toBeLessThan(0.1);
  expect(Math.abs(distinct.once / 30_000 - 1)).toBeLessThan(0.1);
});

test('the unseen share is that of runs whose end came once', () => {
  expect(unseenShare(distinctOf([]), 0)).toBe(1);
  expect(
    unseenShare(
      distinctOf([
        [1, 1],
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
      4,
    ),
  ).toBe(0.5);
  expect(
    unseenShare(
      distinctOf([
        [1, 1],
        [1, 1],
      ]),
      2,
    ),
  ).toBe(0);
});

test('a fingerprint is two words', () => {
  expect(halvesOf('00000001ffffffff')).toEqual([1, 0xffff_ffff]);
});
