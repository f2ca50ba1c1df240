import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { RandomChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../../machines/machine.ts';
import { explainFailure } from './explain.ts';
import { explanationPage } from './explanation-page.ts';
import { toyTrials } from './testing/toy-trials.ts';

const sender = component<{ readonly to: Address }, { type: 'go' }>();
const receiver = component<{ got: number }, { type: 'data' }>();
const machine: Machine<unknown> = {
  name: 'copies',
  asynchronous: true,
  config: z.unknown(),
  programs: z.unknown(),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring({ duplicating: true });
    const to = wiring.reserve('Receiver');
    const senderMachine = setup({
      types: {} as { context: { readonly to: Address }; events: { type: 'go' }; input: object },
      actions: { send: sender.post((c) => ({ to: c.to, type: 'data' })) },
    }).createMachine({
      id: 'sender',
      context: { to },
      initial: 'idle',
      states: { idle: { on: { go: { target: 'done', actions: 'send' } } }, done: { on: { go: {} } } },
    });
    const receiverMachine = setup({
      types: {} as { context: { got: number }; events: { type: 'data' }; input: object },
      actions: {
        count: receiver.update((c) => {
          c.got++;
        }),
        complain: receiver.report((c) =>
          c.got > 1 ? { property: 'once', why: `it comes ${c.got} times` } : undefined,
        ),
      },
    }).createMachine({
      id: 'receiver',
      context: { got: 0 },
      initial: 'on',
      states: { on: { on: { data: { actions: ['count', 'complain'] } } } },
    });
    wiring.boot.push({ to: wiring.place('Sender', senderMachine, {}), type: 'go' });
    wiring.place(to, receiverMachine, {});
    return { wiring, result: () => null };
  },
  figures: () => [],
};

test('a message that a duplicating network delivers again was sent once', () => {
  const trials = toyTrials(machine);
  const { tape, failure } = trials.attempt(new RandomChoices(1));
  expect(failure).toMatchObject({ what: 'once' });

  const page = explanationPage(explainFailure(trials, tape)!, {
    about: 'copies',
    replay: 'npx lockstep replay a',
  });

  expect(page).toMatch(/what Sender did in tick \d+:[\s\S]* {2}sent {5}data to Receiver\n/);
  expect(page).not.toContain('Receiver, Receiver');
});
