import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { called } from './testing/called.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const scenario = `name: a race
machine: cell
config: { N: 2, K: 1, memSize: 2, policy: etalon-ff, skipIdle: false, maxOutstanding: 1 }
programs: [[[1, put, 0, 1, 0, 2]], [[0, put, 0, 0, 0, 2]]]
faults: [{ mutant: M-21 }]
`;
const [recording, sound] = [at('race.json'), at('sound.json')];

beforeAll(async () => {
  writeFileSync(at('race.yaml'), scenario);
  writeFileSync(at('sound.yaml'), scenario.replace(/faults.*\n/, ''));
  await called('run', at('sound.yaml'), '--record', sound);
  for (let seed = 0, failed = false; !failed && seed < 20; seed++) {
    const random = ['--schedule', 'random', '--seed', String(seed), '--record', recording];
    failed = (await called('run', at('race.yaml'), ...random)).exitCode === 1;
  }
});

describe('explain', () => {
  test('tells why a recorded run failed, without the name of the planted fault, and how to see it again', async () => {
    const { exitCode, out, err } = await called('explain', recording);

    expect([exitCode, out]).toEqual([0, '']);
    expect(err).toMatch(/^violated: the memories at the end of a cycle follow/);
    expect(err).toContain('Memory[0]:1 was read as 14 and held 181');
    expect(err).toMatch(new RegExp(`\\nreplay it: npx lockstep replay ${recording}\\n$`));
    expect(err.split('\n').length).toBeLessThanOrEqual(46);
    expect(err).not.toContain('M-21');
  });

  test('gives scripts one object, with all of the past when everything is asked for', async () => {
    const some = JSON.parse((await called('explain', recording, '--json')).out);
    const all = JSON.parse((await called('explain', recording, '--json', '--full')).out);

    expect(Object.keys(some)).toEqual(
      expect.arrayContaining([
        'failure',
        'tape',
        'simplified',
        'causes',
        'passing',
        'past',
        'prose',
        'replay',
      ]),
    );
    expect(some.past.length).toBeLessThanOrEqual(14);
    expect(all.past).toHaveLength(some.pastDeliveries);
    expect(all.past.length).toBeGreaterThan(some.past.length);
  });

  test('draws the sequence diagram', async () => {
    const { err } = await called('explain', recording, '--svg', at('race.svg'), '--mermaid', at('race.mmd'));

    expect(err).toContain(`sequence diagram written: ${at('race.svg')}\n`);
    expect(readFileSync(at('race.svg'), 'utf8')).toMatch(/^<svg .*memory\.access.*<\/svg>\n$/s);
    expect(readFileSync(at('race.mmd'), 'utf8')).toContain('\nsequenceDiagram\n');
  });

  test('records a simpler run that fails in the same way, and says what was simplified', async () => {
    const file = at('simplified.json');

    const { exitCode, err } = await called('explain', recording, '--simplified', file);

    expect(exitCode).toBe(0);
    const said =
      /simplified from (\d+) picks that are not first come, first served to (\d+); recording written: /.exec(
        err,
      );
    expect(Number(said?.[2])).toBeLessThan(Number(said?.[1]));
    expect((await called('replay', file)).err).toContain('violated');
    const [first, second] = await Promise.all(
      [recording, file].map(async (one) => JSON.parse((await called('explain', one, '--json')).out).failure),
    );
    expect([second.what, second.actors]).toEqual([first.what, first.actors]);
  });

  test('does not replace the recording that it reads', async () => {
    const before = readFileSync(recording, 'utf8');

    const { exitCode, err } = await called('explain', recording, '--simplified', recording);

    expect(exitCode).toBe(2);
    expect(err).toContain('which is read, expected another file');
    expect(readFileSync(recording, 'utf8')).toBe(before);
  });

  test('refuses a recording of a run that did not fail, at the place that says so', async () => {
    const { exitCode, err } = await called('explain', sound);

    const line =
      readFileSync(sound, 'utf8')
        .split('\n')
        .findIndex((one) => one.includes('"verdict"')) + 1;
    expect(exitCode).toBe(2);
    expect(err.split('\n')[0]).toBe(
      `lockstep: ${sound}:${line}:14 end.verdict: found a run that ended "ok", expected one that failed`,
    );
    expect(err).toContain('help: there is nothing to explain');
  });

  test('refuses a recording whose run is another one by now', async () => {
    const stale = at('stale.json');
    writeFileSync(stale, readFileSync(recording, 'utf8').replace('memSize: 2', 'memSize: 3'));

    const { exitCode, err } = await called('explain', stale);

    expect(exitCode).toBe(2);
    expect(err).toContain(`${stale}: found a recording of another run`);
    expect(err).toContain('help: ');
  });

  test.each([
    ['that is not there', undefined, /nowhere\.json:1:1 SCN040 found no such file/],
    ['that is no JSON', '{ "format": ', /broken\.json:1:\d+ SCN041 /],
    ['of another format', '{ "format": "tape" }', /broken\.json:1:13 SCN042 /],
  ])('refuses a recording %s', async (_, text, expected) => {
    const file = at(text === undefined ? 'nowhere.json' : 'broken.json');
    if (text !== undefined) writeFileSync(file, text);

    const { exitCode, err } = await called('explain', file);

    expect(exitCode).toBe(2);
    expect(err).toMatch(expected);
    expect(err).not.toMatch(/\n\s+at /);
  });
});
