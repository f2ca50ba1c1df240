import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { Network } from '../../kernel/network.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { withCycle } from '../endless.ts';
import { eventually } from '../temporal/temporal.ts';
import { explainFailure } from './explain.ts';
import { explained, trialsOf } from './testing/explained-trials.ts';
import { Trials } from './trial.ts';

/* A run without end is left somewhere: what it has waited for all the time has not come, and it is none that passes. */

type Event = { readonly type: 'kick'; readonly left: boolean } | { readonly type: 'turn' };

/** A server that turns for ever once it was kicked, on the side of the first kick; nobody is ever served. */
function turning(network: Network, ...kicks: readonly boolean[]): Wiring {
  const c = component<{ phase: number }, Event>();
  const turns = { on: { kick: {}, turn: { actions: 'turn' } } } as const;
  const server = setup({
    types: {} as { context: { phase: number }; events: Event },
    guards: { isLeft: c.when<'kick'>((_me, { left }) => left) },
    actions: {
      turn: c.act((me, _event, out) => {
        me.phase = 1 - me.phase;
        out.setTimer('turn');
      }),
    },
  }).createMachine({
    id: 'server',
    context: { phase: 0 },
    initial: 'off',
    states: {
      off: {
        on: {
          kick: [
            { guard: 'isLeft', target: 'left', actions: 'turn' },
            { target: 'right', actions: 'turn' },
          ],
        },
      },
      left: turns,
      right: turns,
      served: {},
    },
  });
  const k = component<{ server: Address; left: boolean }, Event>();
  const client = setup({
    types: {} as {
      context: { server: Address; left: boolean };
      events: Event;
      input: { server: Address; left: boolean };
    },
    actions: { kick: k.post(({ server: to, left }) => ({ to, type: 'kick', left })) },
  }).createMachine({ id: 'client', context: ({ input }) => input, entry: 'kick' });
  const wiring = new Wiring(network);
  const at = wiring.place('Server', server, undefined);
  for (const [index, left] of kicks.entries()) wiring.place(`Client[${index}]`, client, { server: at, left });
  return wiring;
}

const comesTo = (wanted: string) =>
  eventually(`the server comes to ${wanted}`, (state) => state.actor('Server').state === wanted, {
    fair: true,
  });

test('the loss of a message is no cause of what comes with it neither', () => {
  const { explanation, page } = explained(
    trialsOf('spin', () => turning({ lossy: 1 }, true), comesTo('served')),
  );

  expect(explanation.causes).toEqual({ causes: [], randomTried: 32, waits: true });
  expect(page).toContain('what is awaited does not come either');
});

test('but of what comes with it', () => {
  const { explanation, refuted, page } = explained(
    trialsOf('spin', () => turning({ lossy: 1 }, true), comesTo('left'), comesTo('served')),
  );

  expect(explanation.failure.what).toBe('the server comes to left');
  expect([explanation.causes.causes.length, refuted]).toEqual([1, []]);
  // Another sentence that waits is not kept secret.
  expect(page).toContain('(what "the server comes to served" awaits had not come then)');
});

test('no message is said to have come before one that it led to', () => {
  const wanted = comesTo('left');
  const { scenario, machine, properties } = trialsOf('two', () => turning({}, true, false), wanted);
  const round = { from: 0, property: wanted.sentence };
  const trials = new Trials(scenario, machine, withCycle(properties, round));
  // The second kick comes first, and then turns only: what the server does then, it does because of that kick.
  const explanation = explainFailure(trials, [1, 1, 1], { until: 2 })!;

  expect(explanation.failure.what).toBe(wanted.sentence);
  expect(explanation.causes.canonical).toBeDefined();
  for (const { parts } of explanation.causes.causes)
    for (const part of parts)
      expect(part.kind === 'order' && part.second.message.event.type).not.toBe('turn');
});
