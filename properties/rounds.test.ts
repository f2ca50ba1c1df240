import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { roundOf } from '../kernel/round.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import { watch } from './property.ts';
import { message } from './temporal/pattern.ts';
import { eventually, leadsTo, reachable } from './temporal/temporal.ts';

interface Asking {
  readonly to: Address;
}
const { act } = component<Asking, { type: 'answer' } | { type: 'tired' }>();

/** Asks every seven ticks, for ever. */
const asking = setup({
  types: {} as { context: Asking; events: { type: 'answer' } | { type: 'tired' }; input: Asking },
  actions: {
    ask: act((c, _event, out) => {
      out.post({ to: c.to, type: 'question', delay: 1 });
      out.setTimer('tired', 7);
    }),
  },
}).createMachine({
  id: 'asking',
  context: ({ input }) => input,
  initial: 'waiting',
  states: { waiting: { entry: 'ask', on: { answer: {}, tired: { target: 'waiting', reenter: true } } } },
});

const { post } = component<{ readonly hears: boolean }, { type: 'question' }>();
const asked = setup({
  types: {} as {
    context: { readonly hears: boolean };
    events: { type: 'question' };
    input: { readonly hears: boolean };
  },
  actions: {
    answer: post((c, _event, { from: to }) => (c.hears ? { to, type: 'answer', delay: 1 } : undefined)),
  },
}).createMachine({
  id: 'asked',
  context: ({ input }) => input,
  initial: 'on',
  states: { on: { on: { question: { actions: 'answer' } } } },
});

const answered = leadsTo('a question is answered', message('question'), message('answer'));
const some = eventually('somebody answers', message('answer'));
const possible = reachable('somebody may answer', message('answer'));

/** The sentences that do not hold of a run that is cut where it goes round, and why. */
function brokenIn(hears: boolean): readonly (readonly [string, string])[] {
  const wiring = new Wiring();
  const to = wiring.reserve('Asked');
  wiring.place(wiring.reserve('Asker'), asking, { to });
  wiring.place(to, asked, { hears });
  const run = new Run(wiring);
  const watching = watch(run, [answered, some, possible]);
  run.until(100);
  run.cutOff(roundOf(run));
  watching.end();
  const { from, to: until } = run.outcome.round!;
  expect(until - from).toBe(7);
  return run.outcome.violations.map(({ property, why }) => [property, why]);
}

test('what is waited for all the way round never comes', () => {
  expect(brokenIn(false)).toEqual([
    [
      answered.sentence,
      expect.stringContaining(
        'and never will: the state at the end of tick 99 comes back at the end of tick 106',
      ),
    ],
    [some.sentence, expect.stringContaining('so ticks 100 to 106 may happen again and again')],
  ]);
});

test('what comes in each round is not missed, though something is waited for at its end', () => {
  expect(brokenIn(true)).toEqual([]);
});
