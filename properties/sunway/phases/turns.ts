import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import type { Phase } from './stage.ts';
import { scratchName } from './stage.ts';

/** The locks of the slave side by name (Sunway specification 6.3). */
const groups = [
  'array',
  '2spe',
  '1spc',
  '8spe',
  'row',
  'col',
  '2spc',
  '16spe',
  '4spc',
  '32spe',
  '8spc',
  'node',
] as const;

/** What is done under a lock with a word of main memory: the next holder is to find what this one has put. */
const holding = (turn: WrittenCall[number]): readonly WrittenCall[] => [
  ['dma_get', scratchName, turn, 4],
  ['dma_put', turn, scratchName, 4],
  ['dma_barrier'],
  ['dma_get', scratchName, turn, 4],
];

/** CPEs take turns: under a lock of all with one word of main memory, under one of some with a word of their own. */
export const turns: fc.Arbitrary<Phase> = fc
  .record({ group: fc.constantFrom(...groups), skew: fc.constantFrom(0, 7) })
  .map(({ group, skew }) => (stage) => {
    // Each lock of all has a word of its own: who has one of them may meet who has the other.
    const word = { array: 'arrayTurn', node: 'turn' } as const;
    const isOfAll = group === 'array' || group === 'node';
    stage.late(skew);
    stage.add([`smutex_lock_${group}`], ...holding(isOfAll ? stage.word(word[group]) : stage.own(0)), [
      `smutex_unlock_${group}`,
    ]);
  });

/** The same with a lock on a word of main memory (6.3): whoever comes in unasked races with its holder. */
export const userLocks: fc.Arbitrary<Phase> = fc.constantFrom(0, 7).map((skew) => (stage) => {
  stage.late(skew);
  stage.add(['user_lock', stage.word('userLock')], ...holding(stage.word('userTurn')), [
    'user_unlock',
    stage.word('userLock'),
  ]);
});

/** All add to one word, in any order. */
export const sums: fc.Arbitrary<Phase> = fc.nat(1000).map((value) => (stage) => {
  stage.add(['faa', stage.word('sum'), { number: value, perCpe: 1 }]);
  stage.atCpes(({ memory }, tid) => {
    const view = new DataView(memory.buffer, memory.byteOffset);
    const at = stage.wordAt('sum');
    view.setInt32(at, view.getInt32(at, true) + value + tid, true);
  });
});

/** Hosts try a lock of their own, which they then have, and try again, which comes too late (5.4). */
export const hostTries: fc.Arbitrary<Phase> = fc.integer({ min: 1, max: 3 }).map((times) => (stage) => {
  const word = stage.word('hostLock');
  stage.host(...Array.from({ length: times }, (): WrittenCall => ['mutex_trylock', word]), [
    'mutex_unlock',
    word,
  ]);
});

/**
 * Hosts take turns with the lock of the node; the last one tries it while the first has it and others wait, and is declined (5.4). They have met
 * before, and are so far apart that nothing else comes of it.
 */
export const declinedTries: fc.Arbitrary<Phase> = fc.constantFrom(4000, 6000).map((apart) => (stage) => {
  const last = stage.shape.cgs - 1;
  if (last === 0 || stage.shape.handling !== undefined) return;
  stage.host(['sync_node']);
  stage.hostEach(
    (cgn): WrittenCall => ['compute', 1 + apart * cgn],
    (cgn): WrittenCall => [cgn === last ? 'mutex_trylock_node' : 'mutex_lock_node'],
    (cgn): WrittenCall => ['compute', cgn === 0 ? 4 * apart : 5],
    (cgn): WrittenCall => (cgn === last ? ['compute', 1] : ['mutex_unlock_node']),
  );
});
