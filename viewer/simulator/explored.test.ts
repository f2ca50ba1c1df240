import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { explorationOf } from '../../cli/check/exploration.ts';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { machines } from '../../manifests/machines.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { Session } from './session.ts';

/** Opens a scenario and explores it as the page does. */
async function explored(file: string) {
  const session = new Session();
  const text = readFileSync(file, 'utf8');
  await session.open({ kind: 'scenario', file: resolve(file), text, label: file, files: {} });
  return { session, found: await session.explore() };
}

/** What an exploration of the command line comes to. */
async function checked(file: string) {
  const judged = await judgedScenario(await loadScenario(file, machines));
  const { make, options } = explorationOf(judged, { reduction: false, statesMax: 100_000, symmetry: false });
  return new Explorer(make, { ...options, findingsMax: 20 }).toEnd();
}

test.each([
  'scenarios/protocols/peterson-swapped.yaml',
  'scenarios/protocols/peterson.yaml',
  'scenarios/library/k-state-ring.yaml',
])('a page knows the states that check knows, without its reduction: %s', async (file) => {
  const { session, found } = await explored(file);
  const { states, verdict, findings } = await checked(file);

  expect({ states: found.states, verdict: found.verdict }).toEqual({ states, verdict });
  expect(new Set(found.findings.map(({ what }) => what))).toEqual(new Set(findings.map(({ what }) => what)));
  // Each state can be walked to from those that runs begin with, and knows from where.
  const met = new Set(found.starts);
  for (const state of met)
    for (const { to } of session.explored({ state }).next) {
      met.add(to);
      expect(session.explored({ state: to }).before).toContain(state);
    }
  expect(met.size).toBe(states);
});

test('the shortest way to a finding is a run that fails, and its recording replays as it does', async () => {
  const { session, found } = await explored('scenarios/protocols/peterson-swapped.yaml');
  const [finding] = found.findings;

  const { run, recording } = await session.wayTo({ finding: 0 });

  expect(finding).toMatchObject({
    verdict: 'violated',
    what: 'at most one process is in its critical section',
  });
  expect(session.explored({ state: finding!.state }).wrong).toEqual([finding!.what]);
  expect(run.ending.verdict).toBe('violated');
  expect(run.marks.map(({ title }) => title)).toContain(finding!.what);
  mkdirSync('out/explored', { recursive: true });
  writeFileSync('out/explored/way.json', recording);
  const terminal = new KeptTerminal();
  expect(await main(['replay', 'out/explored/way.json'], terminal), terminal.stderr).toBe(1);
  expect(terminal.stdout + terminal.stderr).toContain(finding!.what);
});

test('what a page cannot explore is told as check tells it', async () => {
  await expect(explored('scenarios/cell/fault-delayed-grant.yaml')).rejects.toThrow(/found a delay fault/);
});
