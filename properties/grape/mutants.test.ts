import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { grapeMutants } from '../../machines/grape/mutants.ts';
import { grapeProperties } from './grape-properties.ts';
import { trial } from './trial.ts';
import { workloads } from './workloads.ts';

const all = Object.values(workloads);

const sentences = {
  together: 'input port and reduction network are never busy together, and neither twice',
  cycles: 'a port is busy as long as its header, words and latency take',
  words: 'every word of the input port comes to its blocks once, in order and announced',
  order: 'idp visits the records of a region in order, mode 2 without moving on',
  memory: 'external memory gives the words that the host stored',
  march: 'all blocks carry out the same slots in the same cycles, each once and in order',
  calculates: 'a block gives the words that the reference engine calculates from the same slots',
  sections: 'a run of n passes issues initialization, n bodies and finalization, nothing else',
  passes: 'a pass begins when its records are in place, and they stay until it has read them',
  tree: 'a reduced word is the tree of the words of all blocks',
  host: 'the host receives the reduced words, converted, in their order and in time',
  plain: 'the chip does what a plain loop over its cycles does: codes, cycles, slots, results, warnings',
} as const;

/** What shows each fault. `reference`: no message shows it, the results of a run on the reference engine are others. `once`: the control
 * processor itself reports it. */
const shownBy: Readonly<
  Record<string, readonly (keyof typeof sentences | 'reference' | 'once' | 'deadlock')[]>
> = {
  'G-01': ['calculates', 'plain'],
  'G-02': ['calculates', 'plain'],
  'G-03': ['calculates', 'plain'],
  'G-04': ['calculates', 'plain'],
  'G-05': ['calculates', 'plain'],
  'G-06': ['march', 'calculates', 'deadlock', 'plain'],
  'G-07': ['march', 'calculates', 'once', 'plain'],
  'G-08': ['march', 'calculates', 'plain'],
  'G-09': ['words', 'plain'],
  'G-10': ['words', 'plain'],
  'G-11': ['words'],
  'G-12': ['order', 'plain'],
  'G-13': ['memory', 'plain'],
  'G-14': ['tree', 'plain'],
  'G-15': ['tree', 'plain'],
  'G-16': ['tree', 'plain'],
  'G-17': ['host', 'plain'],
  'G-18': ['host', 'plain'],
  'G-19': ['cycles', 'plain'],
  'G-20': ['together', 'plain'],
  'G-21': ['passes', 'plain'],
  'G-22': ['sections', 'passes', 'plain'],
  'G-23': ['order', 'plain'],
};

/** What is raised by a fault over all workloads, and by a comparison with the reference engine. */
function raisedBy(mutants: readonly string[]): readonly string[] {
  const raised = new Set<string>();
  for (const workload of all) {
    const { result, raised: here } = trial(workload({}, mutants));
    for (const one of here) raised.add(one);
    if (here.length > 0) continue;
    const reference = trial(workload({ engine: 'reference' })).result;
    if (JSON.stringify(reference.results) !== JSON.stringify(result.results)) raised.add('reference');
  }
  return [...raised].sort();
}

test('the table has every fault of the catalogue, and every property catches one', () => {
  expect(Object.keys(shownBy)).toEqual([...grapeMutants.keys()]);
  expect(Object.values(sentences).sort()).toEqual(grapeProperties.map(({ sentence }) => sentence).sort());
  const used = new Set(Object.values(shownBy).flat());
  for (const name of Object.keys(sentences)) expect(used).toContain(name);
});

test.each([...grapeMutants].map(([id, { sentence }]) => [id, sentence]))('%s is caught: %s', (id) => {
  const words: Readonly<Record<string, string>> = { ...sentences, once: 'a block carries out a slot once' };
  const expected = shownBy[id]!.map((one) => words[one] ?? one);

  expect(raisedBy([id])).toEqual([...expected].sort());
});

test('faults of different parts add up', () => {
  expect(raisedBy(['G-08', 'G-13', 'G-18'])).toEqual(
    [sentences.march, sentences.calculates, sentences.memory, sentences.host, sentences.plain].sort(),
  );
});

// After all faults, so that one that stays planted is seen.
test.each([1, 2, 3, 5])('nothing is raised by the sound chip of %i blocks, on either engine', (nBB) => {
  for (const engine of ['lanes', 'reference'] as const)
    for (const workload of [workloads.kernel, workloads.hurried, ...(nBB > 1 ? [workloads.stream] : [])]) {
      const { raised, warnings } = trial(workload({ nBB, engine }));

      expect([raised, warnings]).toEqual([[], []]);
    }
});

test('the sound chip calculates what the reference does, after all faults', () => {
  expect(raisedBy([])).toEqual([]);
});

describe('XState itself shows each fault as the tables do', () => {
  const interpreted = [...grapeMutants.keys()].filter((_, at) => at % effort({ short: 4, long: 1 }) === 0);

  test.each(interpreted)('%s', (id) => {
    const [first, other] = (['compiled', 'xstate'] as const).map((engine) => {
      const { run, raised, result } = trial(workloads.hurried({ nBB: 2 }, [id]), { engine });
      const { verdict, ticks, deliveries } = run.outcome;
      return { verdict, ticks, deliveries, raised, result };
    });

    expect(other).toEqual(first);
  });
});
