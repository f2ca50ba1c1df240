import { describe, expect, test } from 'vitest';
import { NetworkRun } from '../../machines/chiplet/network-run.ts';
import { networkMisfits, planOf } from '../../machines/chiplet/plan.ts';
import { readReconfiguration } from '../../machines/chiplet/reconfiguration-text.ts';
import { givenOf } from './trial.ts';

const row = 'graph row { edge[weight=0.9] node[pipeline_stage_delay=1] 0--1--2--3--4 }';

/** Periods of 100 cycles: in the even ones an edge joins the ends of the row. */
const shortcut = '2 100\n2 0 4\n1\n0 4 0.9\n0\n';

const configOf = (reconfigurationText: string | undefined, changes: object = {}) =>
  givenOf(
    { A: 5, c: 1, R: 5, B: 12, O: 12, graphText: row, reconfigurationText, ...changes },
    { packets: [] },
  ).config.network;

/** The delay of a packet of one flit from one end of the row to the other, sent half a cycle before a cycle. */
function delayAt(cycle: number, text = shortcut): number {
  const network = new NetworkRun(
    planOf(configOf(text), [{ time: cycle - 0.5, source: 0, target: 4, size: 1 }]),
    1000,
  );
  let found = -1;
  network.follow(({ delay }) => {
    found = delay;
  });
  network.toEnd();
  return found;
}

describe('edges of a period', () => {
  test('a packet takes the edge of the period that its head is routed in: one hop instead of four', () => {
    expect(delayAt(10)).toBe(5.5);
    expect(delayAt(110)).toBe(20.5);
    expect(delayAt(210)).toBe(5.5);
  });

  test('in the last twenty cycles of a period packets go as if its edges were not there', () => {
    expect(delayAt(79)).toBe(5.5);
    expect(delayAt(80)).toBe(20.5);
    expect(delayAt(99)).toBe(20.5);
    expect(delayAt(200)).toBe(5.5);
  });

  test('the weight of an edge decides whether it is taken', () => {
    expect(delayAt(10, '1 100 2 0 4 1 0 4 14.9')).toBe(19.5);
    expect(delayAt(10, '1 100 2 0 4 1 0 4 40')).toBe(20.5);
  });
});

describe('a wrong text', () => {
  test.each([
    ['', 1, 'the end of the text'],
    ['0 100', 1, '"0"'],
    ['1 0.5', 1, '"0.5"'],
    ['1 100\n2 0 5', 2, '"5"'],
    ['1 100\n2 0 4\n1\n0 3 1', 4, '"3"'],
    ['1 100\n2 0 4\n1\n4 4 1', 4, 'an edge from 4 to itself'],
    ['1 100\n2 0 4\n1\n0 4 -1', 4, '"-1"'],
    ['1 100\n2 0 4\n1\n0 4', 4, 'the end of the text'],
    ['1 100\n2 0 4\n0\n7', 4, '"7" after 1 periods'],
  ])('%j is refused in line %i', (text, line, found) => {
    expect(readReconfiguration(text, 5)).toMatchObject({ line, found });
    expect(networkMisfits(configOf(text))[0]).toMatchObject({
      key: 'reconfigurationText',
      found: `${found} in line ${line}`,
    });
  });

  test('reconfigurations and routing 5 go together', () => {
    expect(networkMisfits(configOf(undefined))[0]!.key).toBe('reconfigurationText');
    expect(networkMisfits(configOf(shortcut, { R: 4 }))[0]!.key).toBe('reconfigurationText');
    expect(networkMisfits(configOf(shortcut))).toEqual([]);
  });
});
