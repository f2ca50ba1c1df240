import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { raceProperty } from '../../machines/sunway/monitors/race-monitor.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { caughtBy } from '../../properties/sunway/invariants.ts';
import { sunwayMachineProperties } from '../../properties/sunway/machine-properties.ts';
import { sunwayProperties } from '../../properties/sunway/sunway-properties.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { explorationOf } from '../check/exploration.ts';
import { checked } from '../check/testing/checked.ts';

/* All properties of Sunway nodes are judged by `check`, on scenarios that are small enough for all schedules. */

const scenarios = new URL('../../scenarios/sunway/', import.meta.url);
const fileOf = (name: string): string => new URL(`${name}.yaml`, scenarios).pathname;
/** With the states and the ends that there are. */
const small = {
  // 172 with `detail: fast`: a state of explicit parts says as well which places for transfers and memory jobs have been used.
  'two-pass': [186, 2],
  'two-take-turns': [109, 2],
  'two-signals': [16, 1],
  'two-hosts': [39, 8],
  'one-in-flits': [61, 1],
  'two-in-flits': [619, 4],
};
const sentences = sunwayProperties.map(({ sentence }) => sentence);

const folder = temporaryFolder('sunway');

test.each(Object.entries(small))(
  '%s: all properties are judged under every schedule',
  async (name, figures) => {
    const found = await checked(fileOf(name));

    expect([found.states, found.quiet]).toEqual(figures);
    expect(found).toMatchObject({ exitCode: 0, verdict: 'ok', unexplored: 0, open: [], notJudged: [] });
    expect(found.properties).toEqual(sentences);
  },
);

test('races are left open, since only runs look for them', async () => {
  const file = join(folder, 'racy.yaml');
  writeFileSync(file, readFileSync(fileOf('two-pass'), 'utf8').replace(', race: { policy: off }', ''));
  const found = await checked(file);

  expect(found).toMatchObject({ exitCode: 4, verdict: 'incomplete', notJudged: [raceProperty] });
});

test.each(Object.entries(small))(
  '%s: what the properties remember tells no two states apart',
  async (name, [states]) => {
    const read = await loadScenario(fileOf(name), [sunwayMachine]);
    const plain = explorationOf(
      { ...read, properties: undefined },
      { reduction: true, statesMax: 1000, symmetry: false },
    );

    expect(new Explorer(plain.make, plain.options).toEnd()).toMatchObject({ verdict: 'ok', states });
  },
);

test('each property has something to judge in some of them', async () => {
  const judged = await Promise.all(
    Object.keys(small).map(async (name) => {
      const { scenario, machine } = await loadScenario(fileOf(name), [sunwayMachine]);
      let seen: readonly string[] = [];
      let watching: ReturnType<typeof sunwayMachineProperties.watch> | undefined;
      simulate(scenario, machine, {
        observe: (run, { given, assembly }) => {
          watching = sunwayMachineProperties.watch(run, given, assembly);
        },
        onEnd: () => {
          seen = watching?.judged ?? [];
        },
      });
      return seen;
    }),
  );

  expect(sentences.filter((sentence) => !judged.flat().includes(sentence))).toEqual([]);
});

describe.each([
  ['two-pass', ['S-01', 'S-02', 'S-03', 'S-07', 'S-21', 'S-31', 'S-33']],
  ['two-take-turns', ['S-10', 'S-28', 'S-30']],
  ['two-signals', ['S-36']],
  ['two-hosts', ['S-29']],
  ['one-in-flits', ['S-01', 'S-31']],
  ['two-in-flits', ['S-03']],
])('%s', (name, mutants) => {
  test.each(mutants)('%s is found by the property that must catch it', async (mutant) => {
    const file = join(folder, `${name}-${mutant}.yaml`);
    writeFileSync(file, `${readFileSync(fileOf(name), 'utf8')}faults: [{ mutant: ${mutant} }]\n`);

    const { exitCode, verdict, counterexample } = await checked(file);

    expect({ exitCode, verdict, what: counterexample?.what }).toEqual({
      exitCode: 1,
      verdict: 'violated',
      what: caughtBy.get(mutant)!.sentence,
    });
  });
});
