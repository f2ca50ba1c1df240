import { expect, test } from 'vitest';
import { hashOf } from '../../../kernel/hash.ts';
import { RandomStream } from './random-stream.ts';

test('seed 1 gives the first numbers of the C library, and seed 0 counts as 1', () => {
  for (const seed of [1, 0]) {
    const stream = new RandomStream(seed);

    expect([stream.next(), stream.next(), stream.next()]).toEqual([1804289383, 846930886, 1681692777]);
  }
});

test('a pick is below its count, and a word is a whole number of 64 bits', () => {
  const stream = new RandomStream(-7);

  for (let i = 0; i < 1000; i++) {
    const pick = stream.pick(3);
    const word = stream.word();
    expect([0, 1, 2]).toContain(pick);
    expect(Number.isInteger(word) && word >= 0 && word < 2 ** 64).toBe(true);
  }
});

test('a fork goes on with the same numbers, and neither disturbs the other', () => {
  const stream = new RandomStream(3);
  for (let i = 0; i < 40; i++) stream.next();

  const fork = stream.fork();

  expect(hashOf(fork)).toBe(hashOf(stream));
  const numbers = Array.from({ length: 40 }, () => fork.next());
  expect(Array.from({ length: 40 }, () => stream.next())).toEqual(numbers);
});
