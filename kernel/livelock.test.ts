import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { Run, type RunOptions } from './run.ts';
import { Wiring } from './wiring.ts';

type BallEvent = { type: 'ball'; left: number };
interface PlayerContext {
  readonly partner: Address;
}
const { post, when } = component<PlayerContext, BallEvent>();

/** Returns every ball at once, until it is worn out. */
const player = setup({
  types: {} as { context: PlayerContext; events: BallEvent; input: PlayerContext },
  guards: { good: when((_c, { left }) => left > 0) },
  actions: { hitBack: post((c, { left }) => ({ to: c.partner, type: 'ball', left: left - 1 })) },
}).createMachine({
  id: 'player',
  context: ({ input }) => input,
  on: { ball: [{ guard: 'good', actions: 'hitBack' }, {}] },
});

function game(boot: readonly { readonly left: number; readonly delay: number }[]): Wiring {
  const wiring = new Wiring();
  const [ping, pong] = [wiring.reserve('Ping'), wiring.reserve('Pong')];
  wiring.place(ping, player, { partner: pong });
  wiring.place(pong, player, { partner: ping });
  for (const one of boot) wiring.boot.push({ to: ping, type: 'ball', ...one } as never);
  return wiring;
}

const forever = Number.MAX_SAFE_INTEGER;

describe.each([
  ['tables', {}],
  ['XState', { engine: 'xstate' }],
] as const satisfies readonly [string, RunOptions][])('a tick without end (%s)', (_, options) => {
  test('is a livelock, with the messages that repeat, most frequent first', () => {
    const run = new Run(game([{ left: forever, delay: 4 }]), { ...options, deliveriesPerTickMax: 1001 });

    expect(run.toEnd()).toEqual({
      verdict: 'livelock',
      // Ticks 0 to 3, in which nothing was due, have passed.
      ticks: 4,
      deliveries: 1001,
      violations: [],
      livelock: {
        tick: 4,
        budget: 1001,
        repeating: [
          { from: 'Ping', to: 'Pong', type: 'ball', count: 128 },
          { from: 'Pong', to: 'Ping', type: 'ball', count: 128 },
        ],
      },
    });
    expect([run.ended, run.tick(), run.until()]).toEqual([true, false, run.outcome]);
  });

  test('is reported with messages of this tick only', () => {
    const run = new Run(
      game([
        { left: 90, delay: 0 },
        { left: forever, delay: 1 },
      ]),
      { ...options, deliveriesPerTickMax: 100 },
    );

    const { livelock, ticks } = run.toEnd();

    expect(ticks).toBe(1);
    expect(livelock).toEqual({
      tick: 1,
      budget: 100,
      repeating: [
        { from: 'Ping', to: 'Pong', type: 'ball', count: 50 },
        { from: 'Pong', to: 'Ping', type: 'ball', count: 49 },
      ],
    });
  });

  test('is not any tick with many deliveries: the budget counts each tick by itself', () => {
    const wiring = game(Array.from({ length: 20 }, (_one, delay) => ({ left: 99, delay })));

    expect(new Run(wiring, { ...options, deliveriesPerTickMax: 100 }).toEnd()).toMatchObject({
      verdict: 'ok',
      deliveries: 2000,
    });
  });
});

test('a tick may have a million deliveries when nothing else is said', () => {
  expect(new Run(game([{ left: 999_999, delay: 0 }])).toEnd()).toMatchObject({
    verdict: 'ok',
    deliveries: 1_000_000,
  });
  expect(new Run(game([{ left: forever, delay: 0 }])).toEnd()).toMatchObject({
    verdict: 'livelock',
    deliveries: 1_000_000,
  });
});
