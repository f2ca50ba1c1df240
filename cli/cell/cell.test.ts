import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { called } from '../testing/called.ts';

const machine = 'properties/cell/golden/machine';
const folder = temporaryFolder('cell');

const cell = (...words: readonly string[]) => called('cell', ...words);

describe('cell workload', () => {
  test.each([
    ['burst', 'compiled'],
    ['step', 'compiled'],
    ['burst', 'xstate'],
    ['step', 'xstate'],
  ])('gives the golden line with %s detail on the engine %s', async (detail, engine) => {
    const { exitCode, out } = await cell(
      'workload',
      `${machine}/ex1.workload.json`,
      '--detail',
      detail,
      '--engine',
      engine,
    );

    expect(out).toBe(readFileSync(`${machine}/ex1.result.json`, 'utf8'));
    expect(exitCode).toBe(0);
  });

  test('writes the line to a file, and one object for scripts', async () => {
    const file = join(folder, 'deep/result.json');

    const { out } = await cell('workload', `${machine}/ex2.workload.json`, '--out', file, '--json');

    expect(readFileSync(file, 'utf8')).toBe(readFileSync(`${machine}/ex2.result.json`, 'utf8'));
    expect(JSON.parse(out)).toEqual({
      cycles: 7,
      bytes: 7,
      wallSeconds: expect.any(Number),
      engine: 'compiled',
      detail: 'burst',
      result: JSON.parse(readFileSync(file, 'utf8')),
    });
  });

  test('runs under another policy than the file names', async () => {
    const { out } = await cell('workload', `${machine}/ex1.workload.json`, '--policy', 'sjf-detour');

    expect(JSON.parse(out)).toMatchObject({ policy: 'sjf-detour', totalWait: 2 });
  });

  test('stops after the cycles of the file and says what is incomplete', async () => {
    const file = join(folder, 'cut.json');
    const workload = JSON.parse(readFileSync(`${machine}/ex1.workload.json`, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...workload, cycles: 3 }));

    const { out } = await cell('workload', file);

    expect(JSON.parse(out)).toMatchObject({ cycles: 3, incomplete: true });
  });

  test('refuses a broken file at its place', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, readFileSync(`${machine}/ex1.workload.json`, 'utf8').replace('"g"', '"x"'));

    const { exitCode, err } = await cell('workload', file);

    expect(exitCode).toBe(2);
    expect(err).toContain(`${file}:3:3 programs[1][0]: found operation "x", expected one of r, w, g, p, s`);
  });
});

test.each([
  ['sizeMin', '0', 'saturate.sizeMin: found 0, expected an integer of at least 1'],
  ['sizeMin', '1.5', 'saturate.sizeMin: found 1.5 (a number), expected an integer of at least 1'],
  ['sizeMin', '9', 'saturate.sizeMin: '],
  ['memSize', '0', 'memSize: found 0, expected an integer from 1 to 1073741824'],
  ['memSize', '4096.5', 'memSize: found 4096.5 (a number), expected an integer from 1 to 1073741824'],
])('cell workload refuses %s %s at its place', async (key, value, message) => {
  const saturate = { outstanding: 2, perSpu: 3, localOps: 0, sizeMin: 1, sizeMax: 8, seed: 1 };
  const head = { format: 'cell-workload/1', name: 'x', N: 4, K: 1, memSize: 4096, policy: 'etalon-ff' };
  const text = JSON.stringify({ ...head, saturate }).replace(
    new RegExp(`"${key}":\\d+`),
    `"${key}":${value}`,
  );
  const file = join(folder, 'wrong.workload.json');
  writeFileSync(file, text);

  const { exitCode, err } = await cell('workload', file);

  expect(exitCode).toBe(2);
  expect(err).toContain(`${file}:1:${text.indexOf(`${key}":${value}`) + key.length + 3} ${message}`);
});

describe('cell arb', () => {
  test.each([
    [
      'a node that is not there',
      [[1, 0, 7, 3]],
      '88 instances[0].requests[0][2]: found node 7, expected 0..3',
    ],
    [
      'a node below 0',
      [[1, -1, 2, 3]],
      '86 instances[0].requests[0][1]: found -1, expected an integer of at least 0',
    ],
    [
      'a node that is no whole number',
      [[1, 1.5, 2, 3]],
      '86 instances[0].requests[0][1]: found 1.5 (a number), expected an integer of at least 0',
    ],
    [
      'requests out of order',
      [
        [5, 0, 2, 3],
        [1, 1, 3, 2],
      ],
      '94 instances[0].requests[1][0]: found cycle 1 after 5, expected requests in the order of their cycles',
    ],
  ])('refuses %s at its place', async (_what, requests, message) => {
    const file = join(folder, 'wrong.arb.json');
    const instances = [{ name: 'a', N: 4, K: 1, requests }];
    writeFileSync(file, JSON.stringify({ format: 'cell-arb/1', set: 't', instances }));

    const { exitCode, err } = await cell('arb', file, '--policy', 'etalon-ff');

    expect(exitCode).toBe(2);
    expect(err).toContain(`${file}:1:${message}`);
  });

  test('gives the stored totals of the exact policies', async () => {
    const file = 'properties/cell/golden/arb_tiny.json';
    const stored = JSON.parse(readFileSync(file, 'utf8')).instances;

    const { exitCode, out } = await cell('arb', file, '--policy', 'sjf-detour', '--json');

    expect(exitCode).toBe(0);
    const { instances, sums } = JSON.parse(out);
    const expected = stored.map(
      ({ policies }: { policies: Record<string, number> }) => policies['sjf-detour'],
    );
    expect(instances.map(({ totals }: { totals: Record<string, number> }) => totals['sjf-detour'])).toEqual(
      expected,
    );
    expect(sums['sjf-detour']).toBe(expected.reduce((total: number, one: number) => total + one, 0));
  });

  test('prints a row an instance and the sums', async () => {
    const { out } = await cell('arb', 'properties/cell/golden/arb_tiny.json', '--policy', 'etalon-hol');

    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^instance +N +K +requests +etalon-hol +best +bound$/);
    expect(lines[2]).toMatch(/^tinypub_N4_K1_r0.5_s2 +4 +1 +16 +36 +28\* +28$/);
    expect(lines[41]).toMatch(/^sum +1777 +790 +790$/);
  });
});

describe('cell check', () => {
  let log: string;
  beforeAll(async () => {
    log = join(folder, 'run.log');
    await main(
      ['run', 'scenarios/cell/worked-trace.yaml', '--export', `log=${log}`, '--quiet'],
      new KeptTerminal(),
    );
  });

  /** The log with one change, as another file. */
  function changed(name: string, from: string | RegExp, to: string): string {
    const file = join(folder, name);
    const text = readFileSync(log, 'utf8');
    writeFileSync(file, text.replace(from, to));
    return file;
  }

  test('finds a sound log in order', async () => {
    const { exitCode, out } = await cell('check', log, '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'ok',
      cycles: 6,
      findings: [],
      logHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('exits with the class of the worst finding', async () => {
    const fatal = await cell('check', changed('fatal.log', /("ev":"WR".*?"v":)\d+/, '$1256'));
    const slow = await cell('check', changed('slow.log', '"waitLimit":null', '"waitLimit":2'));

    expect(fatal.exitCode).toBe(3);
    expect(fatal.err).toMatch(/\nFATAL /);
    expect(slow.exitCode).toBe(1);
    expect(slow.err).toContain('PERF CK-24 the total waiting time stays within the configured limit');
  });

  test.each([
    ['an exception of a program', 4, 'EXCEPTION', 'scenarios/cell/program-error.yaml'],
    ['a party that never arrives', 2, 'SYNC', 'scenarios/cell/never-arrives.yaml'],
  ])('tells of %s with exit code %i', async (_, code, severity, scenario) => {
    const file = join(folder, `${severity}.log`);
    await main(['run', scenario, '--export', `log=${file}`, '--quiet'], new KeptTerminal());

    const { exitCode, err } = await cell('check', file);

    expect(exitCode).toBe(code);
    expect(err).toMatch(new RegExp(`^.*: ${severity}; \\d+ records, .*\\n${severity} `));
    // The run's properties found it, too: the log has what parts say, and the checker tells it once.
    expect(err.split(/\n(?=[A-Z])/).slice(1)).toHaveLength(1);
  });

  test('compares the hash with that of another run', async () => {
    const { exitCode, err } = await cell('check', log, '--expect-hash', '0123456789abcdef');

    expect(exitCode).toBe(3);
    expect(err).toContain('CK-27');
  });

  test('refuses what is no log with exit code 64 and the lines', async () => {
    const { exitCode, err } = await cell('check', changed('torn.log', '"ev":"GRANT"', '"ev":"GRANTED"'));

    expect(exitCode).toBe(64);
    expect(err).toMatch(/torn\.log:\d+:1 found ev "GRANTED", expected one of REQ, GRANT, /);
  });
});
