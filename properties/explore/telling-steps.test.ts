import { expect, test } from 'vitest';
import type { Message } from '../../kernel/message.ts';
import { stepsToCompare } from './close-up.ts';
import type { FailureSummary } from './failure-summary.ts';
import type { History, Step } from './history.ts';
import { tellingSteps } from './telling-steps.ts';

const addresses = ['Office.Clock', 'Office.Registry', 'Office.Clerk', 'Office.Desk'];

/** A delivery; the one of this index caused it. */
function step(index: number, from: string, to: string, type: string, fields = {}, cause = -1): Step {
  const event = { type, ...fields };
  const [sender, receiver] = [addresses.indexOf(from), addresses.indexOf(to)];
  const message = { seq: index, due: index, from: sender, to: receiver, cause, event } as unknown as Message;
  return { index, message, from, to, key: String(index), before: 'on', after: 'on', shown: [] };
}

const steps = [
  step(0, 'Office.Clock', 'Office.Clock', 'turn'),
  step(1, 'Office.Registry', 'Office.Clerk', 'entry', { page: 3 }),
  step(2, 'Office.Clock', 'Office.Registry', 'file', { page: 7 }, 0),
  step(3, 'Office.Clerk', 'Office.Desk', 'ask', { page: 7 }, 1),
  step(4, 'Office.Registry', 'Office.Clerk', 'entry', { page: 7 }, 2),
  step(5, 'Office.Clerk', 'Office.Desk', 'ask', { page: 7 }, 4),
];
const [desk] = steps.slice(-1) as [Step];
const isBookkeeping = () => false;

test('an actor that the finding names is told of, whoever else is', () => {
  const clues = { given: [desk], actors: ['Office.Registry'], why: 'page 7 was not kept', isBookkeeping };

  const { ranked } = tellingSteps(new Set(steps), clues, 1);

  expect(ranked.map(({ to }) => to)).toContain('Office.Registry');
});

test('deliveries to those that only drive the others are not told', () => {
  const clues = { given: [desk], actors: [], why: 'page 7 was asked for twice', isBookkeeping };
  const told = (folded: boolean) =>
    tellingSteps(
      new Set(steps),
      { ...clues, isBookkeeping: ({ to }: Step) => folded && to === 'Office.Registry' },
      14,
    ).ranked.map(({ to }) => to);

  expect(told(false)).toContain('Office.Registry');
  expect(told(true)).not.toContain('Office.Registry');
});

test('that a value is the number of a time says nothing about a finding', () => {
  const timed = [
    step(0, 'Office.Clock', 'Office.Desk', 'turn', { cycle: 40 }),
    step(1, 'Office.Clerk', 'Office.Desk', 'entry', { value: 40 }),
  ];

  const { words } = tellingSteps(
    new Set(timed),
    { given: [], actors: [], why: 'word 0 is 0, not 40', isBookkeeping },
    14,
  );

  expect([...words.keys()].map(({ index }) => index)).toEqual([1]);
});

test('what is looked at from near stands beside the last delivery before it of the same message from the same sender', () => {
  const failure: FailureSummary = {
    verdict: 'violated',
    what: 'pages are asked for once',
    tick: 5,
    actors: ['Office.Desk'],
    why: 'page 7 twice',
  };
  const history = { steps, within: 5 } as unknown as History;

  const near = stepsToCompare(history, new Set(steps), failure, [], new Map(), undefined, []);

  // The sender of what was wrong comes behind the place where it was found.
  expect(near.map(({ step, earlier }) => [step.index, earlier?.index])).toEqual([
    [5, 3],
    [4, 1],
  ]);
});
