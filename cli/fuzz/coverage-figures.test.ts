import { expect, test } from 'vitest';
import { emptyCoverage } from '../../kernel/coverage.ts';
import { coverageFigures, coverageLine } from './coverage-figures.ts';

test('figures count what was seen over all types of actors, guards and races only when seen both ways', () => {
  const figures = coverageFigures({
    ...emptyCoverage,
    runs: 3,
    states: { bus: { free: [4, 2], held: [1, 1] }, dma: { idle: [0, 0] } },
    transitions: { bus: { 'free: bus.acquire -> held': [1, 1], 'held: bus.release -> free': [0, 0] } },
    holds: { bus: { a: [1, 1], b: [2, 1], c: [0, 0] } },
    fails: { bus: { a: [1, 1], b: [0, 0], c: [3, 1] } },
    orders: {
      bus: { 'x before y': [1, 1], 'y before x': [2, 2], 'x before z': [1, 1], 'z before x': [0, 0] },
    },
  });

  expect(figures).toEqual({
    states: { seen: 2, of: 3 },
    transitions: { seen: 1, of: 2 },
    guards: { seen: 1, of: 3 },
    orders: { seen: 1, of: 2 },
  });
  expect(coverageLine(figures)).toBe(
    '2 of 3 states, 1 of 2 transitions, 1 of 3 guards both ways, 1 of 2 races in both orders',
  );
});

test('what there is nothing of to cover is not told', () => {
  const none = { seen: 0, of: 0 };
  const figures = { states: { seen: 2, of: 2 }, transitions: { seen: 1, of: 3 }, guards: none, orders: none };

  expect(coverageLine(figures)).toBe('2 of 2 states, 1 of 3 transitions');
});
