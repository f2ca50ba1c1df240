import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { RandomChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { always } from '../temporal/temporal.ts';
import { historyOf } from './history.ts';
import { trialsOf } from './testing/explained-trials.ts';

type Event = { type: 'retry' | 'hi' | 'ok' };
const caller = component<{ to: Address }, Event>();
const callerMachine = setup({
  types: {} as { context: { to: Address }; events: Event; input: Address },
  actions: {
    wait: caller.act((_me, _event, out) => out.setTimer('retry')),
    call: caller.act(({ to }, _event, out) => out.post({ to, type: 'hi' })),
  },
}).createMachine({
  id: 'caller',
  context: ({ input }) => ({ to: input }),
  initial: 'idle',
  entry: 'wait',
  states: {
    idle: { on: { retry: { target: 'calling', actions: 'call' }, ok: {} } },
    calling: { on: { ok: 'done', retry: {} } },
    done: { on: { ok: {}, retry: {} } },
  },
});
const answerer = component<object, Event>();
const answererMachine = setup({
  types: {} as { context: object; events: Event },
  actions: { answer: answerer.act((_me, _event, out) => out.post({ to: out.from, type: 'ok' })) },
}).createMachine({ id: 'answerer', context: {}, on: { hi: { actions: 'answer' } } });

test('a party that came back from a crash goes on from the state in which it begins anew', () => {
  const trials = trialsOf(
    'call',
    () => {
      const wiring = new Wiring({ crashes: { max: 2, recover: true } });
      const to = wiring.reserve('Answerer');
      wiring.place('Caller', callerMachine, to);
      wiring.place(to, answererMachine, undefined);
      return wiring;
    },
    always('nobody fails', () => true),
  );
  let restarts = 0;
  for (let seed = 0; seed < 50; seed++) {
    let before = '';
    const expected: string[] = [];
    const watch = (run: Run) => {
      before = run.localState('Caller')!.state;
      run.faults$.subscribe(({ kind }) => {
        if (kind === 'restart') restarts++;
      });
      run.messages$.subscribe(({ to }) => {
        if (to === 'Caller') expected.push(`${before} -> ${run.localState('Caller')!.state}`);
      });
      run.ticks$.subscribe(() => {
        before = run.localState('Caller')!.state;
      });
    };
    const { steps } = historyOf(trials, new RandomChoices(seed), {}, watch);
    expect(
      steps.filter(({ to }) => to === 'Caller').map((step) => `${step.before} -> ${step.after}`),
    ).toEqual(expected);
  }
  expect(restarts).toBeGreaterThan(10);
});
