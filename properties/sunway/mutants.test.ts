import { expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { sunwayMutants } from '../../machines/sunway/mutants.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import { sunwayProperties } from './sunway-properties.ts';
import { type SunwayGiven, workloads } from './workloads.ts';

const sentences = {
  counts: 'a transfer counts its end in exactly the words it names, each once',
  first: 'when a word counts the end of a transfer, its bytes are in place, or have been read',
  copies: 'a transfer reaches exactly its receivers, inside its range, each byte once',
  memory: 'a get brings bytes that main memory held while it was under way',
  order:
    'what a barrier operation holds back touches nothing before all earlier transfers of its CPE are written',
  waits:
    'a CPE that waits for a word goes on in the cycle in which the word has come far enough, and not before',
  barriers: 'nobody leaves a barrier before all its members have come, and then all leave within its latency',
  locks:
    'a lock has one holder at a time, in the order of the requests, and every request is granted in the end',
} as const;

/** The property that each fault is planted for. Others may be raised beside it, races and deadlocks too. */
const shownBy: Readonly<Record<string, keyof typeof sentences>> = {
  'S-01': 'counts',
  'S-02': 'first',
  'S-03': 'copies',
  'S-04': 'copies',
  'S-05': 'memory',
  'S-06': 'order',
  'S-07': 'waits',
  'S-08': 'waits',
  'S-09': 'barriers',
  'S-10': 'locks',
  'S-11': 'locks',
};

/** The sentences that do not hold, each once, and the verdict of a run that stands still. */
function raisedIn(given: SunwayGiven): readonly string[] {
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring);
  assembly.attach?.(run);
  const watching = sunwayMachineProperties.watch(run, given, assembly);
  run.until(200_000);
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return [...new Set(violations.map(({ property }) => property)), ...stopped];
}

const names = Object.keys(workloads) as (keyof typeof workloads)[];

test('the table has every fault of the catalogue, and every property catches one', () => {
  expect(Object.keys(shownBy)).toEqual([...sunwayMutants.keys()]);
  expect(Object.values(sentences).sort()).toEqual(sunwayProperties.map(({ sentence }) => sentence).sort());
  expect([...new Set(Object.values(shownBy))].sort()).toEqual(Object.keys(sentences).sort());
});

test.each(names)('nothing is raised by a sound node: %s', (name) => {
  expect(raisedIn(workloads[name]())).toEqual([]);
});

test.each([...sunwayMutants].map(([id, { sentence }]) => [id, sentence]))('%s is caught: %s', (id) => {
  const raised = new Set(names.flatMap((name) => raisedIn(workloads[name]([id]))));
  expect([...raised]).toContain(sentences[shownBy[id]!]);
});
