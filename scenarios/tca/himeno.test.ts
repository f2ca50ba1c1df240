import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { type HimenoGolden, himenoGoldenSchema, himenoRows } from './himeno-cases.ts';

const file = new URL('../../properties/tca/golden/himeno.json', import.meta.url);
const golden = himenoGoldenSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Golden data cut down to one size, so that a test does not repeat the long runs. */
const small: HimenoGolden = { ...golden, cases: golden.cases.filter(({ imax }) => imax === 16) };

describe('the golden data of the Himeno kernel', () => {
  test('is met by every figure, the wrong checksum of the wrong exchange included', () => {
    // A hundred iterations on 64x64x128 points take a second each.
    const cases = golden.cases.filter(
      ({ imax, iterations }) => imax < 64 || iterations < effort({ short: 100, long: 101 }),
    );
    const rows = [...himenoRows({ ...golden, cases })];

    expect(rows.filter(({ passed }) => !passed)).toEqual([]);
    expect(rows).toHaveLength(cases.length * 7 + 2 * (5 * 3 + 1));
    expect(rows.find(({ id }) => id === 'mixed 2x2x1 concurrent pCrc32')?.found).toBe('0x58ecdbc2');
  });

  test('fails in exactly the rows whose figures are changed', () => {
    const [first, ...others] = small.cases;
    const changed = {
      ...small,
      cases: [
        { ...first!, gosaF64: first!.gosaF64 * (1 + 2 ** -52), pFnv1a64: '0x0000000000000000' },
        ...others,
      ],
      decomposed: { ...small.decomposed, mixed_2x2x1_without_edges: small.decomposed.mixed },
    };

    const failed = [...himenoRows(changed)].filter(({ passed }) => !passed).map(({ id }) => id);

    expect(failed).toEqual([
      'classic 16x16x32 1 gosaF64',
      'classic 16x16x32 1 pFnv1a64',
      'mixed 2x2x1 concurrent pCrc32',
    ]);
  });

  test('is compared whatever the order of its cases', () => {
    const backwards = { ...small, cases: [...small.cases].reverse() };

    const rows = [...himenoRows(backwards)];

    expect(rows.every(({ passed }) => passed)).toBe(true);
    expect(rows).toHaveLength(8 * 7 + 2 * (5 * 3 + 1));
  });

  test('is refused with a key that nobody compares, with unknown data and with grids out of bounds', () => {
    const [first] = golden.cases;
    const faultOf = (change: object) => {
      const parsed = himenoGoldenSchema.safeParse({ ...golden, cases: [{ ...first!, ...change }] });
      return parsed.error?.issues.map(({ path }) => path.join('.'));
    };

    expect(faultOf({})).toBeUndefined();
    expect(faultOf({ pSha: '0x00' })).toEqual(['cases.0']);
    expect(faultOf({ variant: 'other' })).toEqual(['cases.0.variant']);
    expect(faultOf({ kmax: 2 })).toEqual(['cases.0.kmax']);
    expect(faultOf({ iterations: 10_001 })).toEqual(['cases.0.iterations']);
    expect(faultOf({ pCrc32: '58ecdbc2' })).toEqual(['cases.0.pCrc32']);
  });
});
