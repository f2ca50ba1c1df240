import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('himeno');

const himeno = (...words: readonly string[]) => called('tca', 'himeno', ...words);

describe('tca himeno', () => {
  test('shows checksums, the residual and where the time of each rank goes', async () => {
    const { exitCode, out } = await himeno('--decomposition', '1x2', '--iterations', '1', '--channels', '0');

    const lines = out.trimEnd().split('\n');
    expect(exitCode).toBe(0);
    expect(lines.slice(0, 3)).toEqual([
      'Himeno XS 1x2x1, mixed, sequential, 1 iterations',
      'pCrc32    0x098bf01d  as the golden data',
      'pFnv1a64  0x7fbae5c21c34734b',
    ]);
    expect(lines[7]).toMatch(/^rank +calculation +halo +convergence {2}us of the last iteration$/);
    expect(lines).toHaveLength(10);
  });

  test('gives one JSON object, and draws a row a rank', async () => {
    const file = join(folder, 'himeno.svg');
    const words = ['--decomposition', '2x1', '--iterations', '2', '--data', 'classic', '--stop', 'ideal'];

    const { exitCode, out, err } = await himeno(...words, '--json', '--plot', file);

    const told = JSON.parse(out);
    expect(exitCode).toBe(0);
    expect(told).toMatchObject({ size: 'XS', decomposition: [2, 1], iterations: 2, channels: [0, 1, 2, 3] });
    expect(told.ranks.map((own: unknown[]) => own.length)).toEqual([2, 2]);
    expect(told.lastIterationNs.calculation).toBe(8000 + (15 * 30 * 62 * 56) / 150);
    expect(err).toContain(`picture written: ${file}`);
    const picture = readFileSync(file, 'utf8');
    expect(picture).toContain('rank 1');
    expect(picture.match(/<rect/g)!.length).toBeGreaterThanOrEqual(2 * 3 + 3);
  });

  test('tells that edges were lost when faces go all at once, which is no failure', async () => {
    const { exitCode, out } = await himeno('--order', 'concurrent', '--iterations', '3', '--channels', '0');

    expect(exitCode).toBe(0);
    expect(out).toContain('not as the golden data');
  });

  test.each([
    ['a size of its own', ['--size', 'XXS'], '--size: found "XXS", expected XS or S or M'],
    ['three blocks', ['--decomposition', '3x1'], 'expected AxB with 1, 2, 4 or 8 blocks'],
    ['no decomposition', ['--decomposition', '2'], 'for example --decomposition 2x2'],
    ['no iterations', ['--iterations', '0'], 'a whole number from 1 to 1000'],
    ['channels that are none', ['--channels', '04'], 'a set of the channels 0 to 3'],
    ['another order', ['--order', 'both'], '--order'],
  ])('refuses %s', async (_, words, told) => {
    const { exitCode, err } = await himeno(...words);

    expect(exitCode).toBe(2);
    expect(err).toContain(told);
  });
});
