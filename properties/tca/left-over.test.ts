import { expect, test } from 'vitest';
import { LeftOver } from './left-over.ts';

const told = (add: (left: LeftOver) => void) => {
  const lines: (readonly [readonly string[], string])[] = [];
  const left = new LeftOver();
  add(left);
  left.tell('has not come', 'reads have not come', (who, line) => lines.push([who, line]));
  return lines;
};

test('nothing is told of nothing, and a single one is told by itself', () => {
  expect(told(() => {})).toEqual([]);
  expect(told((left) => left.add('A', 'read 3'))).toEqual([[['A'], 'read 3 has not come']]);
});

test('many are one line with who has how many and the first; of many holders some are named', () => {
  const lines = told((left) => {
    left.add('Z', 'none', 0);
    for (const who of ['B', 'A', 'C', 'D', 'E', 'F']) left.add(who, `a read of ${who}`);
    left.add('B', 'a read of B');
  });

  expect(lines).toEqual([
    [['B'], '7 reads have not come: 2 of B, 1 of A, 1 of C, 1 of D, and of 2 more; the first: a read of B'],
  ]);
});
