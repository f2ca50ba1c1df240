import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { openingOf } from '../open/opening.ts';
import type { Opened, OpensAt } from '../protocol.ts';
import { Session } from './session.ts';

/*
 * The command that a finding prints opens its page at the finding, and every link of its explanation leads to a moment of the tick that it names.
 */

const folder = 'out/viewer-findings';
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scenariosIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((one) =>
    readdirSync(`scenarios/${one}`)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => `scenarios/${one}/${file}`),
  );
const expects =
  (...verdicts: readonly string[]) =>
  (file: string) =>
    verdicts.includes(parse(readFileSync(file, 'utf8')).expect?.verdict);

const inFull = effort({ short: false, long: true });
const protocols = inFull
  ? scenariosIn('protocols', 'fairness', 'library')
  : ['peterson-swapped', 'paxos-keeps-own-proposal', 'forgotten-promise', 'ping-pong-old-balls'].map(
      (name) => `scenarios/protocols/${name}.yaml`,
    );
const machines = ['cell', 'sunway', 'sunway/deadlocks', 'tca', 'chiplet', 'grape'];
const deadlocks = inFull
  ? scenariosIn(...machines).filter(expects('deadlock'))
  : [
      'scenarios/cell/fault-dropped-grant.yaml',
      'scenarios/sunway/deadlocks/lock-circle.yaml',
      'scenarios/chiplet/deadlock.yaml',
    ];
const planted = inFull
  ? scenariosIn(...machines).filter(expects('violated', 'error', 'livelock'))
  : ['scenarios/cell/hazard.yaml', 'scenarios/cell/fault-corrupt-command.yaml'];

/** Carries a command out and gives the recording that it says how to view; undefined when it found nothing. */
async function recorded(command: 'check' | 'run', file: string): Promise<string | undefined> {
  const record = `${folder}/${file.replaceAll(/\W+/g, '-')}.json`;
  const terminal = new KeptTerminal();
  await main([command, file, '--record', record], terminal);
  const told = terminal.stdout + terminal.stderr;
  const [, named] = /^watch it in a browser: npx lockstep view (.*)$/m.exec(told) ?? [];
  if (named === undefined)
    expect(existsSync(record) && /"verdict": "(?!ok)/.test(readFileSync(record, 'utf8'))).toBe(false);
  else expect(named).toBe(record);
  return named;
}

async function opensWell(recording: string): Promise<Opened> {
  const session = new Session();
  const opened = await session.open(openingOf(recording).opening);
  const { run, opensAt } = opened;
  expect(opened.difference).toBeUndefined();
  isAtFinding(opened, opensAt);
  const { columns } = run;
  const { parts } = session.explain();
  const links = parts.filter(({ at }) => at !== undefined);
  expect(links.length).toBeGreaterThan(0);
  for (const { text, at } of links) {
    const tick = Number(/\d+/.exec(text)![0]);
    // What could not be handled was not delivered.
    if (at === columns.count) expect(run.ending.verdict).toBe('error');
    else {
      expect(columns.tick[at!]).toBeLessThanOrEqual(tick);
      if (at! + 1 < columns.count && columns.tick[at!]! < tick)
        expect(columns.tick[at! + 1]).toBeGreaterThan(tick);
      expect(session.moment({ at: at! }).at).toBe(at);
    }
  }
  return opened;
}

function isAtFinding({ run }: Opened, { at, actor, panel }: OpensAt): void {
  const { marks, ending, columns, actors } = run;
  const finding = marks.find(({ kind }) => kind === 'finding');
  expect(ending.verdict).not.toBe('ok');
  expect(panel).toBe(ending.verdict === 'deadlock' ? 'waits' : 'findings');
  expect(actors.map(({ name }) => name)).toContain(actor);
  if (!finding) expect(at).toBe(columns.count - 1);
  else {
    expect(at).toBe(finding.at);
    if (at >= 0) expect(columns.tick[at]).toBeLessThanOrEqual(finding.tick);
    // It is the first of the finding's tick, or later: nothing of an earlier tick is taken for it while its own has deliveries.
    if (at + 1 < columns.count) expect(columns.tick[at + 1]).toBeGreaterThanOrEqual(finding.tick);
  }
}

describe('the counterexample of a wrong protocol', () => {
  test.each(protocols)('%s', async (file) => {
    const recording = await recorded('check', file);
    if (recording === undefined) expect(inFull).toBe(true);
    else await opensWell(recording);
  });
});

describe('a deadlock shows who waits', () => {
  test.each(deadlocks)('%s', async (file) => {
    const { run } = await opensWell((await recorded('run', file))!);

    const { waiting, cycle } = run.ending;
    expect(waiting.length).toBeGreaterThan(0);
    for (const name of cycle) expect(run.actors.map((actor) => actor.name)).toContain(name);
  });
});

describe('a planted fault', () => {
  test.each(planted)('%s', async (file) => {
    await opensWell((await recorded('run', file))!);
  });
});
