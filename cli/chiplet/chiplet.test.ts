import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';
import { significantDigits } from './significant-digits.ts';

const folder = temporaryFolder('chiplet');

const golden = 'properties/chiplet/golden/popnet';

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('chiplet popnet', () => {
  test('prints the report of the original, and figures as JSON', async () => {
    const words = '-A 4 -c 2 -V 3 -B 12 -O 12 -F 4 -L 1000 -T 5787 -r 1 -R 0'.split(' ');

    const { exitCode, out, err } = await called(
      'chiplet',
      'popnet',
      ...words,
      '-I',
      `${golden}/traces/u4low.txt`,
      '--json',
    );

    const { rows } = JSON.parse(readFileSync(`${golden}/golden.json`, 'utf8'));
    const { fifo } = rows.find(({ trace }: { trace: string }) => trace === 'u4low');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      finished: fifo.finished,
      endTime: fifo.endTime,
      counters: fifo.counters,
      flitHops: fifo.counters.linkWords / 4,
    });
    expect(err).toContain('virtual channel number: 3\n');
    expect(err).toContain('current time: 2000\n');
    expect(err).toContain('total finished: 500\n');
  });

  test('writes the delay of each packet as it arrives', async () => {
    const delays = join(folder, 'delays.txt');

    await called(
      'chiplet',
      'popnet',
      '-A',
      '4',
      '-V',
      '3',
      '-B',
      '12',
      '-O',
      '12',
      '-T',
      '3928',
      '-I',
      `${golden}/traces/int4.txt`,
      '-D',
      delays,
    );

    expect(readFileSync(delays, 'utf8')).toBe(readFileSync(`${golden}/delays/int4.txt`, 'utf8'));
  });

  test.each([
    [[], '1.25 '],
    [['--ties', 'legosim'], '1 '],
    [['--ties', 'legosim', '--start-times', 'exact'], '1.25 '],
    [['--start-times', 'whole'], '1 '],
  ])('writes start times as an edition does: %s', async (words, start) => {
    const delays = join(folder, 'starts.txt');
    const trace = file('fraction.txt', '1.25 0 0 0 1 5\n');

    await called('chiplet', 'popnet', '-A', '2', '-T', '100', '-I', trace, '-D', delays, ...words);

    expect(readFileSync(delays, 'utf8')).toBe(`${start}0 0 0 1 9.75\n`);
  });

  test('merges local traces when there is no main one', async () => {
    file('bench.0.1', '1 0 1 0 0 2\n9 0 1 1 1 2\n');
    file('bench.1.0', '1 1 0 0 0 1\n');

    const { out } = await called(
      'chiplet',
      'popnet',
      '-A',
      '2',
      '-T',
      '100',
      '-I',
      join(folder, 'bench'),
      '--json',
    );

    expect(JSON.parse(out)).toMatchObject({ finished: 3, endTime: 101 });
  });

  test.each(['fifo', 'heap', 'legosim'])(
    'answers requests of a transaction trace (--ties %s)',
    async (ties) => {
      const records = join(folder, 'delayInfo.txt');
      const trace = file('transactions.txt', '1000 900 0 1 0 0 2 65536\n2000 2500 1 1 0 0 2 65536\n');

      const words = ['-A', '2', '-V', '3', '-T', '5000', '-P', '-I', trace, '-D', records, '--ties', ties];
      await called('chiplet', 'popnet', ...words, '--first-start', 'trace');

      expect(readFileSync(records, 'utf8')).toBe(
        '1000 0 1 0 0 65536 4 1 6 0 6\n2000 1 1 0 0 65536 4 1 11 0 10\n',
      );
    },
  );

  test('finds the records of the reference line for line where its edition orders events', async () => {
    for (const name of ['doc-matmul', 'sync-mix']) {
      const { rows } = JSON.parse(readFileSync(`${golden}/ext.json`, 'utf8')) as {
        readonly rows: readonly {
          readonly id: string;
          readonly params: { readonly A: number };
          readonly delayInfo: readonly string[];
        }[];
      };
      const { params, delayInfo } = rows.find(({ id }) => id === `x-${name}`)!;
      const records = join(folder, `${name}.delays`);
      const words = ['-V', '3', '-B', '12', '-O', '12', '-P', '--ties', 'legosim', '-m', '1e9'];
      const trace = `${golden}/ext/${name}.bench.txt`;
      await called('chiplet', 'popnet', '-A', String(params.A), ...words, '-I', trace, '-D', records);

      expect(readFileSync(records, 'utf8').trim().split('\n')).toEqual(delayInfo);
    }
  });

  test('says how many packets a simulation has not brought to their ends', async () => {
    const trace = file('far.txt', '1 0 0 0 1 5\n90 0 0 3 3 5\n');

    const { exitCode, err } = await called('chiplet', 'popnet', '-A', '4', '-T', '100', '-I', trace);

    expect(exitCode).toBe(0);
    expect(err).toContain('E-LIMIT cycle 100 was reached with 1 of 2 packets on their way');
  });

  test('loses packets that meet a full buffer (-l)', async () => {
    const crowd = Array.from({ length: 30 }, (_, at) => `${at} ${at % 3} ${1 + (at % 2)} 0 0 6\n`).join('');
    const trace = file('crowd.txt', crowd);
    const words = ['-A', '3', '-V', '1', '-B', '2', '-T', '4000', '-I', trace, '--json'];

    const { out, err } = await called('chiplet', 'popnet', ...words, '-l');
    const { finished, lostPackets, droppedFlits } = JSON.parse(out);

    expect(finished + lostPackets).toBe(30);
    expect(droppedFlits).toBeGreaterThanOrEqual(lostPackets);
    expect(lostPackets).toBeGreaterThan(0);
    expect(err).toContain(`total lost: ${lostPackets}\n`);
    expect(JSON.parse((await called('chiplet', 'popnet', ...words)).out)).toMatchObject({ finished: 30 });
  });

  test('tells of a deadlock with exit code 3', async () => {
    const graph = file('ring.gv', 'graph g { edge[weight=0.9] 0--1--2--3--4--0 }');
    const trace = file('ring.txt', [0, 1, 2, 3, 4].map((at) => `0.5 ${at} ${(at + 2) % 5} 20\n`).join(''));

    const { exitCode, err } = await called(
      'chiplet',
      'popnet',
      '-A',
      '5',
      '-c',
      '1',
      '-R',
      '4',
      '-V',
      '1',
      '-B',
      '2',
      '-G',
      graph,
      '-I',
      trace,
      '-T',
      '500',
    );

    expect(exitCode).toBe(1);
    expect(err).toContain('E-DEADLOCK');
    expect(err).toContain(
      'in a circle: Router[0] -> Router[1] -> Router[2] -> Router[3] -> Router[4] -> Router[0]',
    );
  });

  test.each([
    ['no trace', [], 'E-OPT found no -I'],
    ['an unknown option', ['-Q', '3'], 'E-OPT unknown option "-Q"'],
    ['a number that is none', ['-A', 'x', '-I', 'good'], 'E-OPT -A: found "x"'],
    ['a torus with one channel', ['-R', '1', '-V', '1', '-I', 'good'], 'expected at least 2'],
    ['dimensions that the routing has not', ['-c', '4', '-I', 'good'], 'E-OPT -c: found c = 4 with R = 0'],
    ['no link length where it must be there', ['--strict', '-F', '4', '-I', 'good'], 'E-OPT found no -L'],
    ['no such file', ['-I', 'nowhere'], 'E-FILE nowhere'],
    ['a router that is not there', ['-I', 'address'], 'E-ADDR'],
    ['a router that is not there, with its line', ['-I', 'address'], 'address:2: found coordinate 4'],
    ['times that go back', ['-I', 'time'], 'E-TRACE'],
    [
      'loss in the order of a heap',
      ['-l', '--ties', 'heap', '-I', 'good'],
      'E-OPT --ties: found heap with loss',
    ],
    ['a missing number', ['-I', 'short'], 'short:1: found 5 fields'],
    ['more flits than can be numbered', ['-I', 'huge'], 'huge:2: found 600000001 flits up to here'],
    ['no channels', ['-V', '0', '-I', 'good'], 'E-OPT -V: found 0, expected a number of at least 1'],
    [
      'correct wires without a mesh of chiplets',
      ['--correct-wires', '-I', 'good'],
      'E-OPT --correct-wires: found true with R = 0',
    ],
    ['more than an integer holds', ['-F', '1e99', '-I', 'good'], 'found 1e+99, expected a number below 2^53'],
    ['half a place', ['-B', '1.5', '-I', 'good'], 'E-OPT -B: found 1.5, expected a whole number'],
    ['an order that nothing has', ['--ties', 'none', '-I', 'good'], 'expected one of fifo, heap, legosim'],
    ['a packet without flits', ['-I', 'empty'], 'found 0 flits'],
    ['a graph that is none', ['-R', '4', '-c', '1', '-I', 'good', '-G', 'address'], 'expected "graph"'],
  ])('refuses %s', async (_, words, told) => {
    const texts: Readonly<Record<string, string>> = {
      good: '1 0 0 1 1 5\n',
      huge: '0 0 0 1 1 1\n0 0 0 1 1 600000000\n',
      address: '1 0 0 1 1 5\n2 0 4 1 1 5\n',
      time: '2 0 0 1 1 5\n1 0 0 1 1 5\n',
      short: '2 0 0 1 1\n',
      empty: '2 0 0 1 1 0\n',
    };
    const given = words.map((word) => (texts[word] === undefined ? word : file(word, texts[word])));

    const { exitCode, err } = await called('chiplet', 'popnet', '-A', '4', ...given);

    expect(exitCode).toBe(2);
    expect(err).toContain(told);
  });

  test.each([
    [37.12634, '37.1263'],
    [0.00207568, '0.00207568'],
    [0.0000207568, '2.07568e-05'],
    [1_000_000, '1e+06'],
    [20_000, '20000'],
    [0, '0'],
  ])('writes %d as C++ does', (value, text) => {
    expect(significantDigits(value)).toBe(text);
  });
});

test('chiplet curve tells where the delay doubles, and draws it', async () => {
  const picture = join(folder, 'curve.svg');

  const { out } = await called(
    'chiplet',
    'curve',
    '--side',
    '4',
    '--channels',
    '1',
    '--cycles',
    '800',
    '--loads',
    '0.05,0.2,0.5',
    '--plot',
    picture,
    '--json',
  );

  const [{ knee, points }] = JSON.parse(out).curves;
  expect(points).toHaveLength(3);
  expect(knee).toBeGreaterThan(0.2);
  expect(existsSync(picture)).toBe(true);
});

test('verify finds every figure of the reference runs and extensions', async () => {
  const { exitCode, out } = await called('verify', golden, '--json');

  const { files } = JSON.parse(out);
  const compared = files.filter(({ kind }: { kind: string | null }) => kind !== null);
  expect(compared.map(({ kind, failed }: { kind: string; failed: unknown[] }) => [kind, failed])).toEqual([
    ['popnet extensions', []],
    ['popnet runs', []],
  ]);
  expect(exitCode).toBe(0);
});
