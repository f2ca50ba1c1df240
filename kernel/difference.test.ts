import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstDifference } from './difference.ts';
import type { Hasher } from './hash.ts';
import { fixed } from './resource.ts';
import { visible } from './visible.ts';

describe('the first difference', () => {
  test('is there exactly when two values differ as data', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (one, other) => {
        // Through JSON, 0 and -0 are one number.
        const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];
        expect(firstDifference(a, b) === undefined).toBe(isDeepStrictEqual(a, b));
        expect(firstDifference(a, structuredClone(a))).toBeUndefined();
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'it.a[1].b is 2, expected 3'],
    [{ a: 1 }, {}, 'it.a is 1, expected nothing'],
    [{}, { a: undefined }, 'it.a is missing, expected undefined'],
    [[1, 2], [1], 'it[1] is 2, expected nothing'],
    [[], {}, 'it is [], expected {}'],
    ['1', 1, 'it is "1", expected 1'],
    [null, { a: 1 }, 'it is null, expected {"a":1}'],
    [new Map([[1, 2]]), new Map([[1, 3]]), 'it.0[1] is 2, expected 3'],
    [new Set([1, 2]), new Set([2, 1]), 'it.0 is 1, expected 2'],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3]), 'it[1] is 2, expected 3'],
  ])('of %j and %j says where it is', (one, other, where) => {
    expect(firstDifference(one, other)).toBe(where);
  });

  test('does not tell 0 from -0, nor one NaN from another', () => {
    expect(firstDifference([0, Number.NaN], [-0, Number.NaN])).toBeUndefined();
  });
});

describe('what is visible of a value', () => {
  test('is a copy of plain data, with resources as their fingerprints', () => {
    const counter = (n: number) => ({ n, fork: () => counter(n), hash: (into: Hasher) => into.number(n) });
    const value = {
      list: [1, { x: counter(1) }],
      map: new Map([['a', counter(1)]]),
      set: new Set([2]),
      bytes: new Uint8Array([3]),
    };

    const seen = visible(value) as typeof value;

    expect(seen).not.toBe(value);
    expect(seen.list[1]).toEqual({ x: { resource: expect.stringMatching(/^[0-9a-f]{16}$/) } });
    expect(seen.map.get('a')).toEqual((seen.list[1] as { x: unknown }).x);
    expect(visible(counter(2))).not.toEqual(visible(counter(1)));
    expect([seen.set, seen.bytes]).toEqual([value.set, value.bytes]);
    expect(seen.bytes).not.toBe(value.bytes);
  });

  test('is nothing of what is fixed, and instances of classes themselves', () => {
    const date = new Date(0);

    expect(visible(fixed(1))).toEqual(visible(fixed(() => 2)));
    expect((visible({ date }) as { date: Date }).date).toBe(date);
  });
});
