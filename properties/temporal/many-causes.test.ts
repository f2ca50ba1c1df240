import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { component } from '../../kernel/kit.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { leadsTo, shown } from './temporal.ts';

/* Causes that come again and again without an answer make no end of states. */

type Tick = { type: 'tick' };
const c = component<{ left: number }, Tick>();
/** Asks so often, a question a tick, then answers so often; without an end where it never stops asking. */
const asking = (questions: number, answers: number) =>
  setup({
    types: {} as { context: { left: number }; events: Tick },
    actions: {
      go: c.act((me, _event, out) => {
        if (me.left > answers) out.probe({ type: 'asked' });
        else if (me.left > 0) out.probe({ type: 'answered' });
        if (me.left > 0) out.post({ to: out.self, type: 'tick' });
        if (Number.isFinite(questions)) me.left--;
      }),
    },
  }).createMachine({
    id: 'asking',
    context: { left: Number.isFinite(questions) ? questions + answers : answers + 1 },
    entry: 'go',
    on: { tick: { actions: 'go' } },
  });

const sentence = leadsTo('each question is answered', shown('asked'), shown('answered'));

test.each([
  [Number.POSITIVE_INFINITY, 0, 'violated'],
  [32, 32, 'ok'],
  [32, 31, 'violated'],
  [40, 31, 'violated'],
  // Of the 40 only 32 were counted.
  [40, 40, 'incomplete'],
  [40, 32, 'incomplete'],
] as const)('%i questions and %i answers: %s', (questions, answers, expected) => {
  const make = () => {
    const wiring = new Wiring({});
    wiring.place('A', asking(questions, answers), undefined);
    return wiring;
  };

  const { verdict, open } = new Explorer(make, { observers: [sentence], statesMax: 1000 }).toEnd();

  expect(verdict).toBe(expected);
  expect(open).toEqual(
    expected === 'incomplete'
      ? [
          {
            sentence: 'each question is answered',
            why: expect.stringContaining('more than 32 causes were open at once'),
          },
        ]
      : [],
  );
});
