import { expect, test } from 'vitest';
import { RingBoard } from '../rings.ts';
import { SerialPlan } from './serial-plan.ts';

test('a plan that waits as long as another one is none that waits longer', () => {
  const spec = { N: 4, K: 1 };
  const plan = new SerialPlan(spec);
  // Two start at once, one in each direction; the third one when they are over.
  const pending = [0, 1, 2].map((id) => ({ initiator: 0, id, issue: 0, src: 0, dst: 2, size: 5 }));
  plan.load({ ...spec, t: 0, pending, board: new RingBoard(4, 1) });
  const order = Int32Array.from([0, 1, 2]);

  const waited = plan.evaluate(order, 3, Number.MAX_VALUE);

  expect(waited).toBe(5);
  expect(plan.evaluate(order, 3, waited)).toBe(waited);
  expect(plan.evaluate(order, 3, waited - 1)).toBe(Number.POSITIVE_INFINITY);
});
