import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';

const command = fileURLToPath(new URL('./lockstep.mjs', import.meta.url));
/** Makes a child show how far it is, as on a terminal. */
const asOnTerminal = 'data:text/javascript,process.stderr.isTTY=true';
const folder = temporaryFolder('interrupted');

const at = (...names: string[]): string => join(folder, ...names);
const lockstep = (...args: string[]): ChildProcessWithoutNullStreams =>
  spawn('node', ['--import', asOnTerminal, command, ...args], { cwd: folder });

interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** Sends a signal as soon as `begun` says so of what was written so far, and waits for the end. */
async function interrupted(
  child: ChildProcessWithoutNullStreams,
  begun: (err: string) => boolean,
  signal: 'SIGINT' | 'SIGTERM' = 'SIGINT',
): Promise<Ended> {
  let [out, err, sent] = ['', '', false];
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
    if (sent || !begun(err)) return;
    sent = true;
    child.kill(signal);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, out, err };
}

describe('Ctrl-C, as the signal that a terminal sends', () => {
  test('ends a check by two threads with what it knows, its exit code, and how to come further', async () => {
    writeFileSync(
      at('large.yaml'),
      'name: large\nmachine: two-phase-commit\nconfig: { resourceManagers: 12 }\n',
    );
    const child = lockstep('check', 'large.yaml', '--workers', '2', '--json');

    const { exitCode, out, err } = await interrupted(child, (text) => text.includes(' states, '));

    expect(exitCode).toBe(130);
    const { verdict, states, unexplored, ...report } = JSON.parse(out);
    expect([verdict, report.interrupted, states > 0, unexplored > 0]).toEqual([
      'incomplete',
      true,
      true,
      true,
    ]);
    expect(err).toContain('stopping; Ctrl-C again quits at once');
    expect(err).toContain(
      'large (two-phase-commit): nothing found so far, not everything explored, interrupted',
    );
    expect(err).toContain(
      'interrupted: the states are not kept, so the same command begins anew; it comes further in the same time with more --workers or --symmetry',
    );
  }, 120_000);

  test('ends a campaign by two threads with its findings, which the same command goes on from', async () => {
    const args = [
      'fuzz',
      'register',
      '--mutant',
      'lost-write',
      '--keep-going',
      '--workers',
      '2',
      '--out',
      'campaign',
    ];
    const ran = (text: string) => text.includes(' runs, ');

    const { exitCode, out, err } = await interrupted(lockstep(...args, '--runs', '1000000', '--json'), ran);

    expect(exitCode).toBe(1);
    const report = JSON.parse(out);
    const ledger = () => JSON.parse(readFileSync(at('campaign', 'ledger.json'), 'utf8'));
    const { runs, findings } = ledger();
    expect([report.interrupted, report.runs]).toEqual([true, runs]);
    expect(findings.length).toBeGreaterThan(0);
    expect(existsSync(at('campaign', 'failure-1.recording.json'))).toBe(true);
    expect(err).toContain('go on with: npx lockstep fuzz register --out campaign ');

    const goOn = await interrupted(lockstep(...args, '--runs', String(runs + 1), '--json'), () => false);

    expect(goOn.err).toContain(`ledger.json: goes on after ${runs} runs`);
    expect(JSON.parse(goOn.out).runs).toBe(runs + 1);
    expect(ledger().findings.length).toBeGreaterThanOrEqual(findings.length);
  }, 240_000);
});

test.each([
  ['one thread', '1'],
  ['two threads', '2'],
])(
  'a campaign of runs without end is interrupted in the middle of one (%s)',
  async (_, workers) => {
    writeFileSync(
      at('forever.yaml'),
      'name: forever\nmachine: fairness\nconfig: { system: spinner, size: 2, fair: true }\nuntil: 1000000000\n',
    );
    const child = lockstep('fuzz', 'forever.yaml', '--workers', workers, '--out', `for-${workers}`, '--json');

    const { exitCode, out, err } = await interrupted(child, (text) => text.includes('0 of 1,000 runs'));

    expect(exitCode).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ interrupted: true, runs: 0, verdict: 'incomplete' });
    expect(err).toContain('no run was carried out, so nothing is judged, interrupted');
  },
  60_000,
);

test('SIGTERM, as the schedulers of clusters send, keeps as much: a run tells what it came to', async () => {
  writeFileSync(
    at('endless.yaml'),
    'name: endless\nmachine: fairness\nconfig: { system: spinner, size: 2, fair: true }\nuntil: 1000000000\n',
  );
  const child = lockstep('run', 'endless.yaml', '--json', '--record', 'endless.json');

  const { exitCode, out } = await interrupted(child, (text) => text.includes(' ticks, '), 'SIGTERM');

  expect(exitCode).toBe(130);
  expect(JSON.parse(out)).toMatchObject({ interrupted: true });
  expect(existsSync(at('endless.json'))).toBe(true);
}, 60_000);
