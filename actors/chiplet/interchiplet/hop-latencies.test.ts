import { expect, test } from 'vitest';
import { parseBench } from './bench-line.ts';
import { delayText } from './delay-line.ts';
import { hopLatencies } from './hop-latencies.ts';

const delays = (...bench: readonly string[]): readonly string[] =>
  hopLatencies(parseBench(bench.join('\n'), 'bench.txt')).map(delayText);

test('a launch is acknowledged when it has arrived', () => {
  expect(delays('1000 20 0 0 1 1 2 65536')).toEqual(['1000 0 0 1 1 65536 4 1 11 0 11']);
});

test('a launch that is waited for later is acknowledged then, in time for the tick', () => {
  // Arrival is in 1011; injected in 1012 it misses the work of that tick, in 1013 it does not.
  expect(delays('1000 1012 0 0 1 1 2 65536')).toEqual(['1000 0 0 1 1 65536 4 1 11 0 11']);
  expect(delays('1000 1013 0 0 1 1 2 65536')).toEqual(['1000 0 0 1 1 65536 4 1 11 0 10']);
});

test('barriers and locks go to the controller at (0,0), whatever their target says', () => {
  expect(delays('5 5 1 1 255 0 2 131076')).toEqual(['5 1 1 255 0 131076 4 1 11 0 11']);
  expect(delays('5 5 0 0 9 0 2 262144')).toEqual(['5 0 0 9 0 262144 4 1 1 0 1']);
});

test('lines come in the order in which transactions are over', () => {
  expect(delays('0 0 0 0 3 3 5 0', '1 1 0 0 0 1 5 0')).toEqual(['1 0 0 0 1 0 2 4 9', '0 0 0 3 3 0 2 4 34']);
});
