import { expect, test } from 'vitest';
import type { Step } from './history.ts';
import { lastHeardOf } from './last-heard.ts';

const step = (index: number, event: object, shown: readonly object[] = []): Step =>
  ({ index, message: { event: { type: 'told', ...event } }, shown }) as unknown as Step;

const steps = [
  step(0, { packet: 7, cycle: 3 }),
  step(1, { content: { packet: 7 } }),
  step(2, { packet: 8 }),
  step(3, {}, [{ type: 'seen', job: 4 }]),
  step(4, { cycle: 7 }),
];

test.each([
  ['packet 7 has not arrived', 'packet 7', 1],
  ['in cycle 7 nothing was heard of packet 8', 'packet 8', 2],
  ['job 4 is still there', 'job 4', 3],
  ['Packet 8 of job 4', 'Packet 8', 2],
])('%s: the last delivery that has it is told', (why, what, index) => {
  expect(lastHeardOf(steps, why, [])).toEqual({ what, step: steps[index] });
});

test.each(['nothing has a number', 'packet 9 was never sent', 'in cycle 7 all was well', 'there are 7 left'])(
  '%s: nothing is told',
  (why) => {
    expect(lastHeardOf(steps, why, [])).toBeUndefined();
  },
);

test('an actor that the finding is about is not looked for elsewhere', () => {
  const why = 'packet 7 of job 4 was not sent';
  expect(lastHeardOf(steps, why, ['Net.Packet[7]'])).toEqual({ what: 'job 4', step: steps[3] });
  expect(lastHeardOf(steps, why, ['Net.Packet[7]', 'Job[4]'])).toBeUndefined();
});
