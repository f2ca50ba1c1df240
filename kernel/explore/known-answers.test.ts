import { expect, test } from 'vitest';
import { type Answer, KnownAnswers } from './known-answers.ts';
import { layoutFor } from './state-words.ts';
import type { TransitionCache } from './transition-cache.ts';

const layout = layoutFor(0, false, false, false, false, undefined, 0);
/** A state with these local states and one message that is due now: the number of the message is that of its receiver. */
const stateOf = (locals: readonly number[], message: number) =>
  Uint32Array.from([locals.length, ...locals, 0, message]);
const answer = (first: number): Answer => ({
  enough: { first, only: -2, heads: 1 },
  vain: 0,
  unknown: [],
  skipped: [],
  news: 0,
  tick: 0,
});

/** Answers about messages of which observers look at those that come in the local state 9. */
function answers() {
  const transitionCache = {
    slotTo: [0, 1, 2],
    known: (local: number) =>
      local === 8 ? undefined : { footprint: local === 9 ? [0] : [], alternatives: [], since: 0 },
  } as unknown as TransitionCache;
  const kept = new KnownAnswers(layout, transitionCache);
  const find = (words: Uint32Array) => kept.find(words, 0, words.length - 2, words.length);
  const keep = (words: Uint32Array, one: Answer, read: () => void) => {
    kept.search(0);
    read();
    kept.keep(words, words.length - 2, words.length, one);
  };
  return { kept, find, keep };
}

test('an answer is found for states in which is the same what was read for it, and for no others', () => {
  const { kept, find, keep } = answers();
  const words = stateOf([3, 4, 5], 0);
  const one = answer(0);
  keep(words, one, () => {
    kept.localAt(words, 0, 1);
    kept.localAt(words, 0, 1);
  });
  expect(find(words)).toBe(one);
  expect(find(stateOf([6, 4, 7], 0))).toBe(one);
  expect(find(stateOf([3, 7, 5], 0))).toBeUndefined();
  expect(find(stateOf([3, 4, 5], 1))).toBeUndefined();
  kept.forget();
  expect(find(words)).toBeUndefined();
});

test('what is read next depends on what was read before, and may be another thing when more is known', () => {
  const { kept, find, keep } = answers();
  const read = (words: Uint32Array, slots: readonly number[]) => () => {
    for (const slot of slots) kept.localAt(words, 0, slot);
  };
  const [low, high] = [stateOf([3, 4, 5], 0), stateOf([7, 4, 5], 0)];
  keep(low, answer(0), read(low, [0, 1]));
  keep(high, answer(1), read(high, [0, 2]));
  expect(find(stateOf([3, 4, 6], 0))?.enough?.first).toBe(0);
  expect(find(stateOf([7, 6, 5], 0))?.enough?.first).toBe(1);
  keep(low, answer(2), read(low, [0, 2]));
  expect(find(stateOf([3, 6, 5], 0))?.enough?.first).toBe(2);
  // What was a local state in slot 1 is none in slot 2.
  expect(find(stateOf([3, 4, 4], 0))).toBeUndefined();
});

test('of a local state may count what observers look at, and nothing else', () => {
  const { kept, find, keep } = answers();
  const words = stateOf([3, 4, 5], 1);
  keep(words, answer(0), () => kept.lookAt(words, 0, 1));
  expect(find(stateOf([3, 6, 5], 1))?.enough?.first).toBe(0);
  expect(find(stateOf([3, 8, 5], 1))).toBeUndefined();
  expect(find(stateOf([3, 9, 5], 1))).toBeUndefined();
});

test('many answers are found again while they are kept in more room', () => {
  const { kept, find, keep } = answers();
  const wordsOf = (number: number) => stateOf([number % 50, 100 + (number >> 2), 5], 0);
  for (let number = 0; number < 2000; number++) {
    const words = wordsOf(number);
    keep(words, answer(number), () => [0, 1].forEach((slot) => void kept.localAt(words, 0, slot)));
  }
  const found = Array.from({ length: 2000 }, (_, number) => find(wordsOf(number))?.enough?.first);
  expect(found).toEqual(Array.from({ length: 2000 }, (_, number) => number));
});
