import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { watchedRun } from '../../properties/watched-run.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { formatRecording, parseRecording, recordingOf } from '../../scenarios/recording.ts';
import { replay } from '../../scenarios/replay.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { openingOf } from '../open/opening.ts';
import type { Opened } from '../protocol.ts';
import { Session } from './session.ts';

const scenarios = [
  ['scenarios/protocols/paxos.yaml', 'ok'],
  ['scenarios/protocols/broken-promise.yaml', 'ok'],
  ['scenarios/protocols/abd.yaml', 'ok'],
  ['scenarios/cell/worked-trace.yaml', 'ok'],
  ['scenarios/cell/hazard.yaml', 'violated'],
  ['scenarios/cell/fault-dropped-grant.yaml', 'deadlock'],
  ['scenarios/sunway/deadlocks/lock-circle.yaml', 'deadlock'],
  ['scenarios/chiplet/two-packets.yaml', 'ok'],
] as const;

test.each(scenarios)('%s is in the page the run that it is on the command line', async (file, verdict) => {
  const judged = await judgedScenario(await loadScenario(file, machines));
  const { run } = await new Session().open(openingOf(file).opening);
  const expected = watchedRun(judged, [], { scheduled: false });

  expect(run.ending).toMatchObject({
    verdict,
    deliveries: expected.outcome.deliveries,
    fingerprint: expected.fingerprint,
  });
  expect(run.columns.count).toBe(expected.outcome.deliveries);
});

test.each(scenarios)('%s stands at any moment as it stood when it ran', async (file) => {
  const session = new Session();
  const { run } = await session.open(openingOf(file).opening);
  const { columns, actors, states, types } = run;
  const places = [0, 0.2, 0.4, 0.6, 0.8, 0.999].map((share) => Math.floor(share * columns.count));

  for (const at of places) {
    const actor = actors[columns.to[at]!]!.name;
    const moment = session.moment({ at, actor });

    expect(moment).toMatchObject({ at, tick: columns.tick[at]! });
    expect(moment.actor).toMatchObject({ name: actor, state: states[columns.state[at]!]!.name });
    expect(moment.delivered?.type).toBe(types[columns.type[at]!]);
    // What is sent to a page is plain data.
    expect(structuredClone(moment)).toEqual(moment);
  }
});

test('what a delivery changes in its receiver is told by its context before and after', async () => {
  const session = new Session();
  await session.open(openingOf('scenarios/protocols/paxos.yaml').opening);

  const { actor } = session.moment({ at: 0, actor: 'Server[0]' });

  expect(actor?.before).toMatchObject({ proposal: null });
  expect(actor?.context).toMatchObject({ proposal: { value: 'A' } });
});

test('a changed pick gives another run, and its recording replays with the same verdict', async () => {
  const session = new Session();
  const { run } = await session.open(openingOf('scenarios/protocols/broken-promise.yaml').opening);
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));
  try {
    for (const pick of [0, 1, 5]) {
      const { answers } = session.alternatives({ pick });
      expect(answers).toHaveLength(run.picks[pick]!.count);
      const fork = await session.fork({ pick, answer: 1 });

      // Until the changed pick both are one run.
      for (let at = 0; at < fork.differs; at++) expect(fork.run.columns.to[at]).toBe(run.columns.to[at]);
      const file = join(folder, 'changed.json');
      writeFileSync(file, fork.recording);
      const again = await replay(parseRecording(fork.recording, file), machines, {});
      expect(again.difference?.what ?? 'none').toBe('none');
      expect(again.simulation.outcome.deliveries).toBe(fork.run.ending.deliveries);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a recording opens as the run that it recorded, and says so when it is another one by now', async () => {
  const file = 'scenarios/protocols/broken-promise.yaml';
  const judged = await judgedScenario(await loadScenario(file, machines));
  const recording = recordingOf(judged.scenario, watchedRun(judged, [0, 1, 1], { scheduled: true }));
  const opening = { ...openingOf(file).opening, kind: 'recording' as const };

  const same = await new Session().open({ ...opening, text: formatRecording(recording) });
  const other = { ...recording, end: { ...recording.end, fingerprint: '0123456789abcdef' } };
  const changed = await new Session().open({ ...opening, text: formatRecording(other) });

  expect(same.difference).toBeUndefined();
  expect(same.run.ending.fingerprint).toBe(recording.end.fingerprint);
  expect(changed.difference).toContain('another state');
});

test('a run that takes long is shown as far as it has come, and is judged at its end only', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
  const sofar: Opened[] = [];
  const moments: number[] = [];
  const session = new Session(machines, async (_words, opened) => {
    if (!opened) return;
    sofar.push(opened);
    moments.push(session.moment({ at: opened.run.columns.count - 1 }).tick);
  });
  const whole = await session.open(openingOf('scenarios/cell/hazard.yaml').opening);
  clock.mockRestore();

  expect(sofar.length).toBeGreaterThan(1);
  const counts = [...sofar, whole].map(({ run }) => run.columns.count);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  for (const [index, { run }] of sofar.entries()) {
    const { columns } = run;
    expect([run.isRunning, run.isUnjudged]).toEqual([true, true]);
    expect([...columns.tick]).toEqual([...whole.run.columns.tick.slice(0, columns.count)]);
    expect([...columns.state]).toEqual([...whole.run.columns.state.slice(0, columns.count)]);
    expect(moments[index]).toBe(columns.tick.at(-1));
  }
  expect([whole.run.isRunning, whole.run.isUnjudged, whole.run.ending.verdict]).toEqual([
    undefined,
    undefined,
    'violated',
  ]);
});

/** A page's simulator that shows a run at every turn. */
function watched() {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
  const sofar: Opened[] = [];
  const session = new Session(machines, async (_words, opened) => {
    if (!opened) return;
    sofar.push(opened);
    const { count, state, to } = opened.run.columns;
    const moment = session.moment({ at: count - 1, actor: opened.run.actors[to[count - 1]!]!.name });
    expect(moment.actor?.state).toBe(opened.run.states[state[count - 1]!]!.name);
  });
  return { session, sofar, clock };
}

test('a run in random order is shown while it is carried out, and has the picks of the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));
  const file = join(folder, 'random.yaml');
  const text = readFileSync('scenarios/cell/worked-wait.yaml', 'utf8');
  writeFileSync(file, `${text}\nschedule: { kind: random, seed: 7 }\n`);
  const judged = await judgedScenario(await loadScenario(file, machines));
  const expected = simulate(judged.scenario, judged.machine, {});
  const { session, sofar, clock } = watched();

  const { run } = await session.open(openingOf(file).opening);

  clock.mockRestore();
  rmSync(folder, { recursive: true });
  expect(sofar.length).toBeGreaterThan(1);
  const picks = run.picks.map(({ pick }) => pick);
  expect(picks.slice(0, expected.tape.length)).toEqual(expected.tape);
  expect(expected.tape.length).toBeGreaterThan(10);
  expect(run.ending.fingerprint).toBe(expected.fingerprint);
});

test('a recording tells how far its run comes before it is carried out', async () => {
  const file = 'scenarios/protocols/abd.yaml';
  const judged = await judgedScenario(await loadScenario(file, machines));
  const recording = recordingOf(judged.scenario, watchedRun(judged, [], { scheduled: false }));
  const { session, sofar, clock } = watched();

  const { run } = await session.open({
    ...openingOf(file).opening,
    kind: 'recording',
    text: formatRecording(recording),
  });

  clock.mockRestore();
  const { deliveries, ticks } = recording.end;
  for (const { run: part } of sofar) expect(part.expected).toEqual({ deliveries, ticks });
  expect([sofar.length > 1, run.expected, run.columns.count]).toEqual([true, undefined, deliveries]);
});

test('a simulator that did not carry a run out judges it as the one that did', async () => {
  const { opening } = openingOf('scenarios/cell/hazard.yaml');
  const whole = await new Session().open(opening);

  const { marks, ending } = await new Session().judge(opening);

  expect({ marks, ending }).toEqual({ marks: whole.run.marks, ending: whole.run.ending });
});

test('a run that is left before its end is ok so far', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'name: a\nmachine: ping-pong\nuntil: 2\n');
  const { run } = await new Session().open(openingOf(file).opening);
  rmSync(folder, { recursive: true });

  expect([run.ending.verdict, run.ending.isSoFar]).toEqual(['ok', true]);
});

test('a recorded run ends in the page as it was recorded, also where nothing was delivered behind its last delivery', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));
  const seen = new Set<string>();
  for (let seed = 0; seed < 30; seed++) {
    const machine = seed % 3 === 0 ? 'ping-pong' : 'lamport-mutex';
    const file = join(folder, `${seed}.yaml`);
    writeFileSync(
      file,
      `name: a\nmachine: ${machine}\nnetwork: { lossy: 1 }\nschedule: { kind: random, seed: ${seed} }\n`,
    );
    const judged = await judgedScenario(await loadScenario(file, machines));
    const { tape } = simulate(judged.scenario, judged.machine, {});
    const recording = recordingOf(judged.scenario, watchedRun(judged, tape, { scheduled: true }));
    const { verdict, deliveries, ticks } = recording.end;
    const session = new Session();
    const { run } = await session.open({
      ...openingOf(file).opening,
      kind: 'recording',
      text: formatRecording(recording),
    });

    const { ending } = run;
    expect([seed, ending.verdict, ending.deliveries, ending.ticks, ending.isSoFar]).toEqual([
      seed,
      verdict,
      deliveries,
      ticks,
      undefined,
    ]);
    expect(session.moment({ at: deliveries }).at).toBe(deliveries - 1);
    seen.add(`${verdict}${deliveries === 0 ? ' without a delivery' : ''}`);
  }
  rmSync(folder, { recursive: true });
  expect([...seen].sort()).toEqual(['deadlock', 'ok', 'ok without a delivery']);
});
