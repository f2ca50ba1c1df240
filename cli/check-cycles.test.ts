import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { called } from './testing/called.ts';

const folder = temporaryFolder('cycles');

const check = (name: string, ...more: string[]) =>
  called('check', `scenarios/fairness/${name}.yaml`, '--record', join(folder, `${name}.json`), ...more);

const loop =
  /the loop, again and again:\n {2}tick 3: Turns to Turns: turn.next\n {2}tick 3: Turns to Spinner: turn.take for=3\n {2}tick 3: Spinner to Turns: turn.ask by=3\n/;
const sentence = 'when a station has used the token, the next one does';

describe('a run without end in which what must come never does', () => {
  const recording = join(folder, 'token-ring.json');

  test('is found, shown as a way into a loop and the loop, and recorded', async () => {
    const { exitCode, out } = await check('token-ring');

    expect(exitCode).toBe(1);
    expect(out).toContain(`a token ring (fairness): violated under some schedule: ${sentence} (Station[0])`);
    expect(out).toContain(
      'the state at the end of tick 2 comes back at the end of tick 3, so tick 3 may happen again',
    );
    expect(out).toContain('the way into the loop:\n');
    expect(out).toMatch(loop);
    expect(JSON.parse(readFileSync(recording, 'utf8'))).toMatchObject({
      cycle: { from: 2, property: sentence },
      until: 3,
      end: { verdict: 'violated', violations: [sentence] },
    });
  });

  test('is judged again when it is replayed, and explained', async () => {
    const replayed = await called('replay', recording);
    const explained = await called('explain', recording);

    expect([replayed.exitCode, explained.exitCode]).toEqual([1, 0]);
    expect(replayed.err).toContain('the end is equal, too');
    for (const { err } of [replayed, explained]) {
      expect(err).toContain(sentence);
      expect(err).toMatch(loop);
    }
  });

  test('is no such run any more when the recording says another round', async () => {
    const other = join(folder, 'other.json');
    const text = readFileSync(recording, 'utf8');
    writeFileSync(other, text.replace('"from": 2', '"from": 1'));

    expect((await called('replay', other)).err).toContain('NOT found as recorded');
  });
});

test('what holds in weakly fair runs is ok, and what fairness does not help is not', async () => {
  const [fair, kept] = [
    await check('token-ring-fair', '--json'),
    await check('philosophers-starved', '--json'),
  ];

  expect([fair.exitCode, kept.exitCode]).toEqual([0, 1]);
  expect(JSON.parse(fair.out)).toMatchObject({
    verdict: 'ok',
    open: [],
    witnessed: [{ sentence: 'the last station waits while the first one has the token' }],
  });
});

test('several threads leave open what needs the whole graph, say what, and end with the exit code for it', async () => {
  const { exitCode, err, out } = await check('token-ring-fair', '--workers', '2', '--json');

  expect(exitCode).toBe(4);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'incomplete',
    unexplored: 0,
    witnessed: [{ sentence: 'the last station waits while the first one has the token' }],
  });
  expect(err).toContain('a fair token ring (fairness): ok so far under every schedule: 1 property is open');
  expect(err).toContain(`${sentence}: runs that never end are judged by one thread only: take --workers out`);
});
