import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import type { Assembly, Given } from '../../machines/machine.ts';
import { watch } from '../property.ts';
import { type Crossings, crossed } from '../testing/crossed.ts';
import { systemOf } from './core-twins.ts';
import { chipletSentences, networkMachineProperties, systemMachineProperties } from './machine-properties.ts';
import { systemScenarios } from './system/scenarios.ts';
import { busy, givenOf } from './trial.ts';

/** Less is said to them than to those of networks. */
const ofSystems: ReadonlySet<string> = new Set(chipletSentences.system);

type Machine = { assemble(given: never): Assembly };

test('what is about different things is seen in either order with the same result', () => {
  const bySentence = new Map<string, Crossings>();
  const follow = (
    machine: Machine,
    { observers }: typeof systemMachineProperties,
    given: object,
    seed: number,
  ) => {
    const assembly = machine.assemble(given as never);
    const run = new Run(assembly.wiring, { choices: new RandomChoices(seed) });
    const properties = observers!(given as Given, assembly).map((one) => {
      const crossings = bySentence.get(one.sentence) ?? { count: 0, differences: [] };
      bySentence.set(one.sentence, crossings);
      return crossed(one, crossings, ofSystems.has(one.sentence) ? 1 : 9);
    });
    const watching = watch(run, properties);
    run.until(2500);
    watching.end();
  };

  follow(networkMachine, networkMachineProperties, givenOf({}, { ...busy, packets: 30 }), 1);
  follow(
    networkMachine,
    networkMachineProperties,
    givenOf({ loss: true, V: 1, B: 1 }, { ...busy, packets: 30 }),
    2,
  );
  for (const [seed, written] of fc.sample(systemScenarios, { seed: 5, numRuns: 10 }).entries())
    follow(systemMachine, systemMachineProperties, systemOf(written), seed);

  expect([...bySentence.values()].flatMap(({ differences }) => differences).slice(0, 3)).toEqual([]);
  const crossedOften = [...bySentence].filter(([, { count }]) => count > 10).map(([sentence]) => sentence);
  expect(crossedOften).toEqual([]);
});
