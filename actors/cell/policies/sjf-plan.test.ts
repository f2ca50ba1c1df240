import { expect, test } from 'vitest';
import { arbitrate } from '../arbitrate.ts';
import { openLoopInstance } from '../open-loop.ts';
import { sjfDetour } from './sjf-detour.ts';
import { sjfPlan } from './sjf-plan.ts';

const overload = openLoopInstance({
  N: 8,
  K: 1,
  load: 0.9,
  sizes: 'bimodal',
  pattern: 'uniform',
  count: 60,
  seed: 11,
});

test('the same seed gives the same schedule, another seed another one', () => {
  const run = (seed: number) => arbitrate(overload, sjfPlan(overload, seed)).placements;

  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('starts four transfers at once where the shortest one, put first, would leave two waiting', () => {
  const spec = { N: 6, K: 1 };
  // Up: 2 3 4 and 5 0 1. Down: 4 3 and 2 1 0 5. The greedy choice sends the last one, of 7 bytes, up.
  const requests = [
    [0, 4, 3, 8],
    [0, 2, 4, 9],
    [0, 5, 1, 9],
    [0, 2, 5, 7],
  ] as const;

  const planned = arbitrate({ ...spec, requests }, sjfPlan(spec, 1));
  const greedy = arbitrate({ ...spec, requests }, sjfDetour(spec));

  expect(planned.placements).toEqual([
    [1, 1, 0],
    [1, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
  ]);
  expect(greedy.totalWait).toBe(14);
});

test('waits at least a twentieth less than sjf-detour over drawn loads', () => {
  let planned = 0;
  let greedy = 0;
  let seed = 5000;
  for (const N of [8, 12, 16]) {
    for (const K of [1, 2, 4]) {
      for (const load of [0.6, 0.9]) {
        for (const sizes of ['uniform', 'bimodal'] as const) {
          const instance = openLoopInstance({
            N,
            K,
            load,
            sizes,
            pattern: 'uniform',
            count: 80,
            seed: seed++,
          });
          planned += arbitrate(instance, sjfPlan(instance, 1)).totalWait;
          greedy += arbitrate(instance, sjfDetour(instance)).totalWait;
        }
      }
    }
  }

  expect(planned / greedy).toBeLessThan(0.95);
});
