import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Machine } from '../machines/machine.ts';
import { ScenarioError, type ScenarioErrorCode, ScenarioErrors, scenarioErrors } from './errors.ts';
import { loadScenario } from './load.ts';
import { loadRecording, parseRecording } from './recording.ts';
import { choicesOf } from './simulate.ts';
import { ping } from './testing/ping.ts';
import { read } from './testing/read.ts';

const head = 'name: a\nmachine: ping\nconfig: { players: 2 }\n';
const machines = [ping as Machine];

/** For each code what raises it, and the place that must be named. */
const raising: Record<ScenarioErrorCode, readonly [place: string, raise: () => unknown]> = {
  SCN001: ['1:1', () => loadScenario('no-such-file.yaml', machines)],
  SCN002: ['2:1', () => read('a: [1,\n')],
  SCN003: ['2:1', () => read('name: a\nname: b\n')],
  SCN004: ['1:1', () => read('- a\n')],
  SCN005: ['2:103', () => read(`name: a\nx: ${'['.repeat(200)}`)],
  SCN010: ['4:1', () => read(`${head}untill: 3`)],
  SCN011: ['3:9', () => read('name: a\nmachine: ping\nconfig: {}')],
  SCN012: ['4:8', () => read(`${head}until: x`)],
  SCN013: ['3:20', () => read('name: a\nmachine: ping\nconfig: { players: 0 }')],
  SCN014: ['4:20', () => read(`${head}faults: [{ mutant: lostBal }]`)],
  SCN015: ['3:9', () => read('name: a\nmachine: fussy\nconfig: { players: 1 }', [fussy])],
  SCN020: ['2:10', () => read('name: a\nmachine: pin')],
  SCN021: ['4:21', () => read(`${head}programs: { module: programs.ts }`)],
  SCN022: ['4:21', () => read(`${head}programs: { module: program.ts#byRound }`)],
  SCN023: ['4:21', () => read(`${head}programs: { module: programs.ts#byRund }`)],
  SCN024: ['4:21', () => read(`${head}programs: { module: broken.ts#byRound }`)],
  SCN025: ['4:21', () => read(`${head}programs: { module: programs.ts#notAProgram }`)],
  SCN030: ['4:24', () => read(`${head}programs: { strengths: [1] }`)],
  SCN031: [
    '2:11',
    () => choicesOf({ file: 'a.yaml', text: 'name: a\nschedule: pct' }, { kind: 'pct', seed: 1 }, {}),
  ],
  SCN032: ['4:24', () => read(`${head}faults: [{ drop: { to: Servant } }]`)],
  SCN033: ['4:28', () => read(`${head}faults: [{ crash: { actor: Server } }]`)],
  SCN040: ['1:1', () => loadRecording('no-such-file.json')],
  SCN041: ['1:8', () => parseRecording('{"a": 1', 'r.json')],
  SCN042: ['1:12', () => parseRecording('{"format": "cell-result/1"}', 'r.json')],
  SCN043: ['1:1', () => parseRecording('{"format": "lockstep-recording/1"}', 'r.json')],
};

const fussy: Machine = {
  ...(ping as Machine),
  name: 'fussy',
  config: ping.config.refine(() => false, 'nothing pleases me') as Machine['config'],
};

async function raised(raise: () => unknown): Promise<ScenarioErrors> {
  try {
    await raise();
  } catch (error) {
    if (error instanceof ScenarioErrors) return error;
    throw error;
  }
  throw new Error('nothing was raised');
}

describe('the catalogue of scenario errors', () => {
  const codes = Object.keys(scenarioErrors) as ScenarioErrorCode[];

  it.each(codes)('has %s, which is raised at its place with a cure', async (code) => {
    const [place, raise] = raising[code];

    const errors = await raised(raise);

    const error = errors.errors.find((one) => one.code === code);
    expect(error, errors.message).toBeDefined();
    expect(`${error?.at.line}:${error?.at.column}`).toBe(place);
    expect(error?.help).not.toBe('');
  });

  it('gives each code a cause and a cure of one line', () => {
    for (const { cause, cure } of Object.values(scenarioErrors))
      expect(`${cause}; ${cure}`).toMatch(/^[^\n]{20,}$/);
  });
});

describe('ScenarioError', () => {
  it('says place, code and finding in the first line and help in the second', () => {
    const error = new ScenarioError(
      'SCN010',
      { file: 'a.yaml', line: 3, column: 9 },
      'unknown key "Dmaa"',
      'did you mean "Dma"?',
    );

    expect(error.message).toBe('a.yaml:3:9 SCN010 unknown key "Dmaa"\n  help: did you mean "Dma"?');
  });
});

describe('ScenarioErrors', () => {
  const at = (line: number, column: number) => new ScenarioError('SCN010', { file: 'a', line, column }, 'x');

  it('sorts by place', () => {
    const { errors } = new ScenarioErrors([at(3, 1), at(1, 9), at(1, 2)]);

    expect(errors.map((error) => [error.at.line, error.at.column])).toEqual([
      [1, 2],
      [1, 9],
      [3, 1],
    ]);
  });

  it('keeps twenty and counts the others', () => {
    const errors = new ScenarioErrors(Array.from({ length: 25 }, (_, index) => at(index + 1, 1)));

    expect([errors.errors.length, errors.more]).toEqual([20, 5]);
    expect(errors.message).toMatch(/\nand 5 more$/);
  });

  it('keeps fewer where they are long', () => {
    const long = (line: number) =>
      new ScenarioError('SCN002', { file: 'a.yaml', line, column: 1 }, 'x'.repeat(700), 'mend it');
    const errors = new ScenarioErrors(Array.from({ length: 9 }, (_, index) => long(index + 1)));

    expect([errors.errors.length, errors.more]).toEqual([3, 6]);
  });
});

describe('a file that cannot be read', () => {
  it('and would be an example is told where the examples are', async () => {
    await expect(loadScenario('scenarios/nowhere/worked-wait.yaml', machines)).rejects.toThrow(
      'scenarios that come with Lockstep are listed, with their files, by npx lockstep list scenarios',
    );
  });

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
    writeFileSync(join(folder, 'smoke.yaml'), head);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is refused with the names of those beside it', async () => {
    const errors = await raised(() => loadScenario(join(folder, 'smok.yaml'), machines));

    expect(errors.message).toContain('did you mean "smoke.yaml"? known scenarios there: smoke.yaml');
  });

  it('is told from a module, which a scenario names', async () => {
    const named = await raised(() => loadScenario('models/ring.ts#ring', machines));
    const whole = await raised(() => loadScenario('ring.mjs', machines));

    expect(named.message).toContain(
      'models/ring.ts#ring:1:1 SCN001 found a module, expected a scenario file',
    );
    expect(named.message).toContain(
      '"machine: ./models/ring.ts#ring"; fuzz takes ./models/ring.ts#ring itself',
    );
    expect(whole.message).toContain('"machine: ./ring.mjs#NAME", NAME being an export of the module');
  });

  it('and the right name reads it', async () => {
    const { scenario } = await loadScenario(join(folder, 'smoke.yaml'), machines);

    expect(scenario.config).toEqual({ players: 2, rounds: 3, style: 'soft' });
  });
});
