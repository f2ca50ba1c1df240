import { expect, test } from 'vitest';
import { sunwayMutants } from '../../machines/sunway/mutants.ts';
import { caughtBy } from './invariants.ts';
import { raisedIn } from './raised.ts';
import { workloads } from './workloads.ts';

/** The workload that shows each of the first faults by its default schedule; the others are found in generated scenarios. */
const shownIn: Readonly<Record<string, keyof typeof workloads>> = {
  'S-01': 'moves',
  'S-02': 'moves',
  'S-03': 'moves',
  'S-04': 'copies',
  'S-05': 'moves',
  'S-06': 'moves',
  'S-07': 'moves',
  'S-08': 'moves',
  'S-09': 'meetings',
  'S-10': 'meetings',
  'S-11': 'meetings',
  'S-12': 'flits',
  'S-13': 'flits',
};

test.each(Object.keys(workloads) as (keyof typeof workloads)[])(
  'nothing is raised by a sound node: %s',
  (name) => {
    expect(raisedIn(workloads[name]())).toEqual([]);
  },
);

test.each(Object.entries(shownIn).map(([id, name]) => [id, sunwayMutants.get(id)!.sentence, name] as const))(
  '%s is caught: %s',
  (id, _sentence, name) => {
    expect(raisedIn(workloads[name]([id]))).toContain(caughtBy.get(id)!.sentence);
  },
);

test.each(
  Object.keys(shownIn)
    .filter((id) => !['S-09', 'S-10', 'S-11'].includes(id))
    .map((id) => [id, sunwayMutants.get(id)!.sentence]),
)('%s is caught where flits are moved: %s', (id) => {
  expect(raisedIn(workloads.flits([id]))).toContain(caughtBy.get(id)!.sentence);
});
