import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { projectFolder } from './project.ts';

const command = fileURLToPath(new URL('./lockstep.mjs', import.meta.url));
const folder = temporaryFolder('command');

test('the command runs from any folder, with data on standard output and text on standard error', () => {
  const scenario = join(projectFolder, 'scenarios/cell/worked-trace.yaml');

  const out = execFileSync('node', [command, 'run', scenario, '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });

  expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', ticks: 6 });
});

test('npm run -s lockstep -- passes arguments, output and exit code through', () => {
  const call = () =>
    execFileSync(
      'npm',
      ['run', '-s', 'lockstep', '--', 'run', 'scenarios/broken/cell/07-unknown-machine.yaml'],
      {
        cwd: projectFolder,
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );

  expect(call).toThrow(
    expect.objectContaining({ status: 2, stdout: '', stderr: expect.stringContaining(':2:10 SCN020') }),
  );
});

test.each([
  ['03-bad-indentation', ':4:6 SCN002 found "N: 4": '],
  ['26-export-missing', ':4:13 SCN023 programs[0].module: found no export "produser"'],
])('the broken scenario %s ends with one located text and no stack', async (name, line) => {
  const file = join(projectFolder, `scenarios/broken/cell/${name}.yaml`);

  const { exitCode, out, err } = await ended(spawn('node', [command, 'run', file], { cwd: folder }));

  expect([exitCode, out]).toEqual([2, '']);
  expect(err.startsWith(`${file}${line}`)).toBe(true);
  expect(err).not.toMatch(/\n\s+at |defect/);
});

// In a process of its own: what tests load goes through another reader.
test('a module that is nested too deeply is told as such', async () => {
  const deep = 20_000;
  writeFileSync(join(folder, 'deep.ts'), `export const d = ${'['.repeat(deep)}${']'.repeat(deep)};\n`);
  writeFileSync(join(folder, 'deep.yaml'), 'name: d\nmachine: ./deep.ts#d\nprograms: []\n');

  const { exitCode, err } = await ended(spawn('node', [command, 'run', 'deep.yaml'], { cwd: folder }));

  expect(exitCode).toBe(2);
  expect(err).toContain('"./deep.ts" does not load: its code is nested too deeply');
});

test('a run that fails is recorded beside other output without being asked', async () => {
  writeFileSync(
    join(folder, 'lost.yaml'),
    'name: a lost grant\nmachine: cell\nconfig: { N: 3, K: 1, memSize: 64 }\nprograms: [[[0, put, 0, 1, 32, 4]]]\nfaults: [{ mutant: D-02 }]\n',
  );

  const { exitCode, err } = await ended(spawn('node', [command, 'run', 'lost.yaml'], { cwd: folder }));

  expect(exitCode).toBe(1);
  expect(err).toContain('replay it: npx lockstep replay out/a-lost-grant.recording.json');
  expect(JSON.parse(readFileSync(join(folder, 'out/a-lost-grant.recording.json'), 'utf8')).end.verdict).toBe(
    'deadlock',
  );
});

test('Ctrl-C keeps what is known: figures, one JSON object, a recording that replays', async () => {
  writeFileSync(
    join(folder, 'long.yaml'),
    'name: long\nmachine: cell\nconfig: { policy: etalon-ff }\nprograms: { saturate: { outstanding: 2, perSpu: 1000000, sizeMin: 1, sizeMax: 32, seed: 1 } }\n',
  );
  const child = spawn(
    'node',
    [
      command,
      'run',
      'long.yaml',
      '--no-properties',
      '--record',
      'long.json',
      '--export',
      'csv=long.csv',
      '--json',
    ],
    { cwd: folder },
  );
  // The export begins with the run: as soon as its file is there, there is something to interrupt.
  const begun = setInterval(() => {
    if (!partOf('.long.csv')) return;
    clearInterval(begun);
    child.kill('SIGINT');
  }, 20);

  const { exitCode, out, err } = await ended(child);

  expect(exitCode).toBe(130);
  expect(JSON.parse(out)).toMatchObject({ interrupted: true, recording: 'long.json' });
  expect(err).toMatch(/long \(cell\): ok so far, interrupted after tick \d+/);
  expect(err).toContain('replay it: npx lockstep replay long.json');
  expect(readFileSync(join(folder, 'long.csv'), 'utf8')).toMatch(/^seq,tick,/);
  const replayed = execFileSync('node', [command, 'replay', 'long.json', '--no-properties', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(JSON.parse(replayed)).toMatchObject({ same: true, toEnd: true, ticks: JSON.parse(out).ticks });
});

test('programs of users load wherever they lie: as modules without package.json, in JavaScript as well', () => {
  const files = {
    'one.ts': "import { put } from './two';\nexport function* ok(): Generator<object> { yield put(32); }\n",
    'two.ts':
      "export const put = (addr: number): object => ({ op: 'put', my: 0, peer: 1, addr, size: 4 });\n",
    'three.js': "export function* ok() { yield { op: 'put', my: 0, peer: 0, addr: 40, size: 4 }; }\n",
    'modules.yaml':
      'name: modules\nmachine: cell\nconfig: { N: 2, memSize: 64 }\nprograms: [{ module: one.ts#ok }, { module: three.js#ok }]\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

  const out = execFileSync('node', [command, 'run', 'modules.yaml', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });

  expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', result: { bytes: 8 } });
});

test('a full disk behind standard output is one line', () => {
  const full = openSync('/dev/full', 'w');
  const { stderr, status } = spawnSync('node', [command, 'list', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);

  expect(status).toBe(2);
  expect(stderr).toBe(
    'lockstep: standard output cannot be written (ENOSPC)\n  help: check where it is sent to\n',
  );
});

test('a constraint of a user loads without package.json', () => {
  writeFileSync(join(folder, 'limits.ts'), 'export const limit: number = 2;\n');
  writeFileSync(
    join(folder, 'small.ts'),
    "import { limit } from './limits';\nexport const few = (state: { messages: unknown[] }): boolean => state.messages.length < limit;\n",
  );
  writeFileSync(
    join(folder, 'puts.yaml'),
    'name: puts\nmachine: cell\nconfig: { N: 2, memSize: 64, detail: step, run: { cycles: 6 } }\nprograms: [[[0, p, 0, 1, 32, 4]]]\n',
  );

  const { stdout, status } = spawnSync(
    'node',
    [command, 'check', 'puts.yaml', '--constraint', 'small.ts#few', '--max-states', '50', '--json'],
    { cwd: folder, encoding: 'utf8' },
  );

  // All twelve properties of the machine are judged.
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'ok', unexplored: 0 });
});

/** True when a file whose name begins so lies in the folder. */
const partOf = (start: string): boolean => readdirSync(folder).some((name) => name.startsWith(start));

/** What a process wrote and how it ended. */
async function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ exitCode: number | null; out: string; err: string }> {
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, out, err };
}
