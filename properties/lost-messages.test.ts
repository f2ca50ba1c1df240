import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { machines } from '../manifests/machines.ts';
import { parseScenario } from '../scenarios/load.ts';
import { judgedScenario } from './judged-scenario.ts';
import { watchedRun } from './watched-run.ts';

/** Runs a scenario with all properties of its machine, one message of a type being lost; gives the sentences that do not hold. */
async function brokenWithout(file: string, type: string): Promise<readonly string[]> {
  const { expect: _, ...scenario } = parse(readFileSync(file, 'utf8'));
  const faults = [{ drop: { type, probability: 1, budget: 1 } }];
  const judged = await judgedScenario(
    await parseScenario(JSON.stringify({ ...scenario, faults }), file, machines),
  );
  return watchedRun(judged, [], { scheduled: false }).outcome.violations.map(({ property }) => property);
}

// Nobody waits for these messages, and what a run comes to without one looks like a result.
test.each([
  ['grape/stride', 'em.store', /plain loop/],
  ['grape/stride', 'em.rewind', /plain loop|visits the records/],
  ['grape/power', 'block.look', /plain loop/],
  ['tca/neighbours', 'tlp.write', /writes of a channel arrive/],
  ['tca/neighbours', 'port.room', /queue of the router/],
  ['tca/neighbours', 'write.accepted', /queue of the router/],
  ['sunway/task-farm', 'file.patch', /a task pool/],
] as const)('%s: a lost %s is noticed', async (name, type, sentence) => {
  expect(await brokenWithout(`scenarios/${name}.yaml`, type)).toEqual([expect.stringMatching(sentence)]);
});
