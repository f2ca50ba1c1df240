import { expect, test } from 'vitest';
import { NetworkRun } from '../../machines/chiplet/network-run.ts';
import { networkMisfits, planOf } from '../../machines/chiplet/plan.ts';
import { givenOf, trial } from './trial.ts';

/** Two or three routers in a row with their stage delays, and wires of one weight. */
const graphOf = (stages: readonly number[], weight: number): string =>
  `graph g { edge[weight=${weight}] ${stages
    .map((stage, node) => `${node} [pipeline_stage_delay=${stage}]`)
    .join(' ')} ${stages.map((_, node) => node).join('--')} }`;

const configOf = (stages: readonly number[], weight: number, changes: object = {}) =>
  givenOf(
    { A: stages.length, c: 1, R: 4, B: 12, O: 12, graphText: graphOf(stages, weight), ...changes },
    { packets: [] },
  ).config.network;

/** Delay of one packet from the first router to the last one. */
function delayOf(stages: readonly number[], weight: number, time: number, size = 1): number {
  const packet = { time, source: 0, target: stages.length - 1, size };
  const network = new NetworkRun(planOf(configOf(stages, weight), [packet]), 1000);
  let found = -1;
  network.follow(({ delay }) => {
    found = delay;
  });
  network.toEnd();
  return found;
}

/*
 * By hand: the source sees the packet in its first turn from its time on, puts it on the wire four turns later, and the next router sees it in its
 * first turn after the arrival.
 */
test.each([
  // Seen at 10, on the wire at 14, there at 14.9, seen at 15.
  { stages: [1, 1], weight: 0.9, time: 9.5, delay: 5.5 },
  // Seen at 12, on the wire at 20, there at 20.9, seen at 21.
  { stages: [2, 3], weight: 0.9, time: 11.5, delay: 9.5 },
  // Seen at 12, on the wire at 24, there at 24.9, seen at 26.
  { stages: [3, 2], weight: 0.9, time: 11.5, delay: 14.5 },
  // Seen at 12, on the wire at 20, seen at 21 by the middle one, on the wire at 33, there at 33.9, seen at 34.
  { stages: [2, 3, 1], weight: 0.9, time: 10.5, delay: 23.5 },
])('stages of $stages cycles and wires of $weight: $delay cycles', ({ stages, weight, time, delay }) => {
  expect(delayOf(stages, weight, time)).toBe(delay);
});

test.each([
  // There at 16, with a turn that was planned at 14 before the wire began: seen at 18.
  { stages: [1, 2], weight: 2, delay: 8.5 },
  // There at 16, with a turn that was planned at 14; the wire began at 13: seen at 16.
  { stages: [1, 2], weight: 3, delay: 8.5 },
  // On the wire at 18, in a turn that came before the other router's of cycle 18, which planned that of 19: seen at 19.
  { stages: [2, 1], weight: 1, delay: 9.5 },
  // Both have their turns together: the next one is planned before the wire begins. There at 20, seen at 22.
  { stages: [2, 2], weight: 2, delay: 12.5 },
])('arrivals that fall on a turn: stages $stages, wires of $weight cycles', ({ stages, weight, delay }) => {
  expect(delayOf(stages, weight, 9.5)).toBe(delay);
});

test('a packet at a whole cycle is in time for a turn that was planned after it', () => {
  expect(delayOf([2, 2], 0.9, 12)).toBe(10);
});

test.each(['0.5', '1.5', '0'])('a stage of %s cycles is refused with its line', (stage) => {
  const graphText = `graph g {\n 0 [pipeline_stage_delay=${stage}]\n 0--1 }`;

  expect(networkMisfits(configOf([1, 1], 1, { graphText }))[0]).toEqual({
    key: 'graphText',
    found: `pipeline_stage_delay ${Number(stage)} in line 2`,
    expected: 'whole cycles, at least 1',
  });
});

test('orders of a heap want stages of one cycle', () => {
  for (const ties of ['heap', 'legosim'])
    expect(networkMisfits(configOf([1, 2], 1, { ties }))[0]!.key).toBe('ties');
});

test('a flit that comes where its router has no turn is seen at once, also for what is lost in the same cycle', () => {
  const graph = `graph {
    node [pipeline_stage_delay=1]
    3 [pipeline_stage_delay=2];
    edge [weight="0.9"] 0--1
    edge [weight="2"] 0--2
    edge [weight="0.9"] 0--3 0--4 0--5
  }`;
  const network = { A: 6, c: 1, R: 4, V: 1, B: 3, O: 12, F: 1, loss: true, random: 'perRouter' };
  const packets = [
    [0, 2, 3, 5],
    [0, 0, 0, 1],
  ];

  const { raised, result } = trial(givenOf({ ...network, graphText: graph }, { packets }));

  expect(raised).toEqual([]);
  expect(result.droppedFlits).toBeGreaterThan(0);
});
