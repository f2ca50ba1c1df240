import { expect, test } from 'vitest';
import { grapeMachine } from '../../machines/grape.ts';
import { figuresOfFile } from '../testing/figures-of-file.ts';

// 138 cycles of 500 MHz. One addition in one of 39 slots of 4 elements, of 2 such units: 0.5 / 39.
test('what is told of a run: the chip, the time, slots by unit, the ports, results', async () => {
  expect(await figuresOfFile(grapeMachine, 'grape/stride.yaml')).toEqual([
    'chip: 2 blocks of 1 PEs at 500 MHz',
    'cycles: 138 (0.28 us) in 4 calls',
    'type2Run: 68 cycles',
    'slots: 39: 0 mul, 1 add, 1 alu, 18 bm, 17 nop; efficiency 1.3 %',
    'ports: idp 17 words in 77 cycles, rrn 4 in 10',
    ': result 0.0: 100',
    ': result 0.1: 103',
    ': result 0.2: 106',
    ': result 0.3: 109',
  ]);
});

test('of sixteen lines of results eight are told, and it is told how many are left', async () => {
  const figures = await figuresOfFile(grapeMachine, 'grape/matrix.yaml');
  const results = figures.filter((line) => line.startsWith(':'));

  expect([results.length, results.at(-1)]).toEqual([9, ': … 8 more (--json)']);
});

test('a cycle is one of 500 MHz (GRAPE specification 1)', () => {
  expect(grapeMachine.tickFemtoseconds?.(grapeMachine.config.parse({}))).toBe(2_000_000);
});
