import { describe, expect, test } from 'vitest';
import { checkedOperation } from './operation-kinds.ts';

const descriptor = { src: 0, dst: 16, size: 16, count: 1, srcStride: 0, dstStride: 0 };

describe('an operation of a program', () => {
  test.each([
    {
      op: 'start',
      channel: 3,
      chain: [descriptor, { ...descriptor, data: new Uint8Array(8), pipeline: false }],
    },
    {
      op: 'wait',
      flags: [
        { source: 1, slot: 0 },
        { source: 1, slot: 7, tag: 9, mine: 'a note' },
      ],
    },
    { op: 'stopped', channels: [0, 3] },
    { op: 'compute', ns: 0.5 },
    { op: 'register', register: 'busy', channel: 0 },
    { op: 'gasnet', call: { call: 'poll' } },
    { op: 'join' },
  ])('$op is taken as it is', (operation) => {
    expect(checkedOperation(operation)).toBe(operation);
  });

  test.each([
    [5, 'yields 5, expected an operation'],
    ['wait', 'yields wait, expected an operation'],
    [{ op: 'toString' }, 'yields {"op":"toString"}, expected an operation'],
    [{ op: 'wait' }, 'found nothing as flags, expected a list'],
    [{ op: 'wait', flags: [{ source: 0 }] }, 'found nothing as flags[0].slot'],
    [{ op: 'start', channel: 4, chain: [] }, 'found 4 as channel, expected a whole number from 0 to 3'],
    [{ op: 'start', channel: 0, chain: [{ ...descriptor, size: 1.5 }] }, 'found 1.5 as chain[0].size'],
    [{ op: 'pio', address: -4, data: new Uint8Array(4) }, 'found -4 as address'],
    [{ op: 'pio', address: 0, data: [1, 2] }, 'as data, expected bytes'],
    [{ op: 'compute', ns: Number.NaN }, 'found NaN as ns, expected nanoseconds'],
    [{ op: 'register', register: 'x', channel: 0 }, 'found "x" as register'],
    [{ op: 'gasnet', call: {} }, 'expected a call of GASNet'],
  ])('%j is refused', (asked, words) => {
    expect(() => checkedOperation(asked)).toThrow(words);
  });
});
