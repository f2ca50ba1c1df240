import { expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import { interchipletMutants } from '../../../machines/chiplet/interchiplet-mutants.ts';
import { chipletSentences } from '../machine-properties.ts';
import { trial } from './trial.ts';
import { misfits, workloads } from './workloads.ts';

const sentences = {
  holder: 'a lock has one holder at a time, in the recorded order',
  time: 'a lock is taken in simulated time after it was given back',
  back: 'no process goes on before the cycle of its command',
  read: 'a transfer joins ends of one size, and its data are read when they have arrived',
  meet: 'a barrier of the coordinator opens when all have come',
  once: 'a latency record serves one transaction',
  equal: 'rounds with equal delays make equal traces',
  trace: 'the trace has each completed transaction once, in the clock of the network',
} as const;

/** What shows each fault. `deadlock` is a run in which somebody waits for ever. */
const shownBy: Readonly<Record<string, readonly (keyof typeof sentences | 'deadlock')[]>> = {
  'I-01': ['holder'],
  'I-02': ['time'],
  'I-03': ['read', 'trace'],
  'I-04': ['meet', 'deadlock'],
  'I-05': ['meet', 'trace', 'deadlock'],
  'I-06': ['once', 'read'],
  'I-07': ['back', 'trace'],
  'I-08': ['read'],
  'I-09': ['trace'],
  'I-10': ['equal', 'read'],
  'I-11': ['holder'],
  'I-12': ['read', 'back'],
};

/** What is raised by faults over all workloads; where sizes do not fit, a deadlock is right. */
const raisedBy = (mutants: readonly string[]): readonly string[] =>
  [
    ...new Set([
      ...Object.values(workloads).flatMap((workload) => trial({ ...workload, mutants }).raised),
      ...trial({ ...misfits, mutants }).raised.filter((one) => one !== 'deadlock'),
    ]),
  ].sort();

test('the table has every fault of the catalogue, and every property catches one', () => {
  expect(Object.keys(shownBy)).toEqual([...interchipletMutants.keys()]);
  expect(Object.values(sentences).sort()).toEqual([...chipletSentences.interchiplet].sort());
  const used = new Set(Object.values(shownBy).flat());
  for (const name of Object.keys(sentences)) expect(used).toContain(name);
});

test.each(Object.entries(workloads))('nothing is raised by a sound coordinator: %s', (_, workload) => {
  const { raised, result } = trial(workload);

  expect(raised).toEqual([]);
  expect(result.rounds).toHaveLength(5);
  expect(result.warnings).toEqual([]);
});

test('ends of other sizes wait for ever', () => {
  expect(trial(misfits).raised).toEqual(['deadlock']);
});

test.each([...interchipletMutants].map(([id, { sentence }]) => [id, sentence]))('%s is caught: %s', (id) => {
  const words: Readonly<Record<string, string>> = sentences;
  const expected = (shownBy[id] ?? []).map((one) => words[one] ?? one);

  expect(raisedBy([id])).toEqual([...expected].sort());
});

// After all faults, so that one that stays planted is seen.
test('a planted fault leaves a sound coordinator as it was', () => {
  expect(raisedBy([])).toEqual([]);
});

// XState takes a hundred times as long; what a fault is does not depend on who carries it out.
const interpreted = [...interchipletMutants.keys()].filter(
  (_, index) => index % effort({ short: 4, long: 1 }) === 0,
);

test.each(interpreted)('XState itself shows %s as the tables do', (id) => {
  for (const workload of Object.values(workloads)) {
    const [first, other] = (['compiled', 'xstate'] as const).map((engine) => {
      const { run, raised, result } = trial({ ...workload, mutants: [id] }, { engine });
      const { verdict, ticks, deliveries } = run.outcome;
      return { verdict, ticks, deliveries, raised, result };
    });
    expect(other).toEqual(first);
  }
});
