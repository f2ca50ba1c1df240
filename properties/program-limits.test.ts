import { expect, test } from 'vitest';
import { z } from 'zod';
import { cellMachine } from '../machines/cell.ts';
import { grapeMachine } from '../machines/grape.ts';
import { sunwayMachine } from '../machines/sunway.ts';
import { tcaMachine } from '../machines/tca.ts';
import { cellProgramLimits } from './cell/program-limits.ts';
import { lineFault, programLimitsOf } from './declared-limits.ts';
import { grapeProgramLimits } from './grape/program-limits.ts';
import { sunwayProgramLimits } from './sunway/program-limits.ts';
import { tcaProgramLimits } from './tca/program-limits.ts';

test.each([
  [cellMachine, cellProgramLimits],
  [grapeMachine, grapeProgramLimits],
  [sunwayMachine, sunwayProgramLimits],
  [tcaMachine, tcaProgramLimits],
])('limits and defaults of programs are as declared: $name', (machine, declared) => {
  expect(lineFault(programLimitsOf(machine), declared)).toBeUndefined();
});

test('places that are alike have one line, many choices their number and ends', () => {
  const name = z.enum('abcdefghijklm'.split('') as ['a', ...string[]]);
  const call = (op: string, most: number) =>
    z.strictObject({ op: z.literal(op), node: z.int().min(0).max(most) });
  const limits = (most: number) =>
    programLimitsOf({ programs: z.array(z.union([call('a', 7), call('b', most), name])) });

  expect(limits(7)).toEqual(['[]|.op only a', '[]|.node 0..7', '[]|.op only b', '[]| of 13: a to m']);
  expect(lineFault(limits(8), limits(7).join('\n'))).toBe(
    'the machine has "[]|.node 0..8", declared is "[]| of 13: a to m"',
  );
});
