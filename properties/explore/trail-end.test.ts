import { expect, test } from 'vitest';
import type { Step } from './history.ts';
import type { StruckFault } from './struck-fault.ts';
import { trailEnds } from './trail-end.ts';

/** Deliveries as `from to type` with the number of the delivery that caused each, and what it carries. */
const stepsOf = (
  ...told: readonly (readonly [way: string, cause: number, data?: object])[]
): readonly Step[] =>
  told.map(([way, cause, data], index) => {
    const [from, to, type] = way.split(' ') as [string, string, string];
    return { index, from, to, message: { seq: index, cause, event: { type, ...data } } } as unknown as Step;
  });

const endsOf = (steps: readonly Step[], ...roots: readonly number[]) =>
  trailEnds(
    steps,
    roots.map((root) => steps[root]!),
    [],
  ).map(({ root, end }) => [root.index, end.index]);

test('a message that nobody answers is followed to the last delivery that came of it', () => {
  const steps = stepsOf(['A B ask', -1], ['B C ask', 0], ['C D ask', 1], ['E F other', -1]);

  expect(endsOf(steps, 0)).toEqual([[0, 2]]);
});

test('of one that is answered nothing is told, whoever acknowledges it before', () => {
  const steps = stepsOf(['A B ask', -1], ['B A ack', 0], ['B C ask', 0], ['C A answer', 2]);

  expect(endsOf(steps, 0)).toEqual([]);
  expect(endsOf(steps.slice(0, 3), 0)).toEqual([[0, 2]]);
  expect(endsOf(stepsOf(['A B ask', -1], ['B A answer', 0]), 0)).toEqual([]);
});

test('what is kept and sent on later is known again by its data', () => {
  const packet = { id: 7, bytes: 64 };
  const steps = stepsOf(
    ['A Router in', -1, { packet }],
    ['Router Router turn', -1],
    ['Router B out', 1, { packet: { id: 8, bytes: 64 } }],
    ['Router C out', 1, { port: 3, packet }],
  );

  expect(endsOf(steps, 0)).toEqual([[0, 3]]);
});

test('first comes a delivery whose like led to something elsewhere, of several that end alike one', () => {
  const steps = stepsOf(
    ['A[1] B[1] ask', -1],
    ['B[1] A[1] answer', 0],
    ['A[2] B[2] ask', -1],
    ['A[3] B[3] ask', -1],
    ['A[2] Log note', -1],
  );

  expect(endsOf(steps, 0, 2, 3, 4)).toEqual([
    [3, 3],
    [4, 4],
  ]);
});

test('a message to somebody else comes before the clock of who sent it', () => {
  const steps = stepsOf(
    ['A Bus want', -1],
    ['Bus Bus edge', 0],
    ['Bus[0] Bank[0] command', 1],
    ['Bus Bus edge', 1],
    ['Bus[0] Bank[1] command', 3],
    ['Bank[1] Bus reply', 4],
    ['Bus Bus edge', 3],
  );

  expect(endsOf(steps, 0)).toEqual([[0, 2]]);
});

test('a delivery whose answer a fault took away is the end, whatever came of others', () => {
  const steps = stepsOf(['A B vote', -1], ['B C decide', 0], ['C D log', 1]);
  const drop = (to: string) =>
    ({ kind: 'drop', from: 'B', to, message: { seq: 9, cause: 0 } }) as unknown as StruckFault;
  const ends = (...faults: readonly StruckFault[]) =>
    trailEnds(steps, [steps[0]!], faults).map(({ end, lost }) => [end.index, lost.length]);

  expect(ends()).toEqual([[2, 0]]);
  expect(ends(drop('A'))).toEqual([[0, 1]]);
  expect(ends({ ...drop('A'), kind: 'delay' })).toEqual([[2, 0]]);
});
