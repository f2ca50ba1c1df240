import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  batchesOf,
  dealtSchedules,
  mergedRows,
  type Rows,
  type RowTally,
  runBatch,
  scheduleNumber,
} from './schedules.ts';

const shards = (of: number) => Array.from({ length: of }, (_, index) => ({ number: index + 1, of }));

const name = fc.stringMatching(/^[a-z]{1,6}$/);

test('each schedule of each row is dealt to exactly one shard', () => {
  fc.assert(
    fc.property(name, fc.nat(200), fc.integer({ min: 1, max: 20 }), (row, each, of) => {
      const dealt = shards(of).flatMap((shard) =>
        Array.from({ length: dealtSchedules(row, each, shard) }, (_, place) =>
          scheduleNumber(row, place, shard),
        ),
      );

      expect(dealt.sort((a, b) => a - b)).toEqual(Array.from({ length: each }, (_, number) => number));
    }),
  );
});

test('rows of one schedule each are dealt to all shards', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `row ${index}`);

  const dealt = shards(4).map((shard) => rows.reduce((sum, row) => sum + dealtSchedules(row, 1, shard), 0));

  for (const count of dealt) expect(count).toBeGreaterThan(25);
});

test('goes through all rows before any goes on, and not through what is done', () => {
  const names = ['a', 'b', 'c'];

  const all = [...batchesOf(names, 61, undefined, () => 0)];
  const left = [...batchesOf(names, 61, undefined, (row) => (row === 'b' ? 35 : 61))];

  expect(all.map(({ first, count }) => [first, count])).toEqual(
    [
      [0, 1],
      [1, 9],
      [10, 30],
      [40, 21],
    ].flatMap((one) => [one, one, one]),
  );
  expect(left).toEqual([
    { row: 1, first: 35, count: 5 },
    { row: 1, first: 40, count: 21 },
  ]);
});

/** Rows of which some are wrong in some schedules. */
const rowsOf = (wrong: Readonly<Record<string, readonly number[]>>): Rows => {
  const names = Object.keys(wrong);
  return {
    names,
    tried: (row, schedule) => (wrong[names[row]!]!.includes(schedule) ? `wrong in ${schedule}` : undefined),
  };
};

/** Carries a campaign out as the command does, one batch after the other. */
async function carriedOut(
  rows: Rows,
  each: number,
  shard?: { readonly number: number; readonly of: number },
): Promise<readonly RowTally[]> {
  const tallies = new Map<string, RowTally>();
  for (const batch of batchesOf(rows.names, each, shard, () => 0)) {
    const row = rows.names[batch.row]!;
    if (tallies.get(row)?.found === undefined) tallies.set(row, await runBatch(rows, shard, batch));
  }
  return rows.names.map((row) => tallies.get(row) ?? { row, schedules: 0 });
}

describe('shards put together', () => {
  test('come to what one campaign comes to', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, fc.array(fc.nat(150), { maxLength: 4 }), { minKeys: 1, maxKeys: 6 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 9 }),
        async (wrong, each, of) => {
          const rows = rowsOf(wrong);
          const whole = await carriedOut(rows, each);

          const parts = await Promise.all(
            shards(of).map(async (shard) => ({ shard, rows: await carriedOut(rows, each, shard) })),
          );

          expect(mergedRows(parts)).toEqual(whole);
        },
      ),
      { numRuns: 200 },
    ));

  test('keep what was found, and claim no schedule that was not run', () => {
    const [one, other] = shards(2);
    const first = scheduleNumber('a', 0, one) === 0 ? one! : other!;
    const second = first === one ? other! : one!;

    const merged = mergedRows([
      { shard: first, rows: [{ row: 'a', schedules: 1 }] },
      { shard: second, rows: [{ row: 'a', schedules: 4, found: 'wrong', at: 9 }] },
    ]);

    expect(merged).toEqual([{ row: 'a', schedules: 2, found: 'wrong', at: 9 }]);
  });
});
