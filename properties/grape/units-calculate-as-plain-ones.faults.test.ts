import { expect, test, vi } from 'vitest';
import { aluLanes } from '../../actors/grape/block/lane-alu.ts';
import { arithmeticFault } from './units-calculate-as-plain-ones.ts';

vi.mock('../../actors/grape/block/lane-alu.ts', async (original) => {
  const sound = await original<typeof import('../../actors/grape/block/lane-alu.ts')>();
  return { ...sound, aluLanes: vi.fn(sound.aluLanes) };
});

/** Numbers of scenarios: every integer operation has its turn. */
const numbers = [0, 1, 2, 3, 4, 5];

test('units, conversions and the tree are what exact integers are', () => {
  expect(numbers.map(arithmeticFault)).toEqual(numbers.map(() => undefined));
});

test('an engine that shifts one place too far is named with its operation and words', () => {
  const sound = vi.mocked(aluLanes).getMockImplementation()!;
  vi.mocked(aluLanes).mockImplementation((...given) => {
    sound(...given);
    const [op, , , , , , result, from] = given;
    if (op === 'lsl') result.low[from] = result.low[from]! ^ 1;
  });

  expect(numbers.map(arithmeticFault)).toContainEqual(
    expect.stringMatching(/^(Lane|Wasm)Block: [iu]lsl of h"[0-9a-f]{18}" and h"[0-9a-f]{18}" is h/),
  );
});
