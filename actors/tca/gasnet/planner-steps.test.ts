import { expect, test } from 'vitest';
import { inSubTicks } from '../parameters.ts';
import type { PlannerContext } from './planner-context.ts';
import { soonest } from './planner-steps.ts';

/** Sub-ticks in which a channel fills its tags once. */
const inWindow = inSubTicks(100 + 25.1);
const contextOf = (expected: number[]): PlannerContext =>
  ({
    spec: {
      options: { channels: [0, 1, 3] },
      parameters: { tagsPerChannel: [32, 16, 8, 8], bytesPerTag: 128, gpuReadLatency: 100, tagHold: 25.1 },
    },
    expected,
  }) as unknown as PlannerContext;

test('a request goes to the channel that would be done first, and is counted there with every sub-tick that it begins', () => {
  const c = contextOf([0, 0, 0, 0]);
  // A window of channel 0 is 4,096 bytes, of channel 1 2,048, of channel 3 1,024.
  expect(soonest(c, 1001, 5000)).toBe(0);
  const first = c.expected[0]!;
  expect(first).toBe(5000 + Math.ceil((1001 / 4096) * inWindow));
  expect(soonest(c, 1001, 5000)).toBe(1);
  expect(c.expected).toEqual([first, 5000 + Math.ceil((1001 / 2048) * inWindow), 0, 0]);
});
