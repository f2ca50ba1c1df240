import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSynchronization, synchronizationText } from './synchronization-file.ts';

test("the manual's example: S 12000, I 20000, and two chiplets that have arrived", () => {
  const view = {
    cycle: 12000,
    interval: 20000,
    arrived: [
      { x: 0, y: 1 },
      { x: 2, y: 2 },
    ],
  };

  expect(synchronizationText(view)).toBe('12000\n20000\n0, 1\n2, 2\n');
});

test('what is written is read back', () => {
  const place = fc.record({ x: fc.nat(99), y: fc.nat(99) });
  const view = fc.record({
    cycle: fc.nat(),
    interval: fc.integer({ min: 1 }),
    arrived: fc.uniqueArray(place, { selector: ({ x, y }) => 100 * x + y, maxLength: 9 }),
  });

  fc.assert(
    fc.property(view, (one) => {
      expect(parseSynchronization(synchronizationText(one), 'synFile', 9)).toEqual(one);
    }),
    { seed: 3 },
  );
});

test.each(['3,4', '3, 4', '3\uff0c4', '3 4', ' 3 ,  4 '])('a chiplet may be written as "%s"', (line) => {
  expect(parseSynchronization(`5\n7\n${line}\n`, 'synFile').arrived).toEqual([{ x: 3, y: 4 }]);
});

describe('a file that cannot be read', () => {
  test.each([
    ['', '1:1 E-TRACE found the end of the file, expected the cycle of the next meeting'],
    ['12\n', '2:1 E-TRACE found the end of the file, expected the interval'],
    ['12\n0\n', '2:1 E-TRACE found "0", expected the interval, a whole number from 1'],
    ['12\n5\n3;4\n', '3:1 E-TRACE found "3;4", expected a chiplet'],
    ['12\n5\n3,4\n3, 4\n', '4:1 E-TRACE found the chiplet 3, 4 again, expected each once'],
    ['12\n5\n0,0\n0,1\n0,2\n', '5:1 E-TRACE found 3 chiplets, expected at most 2'],
  ])('%j', (text, why) => {
    expect(() => parseSynchronization(text, 'synFile', 2)).toThrow(`synFile:${why}`);
  });
});
