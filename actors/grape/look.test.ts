import { expect, test } from 'vitest';
import type { Block } from './block/block.ts';
import { lookAt } from './look.ts';
import type { SimLine } from './program.ts';

test('broadcast memory is shown as it is, whichever PE a line names; all else is that of the PE', () => {
  const block = {
    settled: () => block as unknown as Block,
    peek: (pe: number, _ref: unknown, element: number) => BigInt(10 * pe + element),
  };
  const line = (kind: 'bm' | 'lm'): SimLine => ({
    ...{ kind: 'print', line: 1, what: 'y', bb: 0, pe: 2, format: 'h' },
    ref: { kind, addr: 0, long: false, vector: true, stride: 1, text: 'y' },
  });

  expect(lookAt(block as unknown as Block, line('bm'))).toEqual([0n, 1n, 2n, 3n]);
  expect(lookAt(block as unknown as Block, line('lm'))).toEqual([20n, 21n, 22n, 23n]);
});
