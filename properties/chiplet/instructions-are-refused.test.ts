import { expect, test } from 'vitest';
import { instructionNames } from '../../actors/chiplet/ptx/instruction-set.ts';
import { countFault, refusalFault } from './instructions-are-refused.ts';
import { countedLines } from './operand-counts.ts';
import { refusedInstructions } from './refused-instructions.ts';

test.each(refusedInstructions)('%j is refused with its line', (line) => {
  expect(refusalFault(line)).toBeUndefined();
});

test('an instruction that is accepted is told', () => {
  expect(refusalFault('add.u32 %r1, %r2, %r3;')).toBe(
    '"add.u32 %r1, %r2, %r3;" is accepted, not refused in line 14',
  );
});

test.each(countedLines)('$line has so many operands, $optional of them at will', (one) => {
  expect(countFault(one)).toBeUndefined();
});

test('a wrong number of operands is told', () => {
  expect(countFault({ line: 'add.u32 %r1, %r2;', optional: 0 })).toBe(
    '"add.u32 %r1, %r2;" is refused in line 14, not accepted',
  );
  expect(countFault({ line: 'add.u32 %r1, %r2, %r3;', optional: 1 })).toBe(
    '"add.u32 %r1, %r2;" is refused in line 14, not accepted',
  );
  expect(countFault({ line: 'min.f32 %f1, %f2, %f3;', optional: 0 })).toBe(
    '"min.f32 %f1, %f2, %f3, %f3;" is accepted, not refused in line 14',
  );
});

test('the operands of every instruction are counted, but for calls and textures of fixed shapes', () => {
  const counted = new Set(countedLines.map(({ line }) => /(?:.*[:;] )?(\w+(?:\.pack)?)/.exec(line)![1]));
  expect(instructionNames.filter((name) => !counted.has(name))).toEqual(['call', 'tex']);
});
