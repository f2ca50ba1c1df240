import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { crowdedShapes, sends, traffic } from './traffic.ts';
import { trial } from './trial.ts';
import { leastRoom, workloads } from './workloads.ts';

describe.each(crowdedShapes)('$topology of $nodes with the least room', (shape) => {
  test('drains under random traffic and any schedule, and all credits come back', () => {
    const law = fc.property(traffic, fc.nat(99), (lists, seed) => {
      const { raised } = trial(sends(shape, lists), { choices: new RandomChoices(seed) });
      expect(raised).toEqual([]);
    });

    fc.assert(law, { numRuns: 8, seed: 22 });
  }, 30_000);

  test('stands still when packets begin to go round without leaving room behind', () => {
    const everyOne = Array.from({ length: 16 }, (_, rank) =>
      [0, 1, 2, 3].map((channel) => ({
        target: rank - (rank % 8) + ((rank + 3) % 8),
        channel,
        words: 256,
      })),
    );

    expect(trial(sends(shape, everyOne)).raised).toEqual([]);
    expect(trial(sends(shape, everyOne, ['T-14'])).raised).toContain('deadlock');
  }, 30_000);
});

test('with room for less data than packets, mixed sizes drain as well', () => {
  const room = { ...leastRoom, writeHeaders: 3, writeUnits: 12 };
  const law = fc.property(traffic, (lists) => {
    expect(trial(sends(crowdedShapes[0], lists, [], room)).raised).toEqual([]);
  });

  fc.assert(law, { numRuns: 8, seed: 4 });
}, 30_000);

test('the report of a full ring tells what its routers and cables wait for, and the circle among them', () => {
  const { run } = trial(workloads.crowded(['T-14']));
  const { deadlock } = run.outcome;
  const by = (name: string) => deadlock!.waiting.find(({ actor }) => actor === name);

  expect(by('Node[0].Router')).toMatchObject({
    waitsFor: 'room in the transmit queue of a port',
    on: ['Node[0].Link.E'],
  });
  expect(by('Node[0].Link.E')).toMatchObject({
    waitsFor: 'credits of the port at its far end',
    on: ['Node[1].Router'],
  });
  expect(by('Node[0].Dmac[0]')?.on).toEqual(['Node[0].Router']);
  expect([...deadlock!.cycle].sort()).toEqual(
    [0, 1, 2, 3].flatMap((node) => [`Node[${node}].Link.E`, `Node[${node}].Router`]),
  );
});
