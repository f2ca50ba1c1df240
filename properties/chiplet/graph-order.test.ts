import { describe, expect, test } from 'vitest';
import { NetworkRun } from '../../machines/chiplet/network-run.ts';
import { planOf } from '../../machines/chiplet/plan.ts';
import { givenOf } from './trial.ts';

/** Four routers in a row with wires that take as long as a turn is apart. */
const row = 'graph row { edge[weight=1] node[pipeline_stage_delay=1] 0--1--2--3 }';

const heap = { ties: 'heap', firstStart: 'trace' };

interface Told {
  readonly delays: readonly number[];
  readonly endTime: number;
}

/** Delays of packets, in the order of the trace, in a network of a graph. */
function delaysOf(graphText: string, network: object, lines: readonly (readonly number[])[]): Told {
  const nodes = (network as { A?: number }).A ?? 4;
  const given = givenOf({ A: nodes, c: 1, R: 4, B: 12, O: 12, graphText, ...network }, { packets: [] });
  const packets = lines.map(([time, source, target, size]) => ({
    time: time!,
    source: source!,
    target: target!,
    size: size!,
  }));
  const run = new NetworkRun(planOf(given.config.network, packets), 1000);
  const delays = new Map<string, number>();
  run.follow(({ time, source, target, delay }) => delays.set([time, ...source, ...target].join(' '), delay));
  const { endTime } = run.toEnd();
  return { delays: lines.map((line) => delays.get(line.slice(0, 3).join(' ')) ?? -1), endTime };
}

describe('events of equal time on wires of one cycle', () => {
  test('first in, first out: a flit comes after the turns that it arrives with, so a hop takes six cycles', () => {
    expect(delaysOf(row, {}, [[10.5, 0, 3, 1]]).delays).toEqual([18.5]);
  });

  test('in a heap, too, a single flit comes after the turns, which were inserted before it', () => {
    expect(delaysOf(row, heap, [[10.5, 0, 3, 1]]).delays).toEqual([18.5]);
  });

  test('in a heap with more in it, some flits come out before the turns: five cycles for these hops', () => {
    for (const ties of [heap, { ties: 'legosim' }])
      for (const size of [2, 3, 4]) {
        const [delay] = delaysOf(row, ties, [[10.5, 0, 3, size]]).delays;
        expect(delay!).toBeLessThan(18.5 + size - 1);
        expect(delay!).toBeGreaterThanOrEqual(15.5 + size - 1);
      }
  });

  test('the LegoSim edition stops with the last event of the last packet, the others go on to the end', () => {
    const lines = [[10, 0, 3, 2]];

    expect(delaysOf(row, { T: 500, ties: 'heap' }, lines).endTime).toBe(501);
    const { delays, endTime } = delaysOf(row, { T: 500, ties: 'legosim' }, lines);
    expect(endTime).toBe(10 + delays[0]! + 1);
  });

  test('the LegoSim edition plans a packet at time 0 before the first turns: it is seen by cycle 0', () => {
    expect(delaysOf(row, { ties: 'legosim' }, [[0, 0, 0, 3]]).delays).toEqual([2]);
    expect(delaysOf(row, heap, [[0, 0, 0, 3]]).delays).toEqual([3]);
  });

  test('the LegoSim edition takes packets of equal time in reverse', () => {
    // One queue at the source: who comes first leaves first.
    const lines = [
      [10.5, 0, 1, 4],
      [10.5, 0, 2, 4],
    ];
    const [first, second] = delaysOf(row, { V: 1, ties: 'legosim' }, lines).delays;
    const [one, other] = delaysOf(row, { V: 1, ...heap }, lines).delays;

    expect(first!).toBeGreaterThan(one!);
    expect(second!).toBeLessThan(other!);
  });

  test('idle cycles change nothing but the end: a packet long after the others is as fast as alone', () => {
    const late = [1000, 0, 3, 3];
    for (const time of [0, 40.25, 200])
      expect(
        delaysOf(row, { ties: 'legosim' }, [[time, 2, 1, 5], late]).delays[1],
        `packet before at ${time}`,
      ).toBe(delaysOf(row, { ties: 'legosim' }, [late]).delays[0]);
  });
});
