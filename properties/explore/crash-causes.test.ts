import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always } from '../temporal/temporal.ts';
import type { CausePart } from './causes.ts';
import { explainFailure } from './explain.ts';
import { trialsOf } from './testing/explained-trials.ts';
import { refutations } from './testing/verify-causes.ts';

type Event = { type: 'ask' | 'ok' };
const asking = component<{ to: Address }, Event>();
const askingMachine = setup({
  types: {} as { context: { to: Address }; events: Event; input: Address },
  actions: { ask: asking.act(({ to }, _event, out) => out.post({ to, type: 'ask' })) },
}).createMachine({
  id: 'asking',
  context: ({ input }) => ({ to: input }),
  initial: 'wants',
  entry: 'ask',
  states: { wants: { tags: ['waiting'], on: { ok: 'done' } }, done: { on: { ok: {} } } },
});
const giving = component<{ given: number }, Event>();
const givingMachine = setup({
  types: {} as { context: { given: number }; events: Event },
  actions: {
    giveOnce: giving.act((me, _event, out) => {
      if (me.given++ === 0) out.post({ to: out.from, type: 'ok' });
    }),
  },
}).createMachine({ id: 'giving', context: { given: 0 }, on: { ask: { actions: 'giveOnce' } } });

/** Who comes back from a crash asks once more, and is not answered. */
const wiring = () => {
  const made = new Wiring({ crashes: { max: 1, recover: true, of: ['Asking'] } });
  const to = made.reserve('Giving');
  made.place('Asking', askingMachine, to);
  made.place(to, givingMachine, undefined);
  return made;
};

test.each([
  ['a deadlock', always('all is well', () => true)],
  [
    'a sentence that does not hold',
    always('nobody asks twice', (state) => (state.actor('Giving').context as { given: number }).given < 2),
  ],
])('%s behind a crash and a return has both as its causes', (_what, sentence) => {
  const trials = trialsOf('give', wiring, sentence);
  // It asks, gets its answer, crashes, comes back and asks again.
  const explanation = explainFailure(trials, [0, 0, 1, 1])!;

  expect(refutations(trials, explanation)).toEqual([]);
  expect(explanation.causes.causes.map(({ parts }) => parts.map(partName))).toEqual([['crash'], ['restart']]);
});

const partName = (part: CausePart): string => (part.kind === 'network' ? part.step.fault.kind : part.kind);
