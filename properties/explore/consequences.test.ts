import { expect, test } from 'vitest';
import { setup } from 'xstate';
import type { Choices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always } from '../temporal/temporal.ts';
import type { OrderCause } from './causes.ts';
import { differsOnlyIn } from './consequences.ts';
import { explainFailure } from './explain.ts';
import { type History, historyOf } from './history.ts';
import { trialsOf } from './testing/explained-trials.ts';
import { refutations } from './testing/verify-causes.ts';

type Letter = { type: 'a' | 'b' | 'c' | 'd' };
const box = component<{ got: string }, Letter>();
const machine = setup({
  types: {} as { context: { got: string }; events: Letter },
  actions: {
    keep: box.update((me, { type }) => {
      me.got += type;
    }),
  },
}).createMachine({ id: 'box', context: { got: '' }, on: { '*': { actions: 'keep' } } });

/** Boxes, each with the letters that it gets, in any order. */
const boxes = (...letters: readonly string[]) =>
  trialsOf(
    'boxes',
    () => {
      const wiring = new Wiring({});
      for (const [at, types] of letters.entries()) {
        const to = wiring.place(`Box[${at}]`, machine, undefined);
        for (const type of types) wiring.begin({ to, type });
      }
      return wiring;
    },
    always('in the first box, a comes before d', (state) => {
      const { got } = state.actor<{ got: string }>('Box[0]').context;
      return !got.includes('d') || got.includes('a');
    }),
  );

const got = ({ steps }: History) => steps.map(({ message }) => message.event.type).join('');
/** The run in which what comes is in this order. */
function runOf(
  trials: ReturnType<typeof boxes>,
  order: string,
): { history: History; tape: readonly number[] } {
  const tape: number[] = [];
  const choices: Choices = {
    canonical: false,
    pick: (_what, _count, candidates = []) => {
      const next = order[tape.length];
      const at = candidates.findIndex(({ event }) => event.type === next);
      tape.push(Math.max(0, at));
      return tape.at(-1)!;
    },
    save: () => null,
    load: () => {},
  };
  const history = historyOf(trials, choices, {});
  return { history, tape };
}

test('of several messages that one passes, the one is told that it has to pass', () => {
  // Served first come, first served, d is the last one.
  const trials = boxes('cbad');
  const { history, tape } = runOf(trials, 'dcba');
  const explanation = explainFailure(trials, tape)!;
  const parts = explanation.causes.causes.flatMap((cause) => cause.parts as readonly OrderCause[]);

  expect([got(history), history.trial.failure?.verdict]).toEqual(['d', 'violated']);
  expect(parts.map(({ first, second }) => first.message.event.type + second.message.event.type)).toEqual([
    'da',
  ]);
  expect(refutations(trials, explanation)).toEqual([]);
});

test('runs that differ in something besides do not differ in one thing only', () => {
  const trials = boxes('ab', 'cd');
  const [one, other] = [runOf(trials, 'abcd').history, runOf(trials, 'badc').history];
  const turned = (first: string, second: string): OrderCause => {
    const stepOf = (type: string) => one.steps.find(({ message }) => message.event.type === type)!;
    return { kind: 'order', first: stepOf(first), second: stepOf(second) };
  };

  expect([got(one), got(other)]).toEqual(['abcd', 'badc']);
  expect(differsOnlyIn([turned('a', 'b'), turned('c', 'd')], one, other)).toBe(true);
  expect(differsOnlyIn([turned('a', 'b')], one, other)).toBe(false);
  expect(differsOnlyIn([turned('c', 'd')], one, other)).toBe(false);
  expect(differsOnlyIn([turned('a', 'b')], one, runOf(trials, 'bacd').history)).toBe(true);
});
