import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('tca');

describe('tca bench', () => {
  test('shows the model beside the prototype and what was measured', async () => {
    const { exitCode, out } = await called('tca', 'bench', 'pingpong', '--sizes', '8,32768');

    expect(exitCode).toBe(0);
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'size | series | us | GB/s | prototype us | PEACH2 us | MPI/IB us',
      '8 B | CH0 | 2.004 | 0.004 | 2.004 +0.0 % | 2.015 -0.5 % | 2.272',
      '32768 B | CH0 | 13.728 | 2.387 | 13.728 +0.0 % | 14.400 -4.7 % | 17.200',
      '',
    ]);
  });

  test.each([
    ['fig1', ['--sizes', '1024'], 4, { series: 'CH0', ns: 2088 }],
    ['fig5', ['--sizes', '8192', '--channels', '0123'], 1, { series: 'CH0123', ns: 3983, goldenNs: 3983 }],
    ['fig6', ['--sizes', '16'], 4, { at: 'N=16', series: 'block CH0', ns: 2492, goldenNs: 2492 }],
    // Takes as long as all others together.
    ...effort<[string, string[], number, object][]>({
      short: [],
      long: [['fig7', ['--channels', '0'], 15, { at: '2x1x1', bytes: 65_536, goldenNs: 14_140 }]],
    }),
    ['whatif', ['--sizes', '4096'], 3, { series: 'CH0', ns: 3767, goldenNs: 3767 }],
  ])('measures %s as JSON', async (figure, options, count, first) => {
    const { exitCode, out } = await called('tca', 'bench', figure, ...options, '--json');

    const { bench, rows } = JSON.parse(out);
    expect(exitCode).toBe(0);
    expect(bench).toBe(figure);
    expect(rows).toHaveLength(count);
    expect(rows[0]).toMatchObject(first);
  });

  test('draws bandwidth over size', async () => {
    const file = join(folder, 'fig1.svg');

    const { err } = await called(
      'tca',
      'bench',
      'fig1',
      '--sizes',
      '64,1024',
      '--channels',
      '0,3',
      '--plot',
      file,
    );

    expect(err).toContain(`picture written: ${file}`);
    expect(readFileSync(file, 'utf8').match(/<polyline/g)).toHaveLength(2);
  });

  test.each([
    ['an unknown figure', ['fig5x'], 'fig5'],
    ['sizes that are no numbers', ['fig5', '--sizes', '8,x'], '--sizes'],
    ['sizes that no channel moves', ['fig5', '--sizes', '10'], 'a multiple of 4'],
    ['channels that are none', ['fig5', '--channels', '04'], 'channels 0 to 3'],
    ['a set where one channel is measured', ['fig1', '--channels', '01'], 'expected one'],
    ['sizes of a halo', ['fig7', '--sizes', '8'], 'expected neither'],
  ])('refuses %s', async (_, words, told) => {
    const { exitCode, err } = await called('tca', 'bench', ...words);

    expect(exitCode).toBe(2);
    expect(err).toContain(told);
  });
});

describe('verify', () => {
  test('names the claims that it skips, with the reason, and does not count them', async () => {
    const { claims, origin } = JSON.parse(readFileSync('properties/tca/golden/paper-claims.json', 'utf8'));
    const file = join(folder, 'claims.json');
    const few = claims.filter(({ id }: { id: string }) => ['tags', 'iters'].includes(id));
    writeFileSync(file, JSON.stringify({ origin, claims: [...few, { ...few[0], id: 'other' }] }));

    const { exitCode, out, err } = await called('verify', file, '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out).files[0]).toMatchObject({
      kind: 'tca claims',
      rows: 1,
      passed: 1,
      notCompared: [{ id: 'iters' }, { id: 'other', reason: 'nobody measures a claim of this name' }],
    });
    expect(err).toContain('  skipped iters: how long the benchmark runs');
  });

  test('fails with measurements that the model does not meet, and with a damaged file', async () => {
    const measurements = JSON.parse(readFileSync('properties/tca/golden/public-measurements.json', 'utf8'));
    const [wrong, damaged] = [join(folder, 'wrong.json'), join(folder, 'damaged.json')];
    const changed = { ...measurements, peach2_direct_ch0_pingpong_us: { '8': 2.2 } };
    writeFileSync(wrong, JSON.stringify({ ...changed, peach2_direct_ch0_blockstride_us: { note: '' } }));
    writeFileSync(damaged, JSON.stringify({ ...changed, mpi_gdr_pingpong_us: 1 }));

    const { exitCode, out } = await called('verify', wrong, damaged, '--json');

    const { files } = JSON.parse(out);
    expect(exitCode).toBe(1);
    expect(files[0].failed).toMatchObject([{ id: 'PEACH2 8 B', expected: 2.2, found: 2.004 }]);
    expect(files[1].failed[0]).toMatchObject({ id: 'file' });
  });
});
