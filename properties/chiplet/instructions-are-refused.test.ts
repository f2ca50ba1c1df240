import { expect, test } from 'vitest';
import { refusalFault } from './instructions-are-refused.ts';
import { refusedInstructions } from './refused-instructions.ts';

test.each(refusedInstructions)('%j is refused with its line', (line) => {
  expect(refusalFault(line)).toBeUndefined();
});

test('an instruction that is accepted is told', () => {
  expect(refusalFault('add.u32 %r1, %r2, %r3;')).toBe(
    '"add.u32 %r1, %r2, %r3;" is accepted, not refused in line 12',
  );
});
