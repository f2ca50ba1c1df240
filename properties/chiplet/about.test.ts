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
  for (const [seed, written] of fc.sample(systemScenarios, { seed: 5, numRuns: 16 }).entries())
    follow(systemMachine, systemMachineProperties, systemOf(written), seed);

  expect([...bySentence.values()].flatMap(({ differences }) => differences).slice(0, 3)).toEqual([]);
  const crossedOften = [...bySentence].filter(([, { count }]) => count > 10).map(([sentence]) => sentence);
  expect(crossedOften).toEqual([
    'every packet arrives once, at its target, or is lost, and none stays in a network that has come to rest',
    'in a channel the flits of a packet come one after the other, head first, tail last',
    'no more flits are sent to a buffer than it holds, and the place of each comes back once',
    'an output channel belongs to one input channel, from the grant until the tail has passed',
    'in a cycle one flit at most leaves an input port, enters an output port, and goes over a link',
    'a flit is seen at the other end of its wire when the wire takes it there, and only there',
    'a link counts the bits in which each flit differs from the one before it',
    'a receive takes values that have come, the oldest first or by index, and none of them twice',
    'each chiplet passes each of its meetings once',
    'meetings are an interval apart, and between two of them all chiplets count the cycles of that interval',
    'the synchronisation file never has more than two lines and one a chiplet',
  ]);
});
