import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { RandomChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always } from '../temporal/temporal.ts';
import { partWords } from './cause-words.ts';
import { explainFailure } from './explain.ts';
import { marksOf } from './explanation-picture.ts';
import { trialsOf } from './testing/explained-trials.ts';
import { Wording } from './wording.ts';

type Event = { type: 'start' | 'note' } | { type: 'bye'; mood: number };
const host = component<{ guest: Address }, Event>();
const hostMachine = setup({
  types: {} as { context: { guest: Address }; events: Event; input: Address },
  actions: {
    greet: host.act(({ guest: to }, _event, out) => {
      out.post({ to, type: 'note' });
      const mood = out.pick('mood', 2);
      out.post({ to, type: 'bye', mood });
    }),
  },
}).createMachine({
  id: 'host',
  context: ({ input }) => ({ guest: input }),
  on: { start: { actions: 'greet' } },
});
const guest = component<{ mood: number }, Event>();
const guestMachine = setup({
  types: {} as { context: { mood: number }; events: Event },
  actions: {
    hear: guest.update((me, event) => {
      if (event.type === 'bye') me.mood = event.mood;
    }),
  },
}).createMachine({ id: 'guest', context: { mood: 0 }, on: { note: {}, bye: { actions: 'hear' } } });

test('an answer is told with what was sent because of it, and not with what is sent in any case', () => {
  const trials = trialsOf(
    'visit',
    () => {
      const wiring = new Wiring({ order: 'perChannel' });
      const to = wiring.place('Guest', guestMachine, undefined);
      wiring.begin({ to: wiring.place('Host', hostMachine, to), type: 'start' });
      return wiring;
    },
    always(
      'the guest is in a good mood',
      (state) => state.actor<{ mood: number }>('Guest').context.mood === 0,
    ),
  );
  const failing = Array.from({ length: 20 }, (_, seed) => trials.attempt(new RandomChoices(seed))).find(
    ({ failure }) => failure,
  )!;
  const explanation = explainFailure(trials, failing.tape)!;
  const words = new Wording(explanation.history);
  const markOf = marksOf(explanation);

  expect(explanation.causes.causes.map(({ parts }) => parts.map((part) => partWords(part, words)))).toEqual([
    ['"Host mood" was answered 1 (sending bye mood=1 to Guest) of 0..1'],
  ]);
  expect(explanation.history.steps.map((step) => [step.message.event.type, markOf(step)])).toEqual([
    ['start', undefined],
    ['note', undefined],
    ['bye', 'answered'],
  ]);
});
