import { expect, test } from 'vitest';
import { initialBytes, type MeasuredCase, measuredBytes } from './measured-case.ts';

const base64 = (...bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');
const bytesOf = (given: Omit<MeasuredCase['buffers'][string], 'type'>): readonly number[] => [
  ...initialBytes({ type: 'u8', ...given }),
];

test('a buffer before a launch has the given bytes, and behind them what it is filled with', () => {
  expect(bytesOf({ bytes: 3 })).toEqual([0, 0, 0]);
  expect(bytesOf({ bytes: 3, fill: 7 })).toEqual([7, 7, 7]);
  expect(bytesOf({ bytes: 3, base64: base64(1, 2, 3) })).toEqual([1, 2, 3]);
  expect(bytesOf({ bytes: 3, fill: 7, base64: base64(1, 2) })).toEqual([1, 2, 7]);
  expect(bytesOf({ bytes: 3, base64: base64(1, 2, 3, 4) })).toEqual([1, 2, 3]);
});

test('a buffer after a launch has what was measured, or what it had before', () => {
  const one = {
    buffers: { a: { bytes: 2, fill: 5 }, b: { bytes: 2 } },
    expected: { text: { outputs: { b: base64(8, 9) } } },
  } as unknown as MeasuredCase;

  expect([...measuredBytes(one, 'text', 'a')]).toEqual([5, 5]);
  expect([...measuredBytes(one, 'text', 'b')]).toEqual([8, 9]);
  expect([...measuredBytes(one, 'another text', 'b')]).toEqual([0, 0]);
});
