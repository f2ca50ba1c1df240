import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Hasher, hashOf } from './hash.ts';
import { fixed } from './resource.ts';

/** Plain data with its keys in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reordered(one)]),
  );
}

const plain = fc.jsonValue({ maxDepth: 3 });

describe('the hash of a value', () => {
  test('has sixteen digits, those in front that are zeros too', () => {
    const digits = Array.from({ length: 600 }, (_, value) => hashOf(value));

    expect(digits.filter((one) => !/^[0-9a-f]{16}$/.test(one))).toEqual([]);
    // Among so many each half begins with a zero now and then.
    expect(digits.filter((one) => one[0] === '0').length).toBeGreaterThan(5);
    expect(digits.filter((one) => one[8] === '0').length).toBeGreaterThan(5);
  });

  test('is the same for equal data, whatever the order of its keys', () => {
    fc.assert(
      fc.property(plain, (value) => hashOf(reordered(structuredClone(value))) === hashOf(value)),
      { seed: 7 },
    );
  });

  test('is different for different data', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(plain, (value) => {
        // -0 is 0 for JSON and for the hash.
        const text = JSON.stringify(reordered(sorted(value)));
        const known = seen.get(hashOf(value));
        seen.set(hashOf(value), text);
        return known === undefined || known === text;
      }),
      { numRuns: 3000, seed: 7 },
    );
    expect(seen.size).toBeGreaterThan(1000);
  });

  test.each<[string, unknown, unknown]>([
    ['the keys of a map', new Map([['a', 1]]), new Map([['b', 1]])],
    ['the values of a map', new Map([['a', 1]]), new Map([['a', 2]])],
    ['the size of a map', new Map([['a', 1]]), new Map()],
    [
      'the order of a map',
      new Map([
        [1, 1],
        [2, 1],
      ]),
      new Map([
        [2, 1],
        [1, 1],
      ]),
    ],
    ['the elements of a set', new Set([1]), new Set([2])],
    ['the size of a set', new Set(), new Set([0])],
    ['the keys of an object', { a: 1 }, { b: 1 }],
    ['the size of an object', { a: undefined }, {}],
    ['the size of a list', [undefined], []],
    ['the size of a typed array', new Uint8Array(1), new Uint8Array(2)],
    ['a map and a set', new Map(), new Set()],
    ['null and undefined', null, undefined],
    ['true and false', true, false],
    ['a number and its text', 1, '1'],
    ['a bigint and a number', 1n, 1],
  ])('differs when only %s differ', (_, one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
    expect(hashOf([one, 0])).not.toBe(hashOf([other, 0]));
  });

  test('tells kinds, signs, fractions and sizes apart', () => {
    const values = [
      0,
      1,
      -1,
      0.5,
      -0.5,
      1.5,
      2 ** 31,
      -(2 ** 31),
      2 ** 32,
      2 ** 40,
      Number.MAX_SAFE_INTEGER,
      1e-300,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      '',
      '0',
      '1',
      'a',
      'ab',
      true,
      false,
      null,
      undefined,
      1n,
      2n,
      -1n,
      [],
      [0],
      [0, 0],
      [[]],
      [[0], []],
      [[], [0]],
      {},
      { a: 1 },
      { a: undefined },
      { b: 1 },
      { a: 1, b: 1 },
      ['a', 'b'],
      ['ab'],
      ['ab', ''],
      new Map([[1, 2]]),
      new Map([[2, 1]]),
      new Map([
        [1, 2],
        [3, 4],
      ]),
      new Set([1, 2]),
      new Set([2, 1]),
      new Uint8Array(2),
      new Uint8Array([1, 0]),
      new Uint8Array(3),
    ];

    expect(new Set(values.map(hashOf)).size).toBe(values.length);
  });

  test('counts 0 and -0 as the same, and every NaN as the same', () => {
    const otherNaN = new Float64Array(new BigUint64Array([0xfff8000000000123n]).buffer)[0]!;

    expect(hashOf(-0)).toBe(hashOf(0));
    expect(otherNaN).toBeNaN();
    expect(hashOf(otherNaN)).toBe(hashOf(Number.NaN));
  });

  test('of a resource is what the resource feeds, and nothing of what is fixed', () => {
    const resource = (fed: number) => ({
      secret: Math.sign(fed),
      fork: () => resource(fed),
      hash: (into: Hasher) => into.number(Math.abs(fed)),
    });

    expect(hashOf({ r: resource(3) })).toBe(hashOf({ r: resource(-3) }));
    expect(hashOf({ r: resource(3) })).not.toBe(hashOf({ r: resource(4) }));
    expect(hashOf({ f: fixed(1) })).toBe(hashOf({ f: fixed(() => 2) }));
  });

  test('is stable: fingerprints are kept in recordings', () => {
    expect(hashOf({ text: 'abc', list: [1, -2, 3.25, null], flag: true })).toMatchInlineSnapshot(
      `"125427d9abc08d7d"`,
    );
    expect(hashOf(Number.NaN)).toMatchInlineSnapshot(`"a81efda9a3e1c198"`);
  });
});

describe('a hasher', () => {
  test('feeds a list of integers, and a list of words, as it feeds them one by one', () => {
    const [list, words, single] = [new Hasher(), new Hasher(), new Hasher()];
    const values = [0, 1, -1, 77, 2 ** 31 - 1, 0.5, 3];

    list.numbers(values);
    single.word(values.length);
    for (const value of values) single.number(value);

    expect(list.digest()).toBe(single.digest());

    const one = new Hasher();
    words.words(new Uint32Array([1, 2, 2 ** 31, 5]));
    for (const value of [1, 2, 2 ** 31, 5]) one.word(value);
    expect(words.digest()).toBe(one.digest());
  });

  test('depends on the order of what it is fed', () => {
    const fed = (...words: number[]) => {
      const hasher = new Hasher();
      for (const word of words) hasher.word(word);
      return hasher.digest();
    };

    expect(fed(1, 2)).not.toBe(fed(2, 1));
    expect(fed(0)).not.toBe(fed());
    expect(fed(0, 0)).not.toBe(fed(0));
    expect(fed(1, 2)).toMatch(/^[0-9a-f]{16}$/);
  });

  test('feeds a part of a typed array as if it were the whole of a smaller one', () => {
    const part = new Hasher();
    part.numbers(new Uint8Array([9, 1, 2, 9]), 1, 3);
    const whole = new Hasher();
    whole.numbers([1, 2]);

    expect(part.digest()).toBe(whole.digest());
  });
});

/** With sorted keys, so that equal data has equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
