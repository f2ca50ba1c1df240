import { describe, expect, test } from 'vitest';
import { kindOf } from '../../kernel/explore/claim.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Assembly, Given, Machine } from '../../machines/machine.ts';
import type { TcaConfig, TcaPrograms } from '../../machines/tca/config.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { tcaMachineProperties } from './machine-properties.ts';
import { trial } from './trial.ts';
import type { TcaGiven } from './workloads.ts';

/*
 * The exhaustive checker judges every property of TCA nodes, and finds what runs find.
 */

const machine = tcaMachine as unknown as Machine;

/** What a scenario gives, with planted faults. */
async function givenBy(name: string, mutants: readonly string[] = []): Promise<TcaGiven> {
  const file = new URL(`../../scenarios/tca/${name}.yaml`, import.meta.url).pathname;
  const { config, programs } = (await loadScenario(file, [machine])).scenario;
  return { name, config: config as TcaConfig, programs: programs as TcaPrograms, mutants, scheduled: true };
}

/** Ticks after which a processor that polls for a chain which never ends is left where it is. */
const until = 300_000;

function explored(given: TcaGiven) {
  const judged = given as unknown as Given;
  const assembly = tcaMachine.assemble(given) as unknown as Assembly;
  const observers = tcaMachineProperties.observers!(judged, assembly);
  expect(observers.map(({ sentence }) => sentence)).toEqual(tcaMachineProperties.sentencesOf!(judged));
  return new Explorer(() => tcaMachine.assemble(given).wiring, {
    observers,
    findingsMax: Number.POSITIVE_INFINITY,
    kindOf,
    until,
  });
}

test.each([
  ['neighbours', 62],
  ['block-stride', 197],
  ['gasnet-put', 293],
])('%s keeps every property under every schedule', async (name, states) => {
  const { verdict, findings, open, ...figures } = explored(await givenBy(name)).toEnd();

  expect({ verdict, findings, open }).toEqual({ verdict: 'ok', findings: [], open: [] });
  expect(figures.states).toBe(states);
});

describe.each([
  ['neighbours', ['T-02', 'T-04', 'T-05', 'T-08', 'T-09', 'T-11', 'T-12']],
  ['gasnet-put', ['T-10', 'T-13', 'T-15', 'T-20', 'T-21', 'T-24']],
])('%s', (name, mutants) => {
  test.each(mutants)('with %s breaks the sentences in an exploration that a run breaks', async (id) => {
    const given = await givenBy(name, [id]);
    const { sentences } = tcaMachineProperties;
    const ofRun = trial(given, {}, () => {}, until).raised.filter((one) => sentences.includes(one));

    const explorer = explored(given);
    const { findings } = explorer.toEnd();

    expect(ofRun.length).toBeGreaterThan(0);
    const ofExploration = new Set(findings.map(({ what }) => what).filter((one) => sentences.includes(one)));
    expect([...ofExploration].sort()).toEqual([...ofRun].sort());
    // Each is found once more by a run that takes the way to it.
    for (const finding of findings) explorer.show(finding);
  });
});
