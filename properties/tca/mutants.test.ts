import { expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { tcaMutants } from '../../machines/tca/mutants.ts';
import { referenceSentence } from '../with-reference.ts';
import { tcaMachineProperties } from './machine-properties.ts';
import { trial } from './trial.ts';
import { workloads } from './workloads.ts';

const sentences = {
  tags: 'a tag belongs to one read at a time, stays in its partition and comes back',
  bytes: 'a read gets the bytes that were in memory, each once',
  retire: 'the reads of a channel retire in the order of its requests, with their bytes',
  pace: 'a channel reads and fetches in the intervals of its table, and only while a tag is free',
  sequence: 'the writes of a channel arrive at a node in sequence, each once',
  flags: 'a flag is set when all bytes of the earlier descriptors of its chain are in place',
  buffer: 'the write buffer of a GPU never holds more than it has room for',
  links: 'a link sends its packets one after the other, each arrives after its bytes and the latency',
  way: 'a write crosses as many cables as lie between its nodes',
  credits: 'a port never holds more than it gave credits for, and gives all of them back',
  queues: 'a queue of the router is told of each write that leaves it, once',
  chains: 'the performance counter of a channel counts every chain once',
  rings: 'a ring hands over its packets in order, each once, and keeps each until it is freed',
  messages: 'every message runs its handler once, where it was sent to',
  puts: 'all bytes of a put are in place when it returns',
  barriers: 'no node leaves a barrier before all have entered it',
  segments:
    'segments and private memories hold what the calls of GASNet put there one after the other, and nothing else',
  himeno: 'Himeno on blocks comes out as on one array, to the last bit',
} as const;

/** How a run may end, or what its parts report themselves. */
const endings = {
  deadlock: 'deadlock',
  endless: 'endless',
  error: 'error',
  channel: 'no channel comes into error',
  /** Judged of runs in which nothing else is found, and by no exploration. */
  plain: referenceSentence,
} as const;

/** What shows each fault. `deadlock` and `endless` are runs in which a program waits for a chain that never ends. */
const shownBy: Readonly<Record<string, readonly (keyof typeof sentences | keyof typeof endings)[]>> = {
  'T-01': ['pace'],
  'T-02': ['tags', 'pace'],
  'T-03': ['retire'],
  'T-04': ['tags', 'chains', 'deadlock', 'endless', 'messages', 'segments'],
  'T-05': ['tags', 'bytes', 'retire', 'chains', 'deadlock'],
  'T-06': ['links', 'sequence', 'flags'],
  'T-07': ['buffer'],
  'T-08': ['bytes', 'error', 'himeno', 'plain'],
  'T-09': ['way', 'plain'],
  'T-10': ['way', 'sequence', 'rings', 'segments', 'deadlock', 'flags', 'messages', 'himeno'],
  'T-11': ['chains', 'channel', 'pace', 'rings', 'retire', 'messages', 'deadlock', 'segments'],
  'T-12': ['retire', 'flags', 'rings', 'messages', 'segments', 'deadlock', 'himeno', 'plain', 'puts'],
  'T-13': ['links', 'sequence', 'flags'],
  // A run that stands still has left everything undone.
  'T-14': ['tags', 'sequence', 'links', 'chains', 'credits', 'queues', 'deadlock'],
  'T-15': ['credits', 'queues', 'tags', 'sequence', 'links', 'chains', 'deadlock'],
  'T-16': ['sequence'],
  'T-17': ['rings', 'messages', 'segments', 'deadlock', 'puts', 'himeno'],
  'T-18': ['puts', 'plain'],
  'T-19': ['rings', 'messages', 'segments', 'deadlock'],
  'T-20': ['messages', 'segments', 'deadlock'],
  'T-21': ['segments', 'deadlock', 'himeno'],
  'T-22': ['barriers', 'plain'],
  // What most of the following bring is wrong in itself, and only who asked for it knows: the conformance suite shows them.
  'T-23': ['messages', 'segments'],
  'T-24': ['messages', 'segments', 'deadlock'],
  'T-25': [],
  'T-26': ['plain'],
  'T-27': ['segments', 'himeno'],
  'T-28': ['segments'],
  'T-29': ['deadlock', 'himeno'],
  'T-30': ['endless', 'plain', 'segments'],
  'T-31': ['plain'],
};

/** Workloads, those first that show most faults in the shortest time. */
const soonest = [
  'mixed',
  'long',
  'crowded',
  'scattered',
  'himeno',
  'gasnet',
  'listsOfFour',
  'longLists',
  'lists',
] as const satisfies readonly (keyof typeof workloads)[];

/** What is raised by faults over all workloads; in `npm test` over those up to the first in which something is. */
function raisedBy(mutants: readonly string[]): readonly string[] {
  const raised = new Set<string>();
  for (const name of soonest) {
    for (const what of trial(workloads[name](mutants)).raised) raised.add(what);
    if (effort({ short: raised.size > 0, long: false })) break;
  }
  return [...raised].sort();
}

test('the table has every fault of the catalogue, and every property catches one', () => {
  expect([...soonest].sort()).toEqual(Object.keys(workloads).sort());
  expect(Object.keys(shownBy)).toEqual([...tcaMutants.keys()]);
  expect(Object.values(sentences).sort()).toEqual([...tcaMachineProperties.sentences].sort());
  const used = new Set(Object.values(shownBy).flat());
  for (const name of Object.keys(sentences)) expect(used).toContain(name);
});

test.each([...tcaMutants].map(([id, { sentence }]) => [id, sentence]))('%s is caught: %s', (id) => {
  const words: Readonly<Record<string, string>> = { ...sentences, ...endings };
  const expected = shownBy[id]!.map((one) => words[one] ?? one);

  const raised = raisedBy([id]);

  expect(raised.length > 0).toBe(expected.length > 0);
  expect([...expected].sort()).toEqual(effort({ short: expect.arrayContaining([...raised]), long: raised }));
});

// After all faults, so that one that stays planted is seen.
test.each(Object.keys(workloads) as (keyof typeof workloads)[])(
  'nothing is raised by sound nodes: %s',
  (name) => {
    expect(trial(workloads[name]()).raised).toEqual([]);
  },
);

// XState takes a hundred times as long; what a fault is does not depend on who carries it out.
const interpreted = [...tcaMutants.keys()].filter((_, index) => index % effort({ short: 4, long: 1 }) === 0);

test.each(interpreted)('XState itself shows %s as the tables do', (id) => {
  const [first, other] = (['compiled', 'xstate'] as const).map((engine) => {
    const { run, raised, result } = trial(workloads.mixed([id]), { engine });
    const { verdict, ticks, deliveries } = run.outcome;
    return { verdict, ticks, deliveries, raised, result };
  });

  expect(other).toEqual(first);
});
