import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('system');

const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

async function lockstep(...words: string[]) {
  const { exitCode, out, err } = await called(...words);
  return { exitCode, err, result: out === '' ? undefined : JSON.parse(out) };
}

const matmul = 'scenarios/chiplet/system-matmul.yaml';

describe('lockstep chiplet run', () => {
  test('leaves a run directory that chiplet combine reads back', async () => {
    const dir = join(folder, 'run');
    const run = await lockstep('chiplet', 'run', matmul, '--mode', 'decoupled', '--out', dir, '--json');

    expect(run.exitCode).toBe(0);
    expect(readdirSync(dir)).toEqual([...run.result.files].sort());
    const sent = readFileSync(join(dir, 'buffer_0_1_0_0'), 'utf8').trim().split('\n');
    expect(sent).toHaveLength(16);
    const bench = readFileSync(join(dir, 'bench'), 'utf8').trim().split('\n');
    expect(bench).toHaveLength(304);
    expect(bench[0]).toBe('96 0 0 0 1 4');
    expect(run.result.coupledCycles).toBeGreaterThan(0);

    const words = ['-A', '3', '-B', '12', '-O', '12', '--sync', '4', '--cpu-watts', '35', '--json'];
    const combined = await lockstep('chiplet', 'combine', dir, ...words);
    expect(combined.exitCode).toBe(0);
    expect(combined.result.formulaA).toBe(run.result.totals.formulaA);
    expect(combined.result.formulaB).toBe(run.result.totals.formulaB);
    expect(combined.result.power.total).toBeCloseTo(run.result.power.total, 3);
    expect(combined.result.buffers).toContainEqual({ source: [0, 1], target: [0, 0], values: 16 });
  });

  test('the files of rounds are those of the last one', async () => {
    const dir = join(folder, 'rounds');
    const run = await lockstep('chiplet', 'run', matmul, '--mode', 'iterative', '--out', dir, '--json');
    const lines = readFileSync(join(dir, 'bench'), 'utf8').trim().split('\n');

    expect(run.exitCode).toBe(0);
    expect(run.result.rounds.length).toBeGreaterThan(2);
    expect(lines).toHaveLength(304);
    // In the first round a value leaves every fourth cycle, a cycle a flit; in the last one as the network has let it.
    const times = lines.slice(0, 3).map((line) => Number(line.split(' ')[0]));
    expect(times).toEqual([96, 99, 102]);
  });

  test('says who waits for whom when nobody can go on, with exit code 3', async () => {
    const { exitCode, err } = await lockstep('chiplet', 'run', 'scenarios/chiplet/system-deadlock.yaml');

    expect(exitCode).toBe(1);
    expect(err).toContain('E-DEADLOCK nobody can go on');
    expect(err).toMatch(/Chip\[1\]\[1\]: a warp wants a value of \(0, 0\) since cycle \d+/);
  });
});

const scenario = (changes: {
  readonly chiplet?: string;
  readonly kernels?: string;
  readonly network?: string;
  readonly steps?: string;
}) =>
  written(
    'scenario.yaml',
    `name: test
machine: chiplet
config:
  network: { A: 2${changes.network ?? ''} }
  chiplets:
    - { x: 0, y: 0, kind: cpu, program: main }
    - { ${changes.chiplet ?? 'x: 1, y: 1, kind: gpu, program: main, cores: 1'} }
programs:
  kernels: [${changes.kernels ?? ''}]
  hosts:
    main: { steps: [${changes.steps ?? ''}] }
`,
  );

describe('bad input is located', () => {
  test.each<[string, Parameters<typeof scenario>[0], RegExp]>([
    [
      'a chiplet outside the grid',
      { chiplet: 'x: 2, y: 0, kind: gpu, program: main' },
      /scenario\.yaml:7:\d+ .*E-ADDR coordinate 2, expected 0 to 1/,
    ],
    [
      'two chiplets at one place',
      { chiplet: 'x: 0, y: 0, kind: gpu, program: main' },
      /scenario\.yaml:7:\d+ .*E-ADDR a second chiplet at \(0, 0\), the first is number 0/,
    ],
    [
      'an unknown program',
      { chiplet: 'x: 1, y: 1, kind: gpu, program: mian' },
      /scenario\.yaml:7:\d+ .*E-PROG no program "mian", expected one of: main/,
    ],
    ['an unknown option', { network: ', W: 3' }, /scenario\.yaml:4:\d+ .*"W"/],
    ['three coordinates', { network: ', c: 3' }, /scenario\.yaml:4:\d+ .*E-OPT c = 3, expected 2/],
    ['a missing file', { kernels: '{ file: none.ptx }' }, /scenario\.yaml:9:\d+ .*no file "none\.ptx"/],
    [
      'an instruction that is none',
      { kernels: '{ file: wrong.ptx }' },
      /scenario\.yaml:9:\d+ .*E-PTX wrong\.ptx:5:\d+ .*addd\.s32 %r1, %r1, 1;/,
    ],
    [
      'a kind that there is not',
      { chiplet: 'x: 1, y: 1, kind: tpu, program: main, clockRate: 0' },
      /scenario\.yaml:7:\d+ .*chiplets\[1\]\.kind: found "tpu".*chiplets\[1\]\.clockRate: found 0/,
    ],
    [
      'a message out of the grid',
      { steps: '{ op: send, to: [3, 1], values: [1] }' },
      /scenario\.yaml:11:\d+ .*steps\[0\]\.to: found E-ADDR \(3, 1\), outside a network of 2 routers/,
    ],
    [
      'a message of nobody',
      { steps: '{ op: receive, from: [0, 1], count: 1, as: got }' },
      /steps\[0\]\.from: found E-ADDR \(0, 1\), where no chiplet is, expected one of \(0, 0\) \(1, 1\)/,
    ],
    [
      'a device on a CPU chiplet',
      { steps: '{ op: launch, kernel: k }' },
      /steps\[0\]: found E-PROG launch in the program of the CPU chiplet \(0, 0\)/,
    ],
    [
      'a step that uses a name before it is stored',
      { steps: '{ op: send, to: [1, 1], values: numbers }' },
      /scenario\.yaml:11:\d+ .*found the name "numbers"/,
    ],
  ])('%s', async (_, changes, message) => {
    written(
      'wrong.ptx',
      '.version 7.0\n.target sm_75\n.visible .entry k()\n{ .reg .b32 %r<3>;\n  addd.s32 %r1, %r1, 1;\n  ret;\n}\n',
    );

    const { exitCode, err } = await lockstep('chiplet', 'run', scenario(changes));

    expect(exitCode).toBe(2);
    expect(err.replaceAll('\n', ' ')).toMatch(message);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a trace line without its flits',
      { bench: '0 0 0 1 1 4\n5 0 0 1 1\n' },
      /E-TRACE .*bench:2: found "5 0 0 1 1"/,
    ],
    [
      'a time that falls',
      { bench: '5 0 0 1 1 4\n4 0 0 1 1 4\n' },
      /E-TRACE .*bench:2: .*\n.*a time of at least 5/,
    ],
    ['a place outside the network', { bench: '0 0 0 7 1 4\n' }, /E-ADDR .*\(7, 1\) in line 1/],
    [
      'a buffer with a word',
      { bench: '0 0 0 1 1 4\n', buffer_0_0_1_1: '3\nfour\n' },
      /E-FILE .*buffer_0_0_1_1:2: found "four"/,
    ],
    [
      'a console without rates',
      { bench: '0 0 0 1 1 4\n', 'gpgpusim.1.1.log': 'nothing\n' },
      /E-FILE .*gpgpusim\.1\.1\.log:2/,
    ],
    ['no trace', { other: '' }, /E-FILE .*: found no file of a trace/],
    ['a trace of nothing', { bench: '' }, /E-FILE .*bench: found no packet/],
    ['traces of nothing', { 'bench.0.1': '', 'bench.1.0': '\n' }, /E-FILE .*bench\.0\.1: found no packet/],
  ])('of a run directory: %s', async (name, files, message) => {
    const dir = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(dir);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);

    const { exitCode, err } = await lockstep('chiplet', 'combine', dir, '-A', '2');

    expect(exitCode).toBe(2);
    expect(err).toMatch(message);
  });

  test('a folder that cannot be made, before anything runs', async () => {
    const file = written('file', '');
    const { exitCode, err } = await lockstep('chiplet', 'run', matmul, '--out', join(file, 'below'));

    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /^lockstep: E-FILE --out .*below: found a place where no folder can be made: a file stands where a folder should be/,
    );
  });

  test('a run directory that is not there', async () => {
    const { exitCode, err } = await lockstep('chiplet', 'combine', join(folder, 'nowhere'));

    expect(exitCode).toBe(2);
    expect(err).toContain('E-FILE');
  });
});
