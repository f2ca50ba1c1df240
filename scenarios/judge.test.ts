import { describe, expect, it } from 'vitest';
import type { Outcome } from '../kernel/outcome.ts';
import { differenceText, judge } from './judge.ts';

const violation = (property: string) => ({ property, tick: 1, actors: [], why: '' });
const outcome: Outcome = {
  verdict: 'violated',
  ticks: 7,
  deliveries: 30,
  violations: [violation('b'), violation('a'), violation('b')],
};
const result = {
  cycles: 7,
  rows: [
    [0, 1],
    [2, 3],
  ],
  nested: { deep: 'x', other: true },
};

const differences = (expected: Parameters<typeof judge>[0]) =>
  judge(expected, { outcome, result }).map(differenceText);

describe('judge', () => {
  it('finds nothing wrong when nothing is expected', () => {
    expect([differences(undefined), differences({})]).toEqual([[], []]);
  });

  it('finds nothing wrong in a run that is as expected', () => {
    const expected = {
      verdict: 'violated',
      ticks: 7,
      violations: ['a', 'b'],
      result: {
        nested: { deep: 'x' },
        rows: [
          [0, 1],
          [2, 3],
        ],
      },
    } as const;

    expect(differences(expected)).toEqual([]);
  });

  it('names verdict and ticks that differ', () => {
    expect(differences({ verdict: 'ok', ticks: 8 })).toEqual([
      'verdict: expected "ok", found "violated"',
      'ticks: expected 8, found 7',
    ]);
  });

  it('names the path of each value that differs, and the keys that are missing', () => {
    expect(
      differences({
        result: {
          cycles: 8,
          nested: { deep: 'y', more: 1 },
          rows: [
            [0, 1],
            [2, 4],
          ],
        },
      }),
    ).toEqual([
      'result.cycles: expected 8, found 7',
      'result.nested.deep: expected "y", found "x"',
      'result.nested.more: expected 1, found nothing',
      'result.rows[1][1]: expected 4, found 3',
    ]);
  });

  it('compares lists whole', () => {
    expect(differences({ result: { rows: [[0, 1]] } })).toEqual([
      'result.rows[1]: expected nothing, found [2,3]',
    ]);
    expect(differences({ result: { rows: [[0, 1], [2, 3], []] } })).toEqual([
      'result.rows[2]: expected [], found nothing',
    ]);
  });

  it('wants the violated properties and no others, in any order', () => {
    expect(differences({ violations: ['b', 'a'] })).toEqual([]);
    expect(differences({ violations: ['a'] })).toEqual(['violations[1]: expected nothing, found "b"']);
    expect(differences({ violations: ['a', 'b', 'c'] })).toEqual([
      'violations[2]: expected "c", found nothing',
    ]);
  });

  it('tells numbers apart that JSON has no word for', () => {
    const found = (result: unknown, expected: unknown) =>
      judge({ result: expected } as Parameters<typeof judge>[0], { outcome, result }).map(differenceText);

    expect(found({ stamp: Number.NEGATIVE_INFINITY }, { stamp: Number.POSITIVE_INFINITY })).toEqual([
      'result.stamp: expected .inf, found -.inf',
    ]);
    expect(found({ stamp: Number.NaN, all: [] }, { stamp: null, all: [Number.NaN] })).toEqual([
      'result.stamp: expected null, found .nan',
      'result.all[0]: expected .nan, found nothing',
    ]);
    expect(found({ stamp: 7n }, { stamp: [Number.NaN] })).toEqual([
      'result.stamp: expected [".nan"], found 7',
    ]);
    expect(found({ stamp: Number.NaN }, { stamp: Number.NaN })).toEqual([]);
  });

  it('tells a text from a number', () => {
    expect(differences({ result: { cycles: '7' } })).toEqual(['result.cycles: expected "7", found 7']);
  });
});
