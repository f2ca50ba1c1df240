import { describe, expect, test } from 'vitest';
import { tcaMutants } from '../../../machines/tca/mutants.ts';
import type { ConformanceCase } from './case.ts';
import { conformanceCases } from './cases.ts';
import { findingOf, type Row, topologyOf } from './row.ts';
import { rowsOf, type SuiteOrder } from './suite.ts';

const mandatory = [
  ...Array.from({ length: 16 }, (_, k) => `C${String(k + 1).padStart(2, '0')}`),
  'C19',
  'C22',
  'C23',
];
const caseOf = (id: string): ConformanceCase => conformanceCases.find((one) => one.id === id)!;
const rowOf = (id: string, nodes: number): Row => ({
  case: caseOf(id),
  topology: topologyOf(nodes),
  nodes,
  mode: 'auto',
  channels: [0, 1, 2, 3],
});

/** Which cases show a planted fault, on four nodes under the default schedule. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  'T-20': ['C01', 'C02', 'C03', 'C04', 'C05', 'C06', 'C19', 'C22'],
  'T-22': ['C03', 'C09', 'C11', 'C13', 'C14', 'C15', 'C16'],
  'T-23': ['C05'],
  'T-24': ['C02', 'C03', 'C04', 'C05', 'C06', 'C13'],
  'T-25': ['C15'],
  'T-26': ['C07', 'C08', 'C09', 'C10', 'C11', 'C12', 'C13'],
  'T-27': ['C13', 'C22'],
  'T-28': ['C07', 'C08', 'C09', 'C12', 'C13'],
  'T-29': ['C23'],
  'T-30': ['C02', 'C03', 'C05', 'C06', 'C13', 'C19'],
  'T-31': ['C07', 'C08'],
};

describe('the suite', () => {
  test('has the mandatory cases of the specification, each shown to fail by a planted fault', () => {
    expect(conformanceCases.filter((one) => one.mandatory).map(({ id }) => id)).toEqual(mandatory);
    expect([...new Set(Object.values(shownBy).flat())].sort()).toEqual(mandatory);
    for (const id of Object.keys(shownBy)) expect(tcaMutants.has(id)).toBe(true);
  });

  test.each(conformanceCases.map(({ id, title }) => [id, title]))('%s holds: %s', (id) => {
    expect(findingOf(rowOf(id, 2), 1, 0)).toBeUndefined();
    expect(findingOf({ ...rowOf(id, 4), mode: 'BtoB', channels: [0] }, 5, 2)).toBeUndefined();
  });

  test('holds on one ring of eight nodes and two rings of eight', () => {
    for (const nodes of [8, 16]) {
      expect(findingOf(rowOf('C01', nodes), 1, 0)).toBeUndefined();
      expect(findingOf(rowOf('C15', nodes), 1, 3)).toBeUndefined();
    }
  });
});

test.each(Object.entries(shownBy).map(([id, [first]]) => [id, first!, tcaMutants.get(id)!.sentence]))(
  '%s is shown by %s: %s',
  (mutant, id) => {
    expect(findingOf(rowOf(id, 4), 1, 0, [mutant])).toBeDefined();
  },
);

describe('a run of the suite', () => {
  const order: SuiteOrder = {
    cases: [caseOf('C24'), caseOf('C01')],
    nodes: [2],
    modes: ['auto', 'BtoB'],
    channels: [[0]],
    schedules: 2,
    seed: 1,
    mutants: [],
  };

  test('finds what is wrong with a case', () => {
    const broken = rowsOf(order)[2]!;

    expect(findingOf(broken, 1, 0, [])).toBeUndefined();
    expect(findingOf(broken, 1, 0, ['T-20'])).toContain('heard before: found true, expected false');
  });

  test('runs every job of a case by default, and sooner or later under other schedules', () => {
    const seen = new Set<number>();
    const counting: ConformanceCase = {
      ...caseOf('C24'),
      variants: 5,
      program: (conditions) => {
        seen.add(conditions.variant);
        return caseOf('C24').program(conditions);
      },
    };
    const row = { ...rowOf('C24', 2), case: counting };

    findingOf(row, 1, 0);
    expect([...seen]).toEqual([0, 1, 2, 3, 4]);
    seen.clear();
    for (let number = 1; number <= 20; number++) findingOf(row, 1, number);
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
