import { expect, test } from 'vitest';
import { type Alternative, knownFrom, still } from './alternative.ts';
import { headWords, parts, partWords, TransitionRecords } from './transition-records.ts';

/** What the words of a record say of its alternatives. */
function read(records: TransitionRecords, record: number) {
  const { words } = records;
  let part = record + headWords;
  return Array.from({ length: records.countOf(record) }, () => {
    const end = part + partWords + words[part + parts.postWords]!;
    const read = {
      next: words[part + parts.next],
      version: words[part + parts.version],
      struck: words[part + parts.struck],
      posts: [...words.subarray(part + partWords, end)],
      isPlain: words[part + parts.isPlain] === 1,
    };
    part = end;
    return read;
  });
}

test('a record says of each alternative where it leads and what it posts, and gives all of it', () => {
  const records = new TransitionRecords();
  const all = Array.from({ length: 300 }, (_, number) => {
    const alternatives: Alternative[] = Array.from({ length: 1 + (number % 3) }, (_, index) => ({
      ...still,
      next: 2 + number,
      version: index,
      struck: number % 2,
      posts: index === 0 ? [] : [0, number, 2 ** 32 - 1, index],
    }));
    const known = knownFrom(alternatives, number);
    return { known, record: records.add(known, 0) };
  });
  for (const { known, record } of all) {
    expect(records.of(record)).toBe(known);
    expect(read(records, record)).toEqual(
      known.alternatives.map(({ next, version, struck, posts }) => ({
        next,
        version,
        struck,
        posts,
        isPlain: true,
      })),
    );
  }
});

test.each([
  ['timers', { timers: [1, 2] }],
  ['reports', { reports: [{ property: 'a', why: 'b' }] }],
  ['something that observers look at', { footprint: [0] }],
  ['a loss', { lost: true }],
  ['messages that are cleared away', { clears: true }],
  ['a failure', { next: 1 }],
])('an alternative with %s is not plain', (_, change: Partial<Alternative>) => {
  const records = new TransitionRecords();
  const record = records.add(knownFrom([{ ...still, next: 5, ...change }], 0), 2);
  expect(read(records, record)).toMatchObject([{ isPlain: false }]);
});

test('is known when it was needed before the level, or by the search that asks', () => {
  const records = new TransitionRecords();
  const record = records.add(knownFrom([still], 3), 2);
  expect(records.isKnown(record, 3, 7)).toBe(false);
  expect(records.isKnown(record, 4, 7)).toBe(true);
  expect(records.meet(record, 3, 7)).toBe(true);
  expect(records.meet(record, 3, 7)).toBe(false);
  expect([records.isKnown(record, 3, 7), records.isKnown(record, 3, 8)]).toEqual([true, false]);
  expect(records.meet(record, 4, 8)).toBe(false);
});
