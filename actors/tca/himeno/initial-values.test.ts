import { describe, expect, test } from 'vitest';
import { createBlock } from './block.ts';
import { blockExtents, decompose } from './decomposition.ts';
import { fieldNames } from './grid.ts';
import { initialValues } from './initial-values.ts';

const size = { imax: 7, jmax: 6, kmax: 5 };

/** U(q, s) of TCA specification 13 in integers without limit. */
function hashedFraction(q: bigint, s: bigint): number {
  const word = (value: bigint) => BigInt.asUintN(32, value);
  let h = word(q * 2654435761n + s * 40503n);
  h ^= h >> 15n;
  h = word(h * 2246822519n);
  h ^= h >> 13n;
  return Number(h >> 8n) / 2 ** 24;
}

describe('initial values', () => {
  test('`classic` has a parabola along i in p, and the coefficients of a plain average', () => {
    const value = initialValues('classic', size);

    const p = Array.from({ length: 7 }, (_, i) => value('p', i, 2, 3));
    const others = fieldNames.filter((name) => name !== 'p').map((name) => [name, value(name, 3, 2, 1)]);

    expect(p).toEqual([0, 1, 4, 9, 16, 25, 36].map((square) => Math.fround(square / 36)));
    expect(Object.fromEntries(others)).toEqual({
      ...{ a0: 1, a1: 1, a2: 1, a3: Math.fround(1 / 6), b0: 0, b1: 0, b2: 0, c0: 1, c1: 1, c2: 1 },
      ...{ bnd: 1, wrk1: 0, wrk2: 0 },
    });
  });

  test('`mixed` follows the hash of the linear index in the whole grid', () => {
    const value = initialValues('mixed', size);
    const [i, j, k] = [5, 4, 3];
    const q = 5n * 30n + 4n * 5n + 3n;
    const around = (centre: number, s: bigint) => Math.fround(centre + (hashedFraction(q, s) - 0.5) / 16);

    const found = Object.fromEntries(fieldNames.map((name) => [name, value(name, i, j, k)]));

    expect(found).toEqual({
      p: Math.fround(Math.fround(25 / 36) + hashedFraction(q, 1n) / 128),
      ...{ a0: around(1, 2n), a1: around(1, 3n), a2: around(1, 4n), a3: Math.fround(1 / 6) },
      ...{ b0: around(0, 5n), b1: around(0, 6n), b2: around(0, 7n) },
      ...{ c0: around(1, 8n), c1: around(1, 9n), c2: around(1, 10n) },
      wrk1: Math.fround((hashedFraction(q, 11n) - 0.5) / 1024),
      wrk2: 0,
      bnd: 1,
    });
  });

  test('`mixed` holds the points fixed where 7i + 3j + k is a multiple of 29', () => {
    const value = initialValues('mixed', size);

    expect([value('bnd', 0, 0, 0), value('bnd', 2, 4, 3), value('bnd', 2, 4, 4)]).toEqual([0, 0, 1]);
  });

  test('a block has the values of its part of the grid, its halo included', () => {
    const decomposition = decompose(size, 3, 2);
    const value = initialValues('mixed', size);

    const { fields, allocated } = createBlock(decomposition, 3, 'mixed');

    const { i, j } = blockExtents(decomposition, 3);
    expect([i.allocatedFirst, j.allocatedFirst, allocated]).toEqual([1, 2, { imax: 4, jmax: 4, kmax: 5 }]);
    for (const name of fieldNames)
      for (let at = 0; at < fields[name].length; at++) {
        const [di, dj, k] = [Math.floor(at / 20), Math.floor(at / 5) % 4, at % 5];
        expect(fields[name][at]).toBe(value(name, 1 + di, 2 + dj, k));
      }
  });
});
