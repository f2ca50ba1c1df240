import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decompose, rankCount } from '../../actors/tca/himeno/decomposition.ts';
import { gridSizes } from '../../actors/tca/himeno/grid.ts';
import { variants } from '../../actors/tca/himeno/initial-values.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { type HimenoSetting, settingOf } from '../../machines/tca/himeno-setting.ts';
import { himenoGoldenSchema } from './himeno-cases.ts';
import { type HimenoNodes, runHimeno } from './himeno-run.ts';

const file = new URL('../../properties/tca/golden/himeno.json', import.meta.url);
const golden = himenoGoldenSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const small = { imax: 16, jmax: 16, kmax: 32 };
const all = [
  [1, 1],
  [2, 1],
  [1, 2],
  [4, 1],
  [1, 4],
  [2, 2],
  [4, 2],
  [2, 4],
] as const;

const caseOf = (size: typeof small, data: string, iterations: number) =>
  golden.cases.find(
    (one) =>
      one.variant === data &&
      one.iterations === iterations &&
      one.imax === size.imax &&
      one.jmax === size.jmax &&
      one.kmax === size.kmax,
  )!;

/** Runs on nodes and compares every checksum that the golden data has. */
function meets(setting: HimenoSetting, nodes?: HimenoNodes): void {
  const expected = caseOf(setting.decomposition.size as typeof small, setting.data, setting.iterations);
  const { result, simulation } = runHimeno(setting, nodes);

  expect(simulation.outcome.verdict).toBe('ok');
  expect(result).toMatchObject({
    pCrc32: expected.pCrc32,
    pFnv1a64: expected.pFnv1a64,
    pMidBits: expected.pMidBits,
    pSumF64: expected.pSumF64,
  });
  expect(Math.abs(result!.gosaF64 / expected.gosaF64 - 1)).toBeLessThan(1e-12);
}

describe('Himeno on nodes', () => {
  test.each(all)('in %i x %i blocks has the checksums of one block, to the last bit', (A, B) => {
    for (const data of A * B === 8 ? (['mixed'] as const) : variants)
      meets({ decomposition: decompose(small, A, B), data, order: 'sequential', iterations: 3 });
  });

  test('has them after ten iterations, on one channel and with stops that cost nothing', () => {
    const setting = { decomposition: decompose(small, 2, 2), data: 'mixed', order: 'sequential' } as const;

    meets({ ...setting, iterations: 10 }, { channels: [0], stopDetect: 'ideal' });
  });

  test('comes to the golden wrong checksum when all faces are from one snapshot, right where edges do not matter', () => {
    const crcOf = (A: number, B: number, data: 'classic' | 'mixed') =>
      runHimeno({ decomposition: decompose(small, A, B), data, order: 'concurrent', iterations: 10 }).result
        ?.pCrc32;

    expect(crcOf(2, 2, 'mixed')).toBe(golden.decomposed.mixed_2x2x1_without_edges);
    expect(crcOf(2, 2, 'classic')).toBe(golden.decomposed.classic);
    expect(crcOf(4, 1, 'mixed')).toBe(golden.decomposed.mixed);
  });

  test.each([
    ['XS', 2, 2, 'classic', 10],
    ['XS', 1, 4, 'mixed', 3],
    ['XS', 4, 2, 'mixed', 1],
    ['S', 2, 2, 'mixed', 1],
    ...effort({
      short: [],
      long: [
        ['S', 2, 1, 'mixed', 2],
        ['S', 1, 2, 'classic', 1],
      ] as const,
    }),
  ] as const)(
    'of size %s in %i x %i blocks meets the golden data: %s, %i iterations',
    (size, A, B, data, iterations) => {
      meets({ decomposition: decompose(gridSizes[size], A, B), data, order: 'sequential', iterations });
    },
  );

  test('calculates for as long as the points of a rank take, and all ranks end an iteration together', () => {
    const decomposition = decompose(gridSizes.XS, 2, 1);

    const { iterations } = runHimeno({ decomposition, data: 'classic', order: 'sequential', iterations: 2 });

    const points = 15 * 30 * 62;
    expect(iterations).toHaveLength(rankCount(decomposition));
    for (const own of iterations)
      expect(own.map(({ begun, calculated }) => calculated - begun)).toEqual([
        8000 + (points * 56) / 150,
        8000 + (points * 56) / 150,
      ]);
    const [first, second] = iterations.map((own) => own.at(-1)!.converged);
    expect(Math.abs(first! - second!)).toBeLessThan(1000);
  });
});

describe('the environment of a Himeno job', () => {
  test.each([
    [
      { HIMENO_SIZE: '8x8x2' },
      'HIMENO_SIZE: found "8x8x2", expected XS, S, M or points such as 16x16x32, at least 3 along each axis',
    ],
    [{ HIMENO_SIZE: '2x10x10' }, 'HIMENO_SIZE: found "2x10x10"'],
    [
      { HIMENO_SIZE: '3x3x3', HIMENO_DECOMPOSITION: '4x1' },
      'HIMENO_DECOMPOSITION: found "4x1", expected at most 3x3, a block for each plane',
    ],
    [{ HIMENO_SIZE: 'XXS' }, 'HIMENO_SIZE: found "XXS", expected XS, S, M or points such as 16x16x32'],
    [{ HIMENO_DECOMPOSITION: '9x1' }, 'HIMENO_DECOMPOSITION: found "9x1", expected blocks'],
    [{ HIMENO_DECOMPOSITION: '4x2' }, 'HIMENO_DECOMPOSITION: found 8 blocks, expected at most 4'],
    [{ HIMENO_DATA: 'other' }, 'HIMENO_DATA: found "other", expected classic or mixed'],
    [{ HIMENO_ORDER: 'both' }, 'HIMENO_ORDER: found "both", expected sequential or concurrent'],
    [{ HIMENO_ITERATIONS: '0' }, 'HIMENO_ITERATIONS: found "0", expected a number from 1 to 9999'],
    [{ HIMENO_CRC32: '58ecdbc2' }, 'HIMENO_CRC32: found "58ecdbc2", expected 8 hexadecimal digits'],
  ])('is refused when it has %o', (environment, why) => {
    expect(() => settingOf(environment as Record<string, string>, 4)).toThrow(why);
  });
});
