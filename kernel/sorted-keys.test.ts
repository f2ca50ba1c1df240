import { expect, test } from 'vitest';
import { sortedKeys } from './sorted-keys.ts';

test('names come in ascending order, whatever the order in which they were set, again and again', () => {
  for (let round = 0; round < 3; round++) {
    expect(sortedKeys({ beta: 1, alpha: 2, gamma: 3 })).toEqual(['alpha', 'beta', 'gamma']);
    expect(sortedKeys({ gamma: 1, beta: 2, alpha: 3 })).toEqual(['alpha', 'beta', 'gamma']);
    expect(sortedKeys({ beta: 1, alpha: 2 })).toEqual(['alpha', 'beta']);
    expect(sortedKeys({ beta: 1 })).toEqual(['beta']);
    expect(sortedKeys({})).toEqual([]);
  }
});

test('far more names than are remembered come in order as well', () => {
  for (let number = 0; number < 20_000; number++) {
    const [first, second] = [`name ${number}`, `name ${number + 1}`];

    expect(sortedKeys({ [second]: 1, [first]: 2 })).toEqual([first, second].sort());
  }
  expect(sortedKeys({ beta: 1, alpha: 2 })).toEqual(['alpha', 'beta']);
});
