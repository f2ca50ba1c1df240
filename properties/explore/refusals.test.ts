import { expect, test } from 'vitest';
import type { Message } from '../../kernel/message.ts';
import type { Step } from './history.ts';
import { refusalsIn } from './refusals.ts';

const step = (index: number, event: object): Step => ({
  index,
  message: { seq: index, due: 0, from: 0, to: 1, cause: -1, event: { type: 'answer', ...event } } as Message,
  from: 'Desk',
  to: 'Clerk',
  key: String(index),
  before: 'on',
  after: 'on',
  shown: [],
});

test.each([
  [{ status: 'BAD_ARG' }],
  [{ answer: { code: 'EBUSY' } }],
  [{ results: ['ok', 'WRITE_ERROR'] }],
  [{ fault: 'word 5 is no address' }],
  [{ refused: true }],
])('a message that refuses something is known by what it carries: %o', (event) => {
  expect(refusalsIn([step(0, event)])).toHaveLength(1);
});

test.each([
  [{ status: 'SUCCESS' }],
  [{ fault: null }],
  [{ refused: false }],
  [{ name: 'ENTRY-5', vote: 'abort' }],
  [{ error: 0 }],
  [{ mask: 'each', op: 'elements' }],
])('one that does not is none: %o', (event) => {
  expect(refusalsIn([step(0, event)])).toEqual([]);
});

test('of equal ones the last is told', () => {
  const steps = [step(0, { code: 'EBUSY' }), step(1, { code: 'EAGAIN' }), step(2, { code: 'EBUSY', try: 2 })];

  expect(refusalsIn(steps).map(({ index }) => index)).toEqual([1, 2]);
});
