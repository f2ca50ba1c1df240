import { expect, test } from 'vitest';
import type { Outcome, Violation } from '../../kernel/outcome.ts';
import { byProperty, failureSummary } from './failure-summary.ts';

const violation = (property: string, tick: number, why = property): Violation => ({
  property,
  tick,
  actors: [],
  why,
});
const deadlocked = (...violations: readonly Violation[]): Outcome =>
  ({
    verdict: 'deadlock',
    violations,
    deadlock: { tick: 9, waiting: [{ actor: 'Reader', state: 'waiting', since: 3, on: [] }], cycle: [] },
  }) as unknown as Outcome;

test('what was found before a deadlock and what properties miss in it are told apart', () => {
  const before = violation('first come', 4);
  const [arrives, comesBack] = [violation('all arrive', 9), violation('credits come back', 9)];

  expect(failureSummary(deadlocked(before, arrives, violation('all arrive', 9), comesBack))).toMatchObject({
    verdict: 'deadlock',
    first: before,
    left: [comesBack, arrives],
  });
  expect(failureSummary(deadlocked(before))).not.toHaveProperty('left');
  expect(failureSummary(deadlocked(arrives))).not.toHaveProperty('first');
});

test('violations of a property are together, the property with the fewest first', () => {
  const [a, b, c] = [violation('a', 1, 'one'), violation('b', 1), violation('a', 2, 'two')];

  expect(byProperty([a, b, c])).toEqual([[b], [a, c]]);
  expect(byProperty([])).toEqual([]);
});
