import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('sunway');

const lockstep = (...words: readonly string[]) => called('sunway', ...words);

const bytes = (file: string): string => readFileSync(file).toString('hex');

describe('a job with files', () => {
  const scenario = 'scenarios/sunway/task-resumed.yaml';

  test('that is stopped leaves a mid file that its next run goes on from', async () => {
    const files = join(folder, 'stopped');

    const first = await lockstep('run', scenario, '--files', files, '--bsignal', '35@2000');
    const between = bytes(join(files, 'farm.mid'));
    const second = await lockstep('run', scenario, '--files', files, '--json');

    expect(first.exitCode).toBe(0);
    expect(between).toBe('01000100');
    expect(second.exitCode).toBe(0);
    expect(JSON.parse(second.out).result.told).toEqual([{ done: '3 4 5 9 10 11' }]);
    expect(bytes(join(files, 'farm.mid'))).toBe('01010101');
    expect(await lockstep('readmid', join(files, 'farm.mid'))).toMatchObject({ out: 'blocks=4 done=4\n' });
    expect(existsSync(join(files, '.lockstep-job'))).toBe(false);
  });

  test.each([
    ['34', true],
    ['35', false],
  ])('hears signal %s while it runs', async (signal, drains) => {
    const files = join(folder, `running-${signal}`);
    const long = join(folder, 'long.yaml');
    writeFileSync(
      long,
      `name: long farm\nmachine: sunway\nconfig: { cpesPerCg: 1, fidelity: functional }\nprograms: { module: ${resolve('scenarios/sunway/task-farm.ts')}#many }\n`,
    );

    const running = lockstep('run', long, '--files', files, '--json');
    const hasBegun = () =>
      existsSync(join(files, 'farm.mid')) && bytes(join(files, 'farm.mid')).startsWith('01');
    while (!hasBegun()) await new Promise((turn) => setImmediate(turn));
    const told = await lockstep('bsignal', signal, files);
    const { exitCode, out, err } = await running;
    const mid = bytes(join(files, 'farm.mid'));

    expect(told.exitCode).toBe(0);
    expect(exitCode).toBe(0);
    expect(err).toMatch(drains ? /signal 34 in cycle \d+: .* drains/ : /signal 35: the job ended/);
    expect(mid).toMatch(/^(01)+(00)+$/);
    expect(mid.length).toBe(40_000);
    const { done } = JSON.parse(out).result.told[0];
    // Loops that drain come to their end; what is stopped at once tells nothing more. The block in progress is recorded only when it is whole.
    if (drains) expect(Math.floor(done / 10)).toBe((mid.match(/01/g) ?? []).length);
    else expect(done).toBeUndefined();
  });
});

describe('a job on a terminal', () => {
  const command = fileURLToPath(new URL('../lockstep.mjs', import.meta.url));
  /** Makes a child show how far it is, as on a terminal. */
  const asOnTerminal = 'data:text/javascript,process.stderr.isTTY=true';

  test('that gets Ctrl-C shows how far it was, keeps its mid file and says how to go on, and its next run does', async () => {
    const [files, long] = [join(folder, 'interrupted'), join(folder, 'interrupted.yaml')];
    writeFileSync(
      long,
      `name: long farm\nmachine: sunway\nconfig: { cpesPerCg: 1, fidelity: functional }\nprograms: { module: ${resolve('scenarios/sunway/task-farm.ts')}#many }\n`,
    );
    const child = spawn('node', ['--import', asOnTerminal, command, 'sunway', 'run', long, '--files', files]);
    let [err, sent] = ['', false];
    child.stderr.on('data', (data) => {
      err += data;
      const mid = join(files, 'farm.mid');
      if (sent || !/\d+ ticks\/s/.test(err) || !existsSync(mid) || !bytes(mid).startsWith('01')) return;
      sent = true;
      child.kill('SIGINT');
    });

    const exitCode = await new Promise((done) => child.on('close', done));
    const before = bytes(join(files, 'farm.mid'));
    const blocks = (before.match(/01/g) ?? []).length;
    const next = await lockstep('run', long, '--files', files, '--bsignal', '34@3000', '--json');

    expect(exitCode).toBe(130);
    expect(err).toContain('stopping; Ctrl-C again quits at once');
    expect(err).toContain(`go on with: npx lockstep sunway run ${long} --files ${files}`);
    expect(existsSync(join(files, '.lockstep-job'))).toBe(false);
    expect(before).toMatch(/^(01)+(00)+$/);
    expect(next.exitCode).toBe(0);
    const { done } = JSON.parse(next.out).result.told[0];
    expect(done).toBeGreaterThan(0);
    expect((bytes(join(files, 'farm.mid')).match(/01/g) ?? []).length).toBe(blocks + Math.floor(done / 10));
  }, 120_000);
});

describe('a job that is recorded', () => {
  const scenario = 'scenarios/sunway/task-resumed.yaml';

  test('can be replayed without its folder: files and signals are in the recording', async () => {
    const [files, record] = [join(folder, 'recorded'), join(folder, 'recorded.json')];
    await lockstep('run', scenario, '--files', files, '--bsignal', '35@2000', '--no-record');
    const before = bytes(join(files, 'farm.mid'));

    const { exitCode, out, err } = await lockstep(
      'run',
      scenario,
      '--files',
      files,
      '--bsignal',
      '34@3000',
      '--record',
      record,
      '--json',
    );
    rmSync(files, { recursive: true });
    const terminal = new KeptTerminal();
    const replayed = await main(['replay', record, '--json', '--no-properties'], terminal);

    expect([exitCode, before]).toEqual([0, '01000100']);
    expect(err).toContain(`recording written: ${record}`);
    expect(replayed).toBe(0);
    const [first, second] = [JSON.parse(out), JSON.parse(terminal.stdout)];
    expect(second.same).toBe(true);
    expect(second.checkpointsEqual).toBeGreaterThan(0);
    expect(second.result).toEqual(first.result);
    expect(first.result.told).toEqual([{ done: '3 4 5 9' }]);
  });
});

describe('a mistake', () => {
  test('is told by what was found and what was expected', async () => {
    const files = join(folder, 'mistakes');
    mkdirSync(files);
    writeFileSync(join(files, 'bad.mid'), Uint8Array.of(0, 7));
    writeFileSync(join(files, 'plain'), '');

    expect(await lockstep('bsignal', '33', files)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('found "33", expected 34 or 35'),
    });
    expect(await lockstep('bsignal', '34', files)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('found no running job'),
    });
    writeFileSync(join(files, '.lockstep-job'), 'seven');
    expect(await lockstep('bsignal', '34', files)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('.lockstep-job:1:1 found "seven", expected the number of the process'),
    });
    rmSync(join(files, '.lockstep-job'));
    expect(await lockstep('readmid', join(files, 'bad.mid'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('found byte 7 at 1, expected 0 or 1'),
    });
    expect(await lockstep('readmid', join(files, 'none.mid'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('found no such file'),
    });
    expect(await lockstep('run', 'scenarios/cell/hazard.yaml', '--files', join(files, 'cell'))).toMatchObject(
      { exitCode: 2 },
    );
    expect(
      await lockstep('run', 'scenarios/sunway/task-resumed.yaml', '--files', join(files, 'plain')),
    ).toMatchObject({ exitCode: 2, err: expect.stringContaining('expected a folder') });
    expect(
      await lockstep('run', 'scenarios/sunway/task-resumed.yaml', '--files', join(files, 'plain', 'below')),
    ).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(
        /a file stands where a folder should be \(.*plain.*\), expected a folder to read/,
      ),
    });
  });
});
