import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equalRow, type ReferenceKind } from '../scenarios/reference-kind.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';
import { detailOf } from './verify/popnet-run.ts';
import { verifyFile } from './verify/verify-file.ts';

const golden = 'properties/cell/golden';
const folder = temporaryFolder('verify');

async function verify(...paths: string[]) {
  const terminal = new KeptTerminal();
  const exitCode = await main(['verify', ...paths, '--json'], terminal);
  return { exitCode, err: terminal.stderr, files: JSON.parse(terminal.stdout).files };
}

/** A copy of a golden file, changed. */
function changed(name: string, change: (text: string) => string): string {
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(`${golden}/${name}`, 'utf8')));
  return file;
}

describe('verify', () => {
  test('finds nothing wrong with whole runs and tiny instances', async () => {
    const { exitCode, files } = await verify(`${golden}/machine`, `${golden}/arb_tiny.json`);

    expect(exitCode).toBe(0);
    const compared = files.filter(({ skipped }: { skipped: string | null }) => skipped === null);
    expect(compared.map(({ kind, rows, passed }: Record<string, unknown>) => [kind, rows, passed])).toEqual([
      ...Array.from({ length: 11 }, () => ['cell-workload/1', 12, 12]),
      ['cell-arb/1', 880, 880],
    ]);
  });

  test('with --explicit finds nothing wrong with state machines for all parts', async () => {
    const { exitCode, files } = await verify(
      `${golden}/machine/ex1.workload.json`,
      'properties/grape/golden/matmul.expected.json',
      '--explicit',
    );

    expect(exitCode).toBe(0);
    expect(files.map(({ rows, passed }: Record<string, unknown>) => rows === passed)).toEqual([true, true]);
  });

  test('tells each kind whether state machines are asked for', async () => {
    const asked: unknown[] = [];
    const kind: ReferenceKind = {
      name: 'any',
      summary: '',
      recognises: () => true,
      rows: ({ explicit }) => [equalRow('asked', 'asked', asked.push(explicit), asked.length)],
    };
    for (const explicit of [undefined, true])
      await verifyFile(`${golden}/machine/ex1.workload.json`, [kind], async () => true, explicit);

    expect(asked).toEqual([false, true]);
    expect(detailOf({ path: '', text: '', json: null, explicit: true })).toEqual({ detail: 'channel' });
  });

  test('names the keys in which a result differs, and where the line does', async () => {
    cpSync(`${golden}/machine/ex1.workload.json`, join(folder, 'ex1.workload.json'));
    const result = readFileSync(`${golden}/machine/ex1.result.json`, 'utf8');
    writeFileSync(
      join(folder, 'ex1.result.json'),
      result.replace('"maxWait":2', '"maxWait":3').replace('"put",2,3,3,1,3', '"put",2,3,3,1,4'),
    );

    const { exitCode, files, err } = await verify(join(folder, 'ex1.workload.json'));

    expect(exitCode).toBe(1);
    expect(files[0]).toMatchObject({ kind: 'cell-workload/1', rows: 12, passed: 9 });
    expect(
      files[0].failed
        .map(({ id, expected, found }: Record<string, unknown>) => [id, expected, found])
        .slice(0, 2),
    ).toEqual([
      ['maxWait', 3, 2],
      ['transfers[2]', [2, 0, 'put', 2, 3, 3, 1, 4, 1, 0, 1], [2, 0, 'put', 2, 3, 3, 1, 3, 1, 0, 1]],
    ]);
    expect(files[0].failed[2].id).toBe('line');
    expect(err).toContain('FAILED   ');
  });

  test.each([
    ['a total', '"etalon-hol":36,', '"etalon-hol":35,', ['tinypub_N4_K1_r0.5_s2 etalon-hol']],
    [
      'a placement',
      '"placements":[[2,0,0],[3,1,0]',
      '"placements":[[1,0,0],[3,1,0]',
      ['tinypub_N4_K1_r0.5_s1 best placements', 'tinypub_N4_K1_r0.5_s1 best total'],
    ],
    ['a lower bound', '"lowerBound":28', '"lowerBound":30', ['tinypub_N4_K1_r0.5_s2 best bound']],
    [
      'an optimum',
      '"totalWait":28,"optimal":true',
      '"totalWait":32,"optimal":true',
      ['tinypub_N4_K1_r0.5_s2 best total', 'tinypub_N4_K1_r0.5_s2 sjf-detour optimum'],
    ],
  ])('catches %s that is wrong', async (_, right, wrong, ids) => {
    const file = changed('arb_tiny.json', (text) => text.replace(right, wrong));

    const { exitCode, files } = await verify(file);

    expect(exitCode).toBe(1);
    expect(files[0].failed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
    expect(files[0].rows).toBe(880);
  });

  test('catches a calibrated figure of the bus that is off by more than its tolerance', async () => {
    const file = changed('eib_anchors.json', (text) => {
      const anchors = JSON.parse(text);
      // One placement of the pairs is enough here, and a seventh of the time.
      const rows = anchors.fourPairs.rows.filter((row: { hops: readonly number[] }) => row.hops[0] === 6);
      return JSON.stringify({
        ...anchors,
        fourPairs: { ...anchors.fourPairs, rows: [{ ...rows[0], calibratedModelGBps: 85 }] },
      });
    });

    const { exitCode, files } = await verify(file);

    expect(exitCode).toBe(1);
    expect(files[0]).toMatchObject({
      kind: 'cell-eib-anchors/1',
      rows: 29,
      passed: 28,
      failed: [{ expected: 85, tolerance: 0.02 }],
    });
  });

  test('skips what it cannot compare, with the reason', async () => {
    const place = join(folder, 'strange');
    mkdirSync(place);
    cpSync(`${golden}/machine/ex2.workload.json`, join(place, 'ex2.workload.json'));
    cpSync(`${golden}/machine/ex1.result.json`, join(place, 'ex1.result.json'));
    writeFileSync(join(place, 'notes.md'), '# notes');
    writeFileSync(join(place, 'other.json'), '{"format":"other/1"}');

    const { exitCode, files } = await verify(place);

    expect(exitCode).toBe(2);
    expect(files.map(({ skipped }: { skipped: string }) => skipped)).toEqual([
      'there is no workload beside it to run',
      `there is no ${join(place, 'ex2.result.json')} to compare with`,
      'not JSON, so of no known format',
      expect.stringMatching(/^of no known format; known: cell-arb\/1, /),
    ]);
  });

  test.each([
    ['prose', '# notes'],
    ['nothing', ''],
    ['another format', '{"format":"other/1"}'],
    ['a list of no instances', '{"format":"cell-arb/1","set":"x","instances":[]}'],
  ])('refuses a file that it is given and that holds %s: nothing compared is no pass', async (name, text) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.json`);
    writeFileSync(file, text);

    const { exitCode, err } = await verify(file);

    expect(exitCode).toBe(2);
    expect(err).toContain('nothing compared is no pass');
  });

  test('refuses a folder in which there is nothing to compare', async () => {
    const place = join(folder, 'prose');
    mkdirSync(place);
    writeFileSync(join(place, 'notes.md'), '# notes');

    expect((await verify(place)).exitCode).toBe(2);
  });

  test('counts a damaged file as a failed row and names the place', async () => {
    const file = changed('arb_tiny.json', (text) => text.replace('"N":4', '"N":0'));

    const { exitCode, files } = await verify(file);

    expect(exitCode).toBe(1);
    expect(files[0].failed[0]).toMatchObject({
      id: 'file',
      found: expect.stringContaining('arb_tiny.json:2:37 instances[0].N: found 0'),
    });
  });

  test.each([
    ['cell/golden/eib_anchors.json', 'preset'],
    ['chiplet/golden/interchiplet/golden.json', 'cases'],
    ['tca/golden/himeno.json', 'decomposed'],
    ['tca/golden/paper-claims.json', 'claims'],
    ['tca/golden/public-measurements.json', 'peach2_direct_ch0_pingpong_us'],
    ['tca/golden/weights-trace.json', 'traces'],
  ])('says where %s is not of its shape, in plain words', async (name, key) => {
    const json = JSON.parse(readFileSync(`properties/${name}`, 'utf8'));
    const damaged = Array.isArray(json[key]) ? [json[key][0], 7] : 'something else';
    const file = join(folder, `damaged-${name.replaceAll('/', '-')}`);
    writeFileSync(file, JSON.stringify({ ...json, [key]: damaged }, null, 1));

    const { exitCode, files } = await verify(file);

    expect(exitCode).toBe(1);
    const [{ found }] = files[0].failed;
    expect(found).toMatch(/\.json:\d+:\d+ /);
    expect(found).toMatch(/found .*, expected /);
    expect(found).not.toMatch(/Invalid input|Too small|received/);
  });

  describe('against the bytes of a GPU', () => {
    const measured = 'properties/chiplet/golden/gpu';

    /** A copy of the folder with one launch, whose case and text may be changed. */
    function launchOf(
      name: string,
      change: (one: { expected: Record<string, { outputs: Record<string, string> }> }) => void,
      text: (ptx: string) => string = (ptx) => ptx,
    ): string {
      const place = mkdtempSync(join(folder, 'gpu-'));
      mkdirSync(join(place, 'ptx'));
      const { cases, ...head } = JSON.parse(readFileSync(`${measured}/cases.json`, 'utf8'));
      const one = cases.find((it: { name: string }) => it.name === name);
      change(one);
      for (const ptx of Object.keys(one.expected))
        if (!ptx.includes('absent'))
          writeFileSync(join(place, ptx), text(readFileSync(`${measured}/${ptx}`, 'utf8')));
      const file = join(place, 'cases.json');
      writeFileSync(file, JSON.stringify({ ...head, cases: [one] }));
      return file;
    }

    test('counts launches by verdict', async () => {
      const { exitCode, files, err } = await verify(`${measured}/cases.json`);

      expect(exitCode).toBe(0);
      expect(files[0]).toMatchObject({ kind: 'lockstep-gpu/1', rows: 13, passed: 13 });
      expect(files[0].verdicts).toEqual({
        equal: 11,
        'allowed: contraction': 1,
        'allowed: approximation': 1,
      });
      expect(err).toContain('  1 allowed: approximation; 1 allowed: contraction; 11 equal\n');
    });

    test('programs that the GPU was asked after they had been run here', async () => {
      const { exitCode, files } = await verify('properties/chiplet/golden/gpu-programs/cases.json');

      expect(exitCode).toBe(0);
      expect(files[0]).toMatchObject({ rows: 68, passed: 68 });
      expect(files[0].verdicts).toEqual({
        equal: 65,
        'allowed: contraction': 1,
        'allowed: approximation': 2,
      });
    });

    test('tensor cores of small types, and lanes that wait for a lock', async () => {
      const { exitCode, files } = await verify('properties/chiplet/golden/gpu-forms/cases.json');

      expect(exitCode).toBe(0);
      expect(files[0].verdicts).toEqual({ equal: 8 });
    });

    test('lanes that part in loops, at switches and by early returns', async () => {
      const { exitCode, files } = await verify('properties/chiplet/golden/gpu-ways/cases.json');

      expect(exitCode).toBe(0);
      expect(files[0].verdicts).toEqual({ equal: 15, 'allowed: contraction': 1 });
    });

    test('a byte that is another one is wrong', async () => {
      const file = launchOf('match_lanes', (one) => {
        const [answer] = Object.values(one.expected);
        answer!.outputs['out'] = `AAAA${answer!.outputs['out']!.slice(4)}`;
      });

      const { exitCode, files } = await verify(file);
      expect(exitCode).toBe(1);
      expect(files[0].verdicts).toEqual({ wrong: 1 });
      expect(files[0].failed[0].found).toMatch(/^out\[0\] is .*, the GPU has .*; 1 of \d+ elements differ$/);
    });

    test('a number beyond the bounds of approximations is wrong', async () => {
      const file = launchOf('math_tanh', (one) => {
        const [answer] = Object.values(one.expected);
        const bytes = Buffer.from(answer!.outputs['out']!, 'base64');
        bytes.writeFloatLE(bytes.readFloatLE(8) * 1.01, 8);
        answer!.outputs['out'] = bytes.toString('base64');
      });

      expect((await verify(file)).files[0].verdicts).toEqual({ wrong: 1 });
    });

    test('a kernel that cannot be compiled is refused, with the line', async () => {
      const file = launchOf(
        'match_lanes',
        () => {},
        (ptx) => ptx.replace('match.all', 'match.none'),
      );

      const { exitCode, files } = await verify(file);
      expect(exitCode).toBe(1);
      expect(files[0].verdicts).toEqual({ refused: 1 });
      expect(files[0].failed[0].found).toMatch(/^line \d+: found "none" in match\.none/);
    });

    test('nothing compared is no pass', async () => {
      const file = launchOf('match_lanes', (one) => {
        one.expected = { 'ptx/absent.ptx': Object.values(one.expected)[0]! };
      });

      const { exitCode, files } = await verify(file);
      expect(exitCode).toBe(2);
      expect(files[0]).toMatchObject({ rows: 0, notCompared: [{ reason: 'its text is not there' }] });
    });
  });
});
