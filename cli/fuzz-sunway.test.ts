import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { barriersHoldEverybody } from '../properties/sunway/barriers-hold-everybody.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('fuzz-sunway');

const called = calledAt(80);

describe('fuzz sunway', () => {
  test('finds nothing in a sound node', async () => {
    const { exitCode, out } = await called(
      ...['fuzz', 'sunway', '--runs', '6', '--strategy', 'random,pct', '--no-coverage'],
      ...['--out', join(folder, 'sound'), '--json'],
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ machine: 'sunway', runs: 6, verdict: 'ok', findings: [] });
    // The machine is loaded when it is asked for.
  }, 300_000);

  test('makes a failure simple, names its property, records it, and the recording replays and is explained', async () => {
    const { exitCode, out } = await called(
      ...['fuzz', 'sunway', '--mutant', 'S-21', '--strategy', 'random', '--no-coverage'],
      ...['--out', join(folder, 'late'), '--json'],
    );

    expect(exitCode).toBe(1);
    const [{ scenario, what, recording, explanation }] = JSON.parse(out).findings;
    expect(what).toBe(barriersHoldEverybody.sentence);
    // The barrier that every program begins with is enough.
    expect(readFileSync(scenario, 'utf8')).toContain('cpesPerCg: 2');
    expect(readFileSync(explanation, 'utf8').replaceAll(/\s+/g, ' ')).toContain(what);
    expect(JSON.parse((await called('replay', recording, '--json')).out)).toMatchObject({ same: true });
    expect((await called('explain', recording)).err.replaceAll(/\s+/g, ' ')).toContain(what);
  }, 300_000);
});
