import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScenarioErrors } from './errors.ts';
import {
  formatRecording,
  loadRecording,
  parseRecording,
  type Recording,
  recordingOf,
  saveRecording,
} from './recording.ts';
import { simulate } from './simulate.ts';
import { encodeTape } from './tape-codec.ts';
import { ping } from './testing/ping.ts';
import { read } from './testing/read.ts';
import { lockstepVersion } from './version.ts';

const text =
  'name: a\nmachine: ping\nconfig: { players: 3, rounds: 4 }\nschedule: { kind: random, seed: 5 }\n';

async function record(source = text): Promise<Recording> {
  const { scenario } = await read(source);
  return recordingOf(scenario, simulate(scenario as never, ping));
}

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ScenarioErrors) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a recording', () => {
  it('holds the scenario word for word, the picks and the end', async () => {
    const recording = await record();

    expect(recording.scenario).toMatchObject({ machine: 'ping', text });
    expect(recording).toMatchObject({
      format: 'lockstep-recording/1',
      scheduled: true,
      actors: ['Server', 'Player[0]', 'Player[1]', 'Player[2]'],
      end: { ticks: 13, deliveries: 29, verdict: 'ok', violations: [] },
    });
    expect(recording.checkpoints[0]?.actors).toMatch(/^[0-9a-f]{32}$/);
  });

  it('survives being written and read', async () => {
    const recording = await record();

    expect(parseRecording(formatRecording(recording), 'r.json')).toEqual(recording);
  });

  it('of a million deliveries in random order takes less than 1 MB', async () => {
    // A tenth of it, so that the test is quick: tapes grow with the deliveries, and nothing else in a recording does.
    const recording = await record(
      'name: a\nmachine: ping\nconfig: { players: 64, rounds: 775 }\nschedule: random\n',
    );

    const [rest, tape] = [
      formatRecording({ ...recording, tape: [] }).length,
      encodeTape(recording.tape).length,
    ];
    expect(recording.end.deliveries).toBeGreaterThan(99_900);
    expect(rest + 10 * tape).toBeLessThan(1_000_000);
  });

  it('names no actors at its checkpoints when there are too many', async () => {
    const recording = await record('name: a\nmachine: ping\nconfig: { players: 1000, rounds: 2 }\n');

    expect(recording.actors).toHaveLength(1001);
    expect(
      recording.checkpoints.every((one) => one.actors === undefined && one.fingerprint !== undefined),
    ).toBe(true);
  });

  it('carries the version that package.json states', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };

    expect(lockstepVersion).toBe(version);
  });
});

describe('parseRecording', () => {
  it('refuses what is not JSON where it stops being JSON', () => {
    expect(refusal(() => parseRecording('{\n "format": }', 'r.json'))).toContain(
      'r.json:2:12 SCN041 found "}", expected JSON',
    );
    expect(refusal(() => parseRecording('{"a": 1', 'r.json'))).toContain(
      'found the end of the text, expected JSON',
    );
    expect(refusal(() => parseRecording('name: a', 'x.yaml'))).toContain('run it with `lockstep run`');
  });

  it('refuses files of other formats by the format they name', () => {
    expect(refusal(() => parseRecording('{"N": 3}', 'r.json'))).toContain(
      'r.json:1:1 SCN042 found a mapping with the key N without "format"',
    );
    expect(refusal(() => parseRecording('{\n"format": "lockstep-recording/2"}', 'r.json'))).toMatch(
      /2:11 SCN042 format: found "lockstep-recording\/2".*\n.*another version/,
    );
  });

  it('names the damaged part and its place', async () => {
    const written = formatRecording(await record());

    const damaged = written
      .replace('"verdict": "ok"', '"verdict": "fine"')
      .replace('"picks": ', '"picks": -');

    const line = (key: string) => written.split('\n').findIndex((one) => one.includes(key)) + 1;
    expect(refusal(() => parseRecording(damaged, 'r.json'))).toContain(
      `r.json:${line('"verdict"')}:14 SCN043 end.verdict: found "fine"`,
    );
    expect(refusal(() => parseRecording(damaged, 'r.json'))).toContain(
      `r.json:${line('"picks"')}:12 SCN043 tape.picks: found -`,
    );
  });

  it('refuses a tape of another length', async () => {
    const recording = await record();
    const written = formatRecording(recording);

    const damaged = written.replace(
      `"picks": ${recording.tape.length}`,
      `"picks": ${recording.tape.length + 1}`,
    );

    expect(refusal(() => parseRecording(damaged, 'r.json'))).toMatch(
      /SCN043 tape\.data: found a damaged tape: it holds \d+ picks, not \d+/,
    );
  });
});

describe('saveRecording', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('leaves the whole file and nothing else, and names the scenario relative to it', async () => {
    const recording = await record();
    const file = join(folder, 'deep', 'run.json');
    const scenario = { ...recording.scenario, file: join(folder, 'scenarios', 'a.yaml') };

    saveRecording(file, { ...recording, scenario });

    expect(readdirSync(join(folder, 'deep'))).toEqual(['run.json']);
    expect(readFileSync(file, 'utf8')).toContain('"file": "../scenarios/a.yaml"');
    expect(loadRecording(file).scenario.file).toBe(scenario.file);
  });

  it('leaves an older file as it was when it cannot write', async () => {
    const recording = await record();
    const file = join(folder, 'kept');
    writeFileSync(join(folder, 'plain'), 'text');

    expect(() => saveRecording(join(folder, 'plain', 'run.json'), recording)).toThrow();
    saveRecording(file, recording);

    expect(readFileSync(join(folder, 'plain'), 'utf8')).toBe('text');
    expect(loadRecording(file).tape).toEqual(recording.tape);
  });
});
