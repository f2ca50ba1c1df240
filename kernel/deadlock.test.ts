import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, setup } from 'xstate';
import { component, refused } from './kit.ts';
import type { Address } from './message.ts';
import { waitsFor } from './outcome.ts';
import { Run, type RunOptions } from './run.ts';
import { Wiring } from './wiring.ts';

type AskerEvent = { type: 'wake' } | { type: 'ask'; by: Address } | { type: 'answer' };
interface AskerContext {
  readonly self: Address;
  readonly asks: readonly Address[];
}
const { post, when } = component<AskerContext, AskerEvent>();

/** Asks others when it wakes, and answers nobody while it waits for them: the mistake that deadlocks are made of. */
const asker = setup({
  types: {} as { context: AskerContext; events: AskerEvent; input: AskerContext },
  guards: { asksSomebody: when((c) => c.asks.length > 0) },
  actions: {
    ask: post((c) => c.asks.map((to) => ({ to, type: 'ask', by: c.self }))),
    answer: post<'ask'>((_c, { by }) => ({ to: by, type: 'answer' })),
  },
}).createMachine({
  id: 'asker',
  context: ({ input }) => input,
  initial: 'asleep',
  states: {
    asleep: {
      on: {
        wake: [{ guard: 'asksSomebody', target: 'waitingForAnswer', actions: 'ask' }, {}],
        ask: { actions: 'answer' },
      },
    },
    waitingForAnswer: {
      tags: ['waiting'],
      meta: waitsFor<AskerContext>('an answer', (c) => c.asks),
      on: { answer: 'asleep', ask: refused, wake: refused },
    },
  },
});

/** Askers by name: whom each asks, when it wakes, and what is in its place where it is no asker. */
function askers(
  plan: Record<
    string,
    { readonly asks: readonly string[]; readonly wakes: number; readonly machine?: AnyStateMachine }
  >,
): Wiring {
  const wiring = new Wiring();
  const addresses = new Map(Object.keys(plan).map((name) => [name, wiring.reserve(name)]));
  for (const [name, { asks, wakes, machine = asker }] of Object.entries(plan)) {
    const self = addresses.get(name)!;
    wiring.place(self, machine, { self, asks: asks.map((other) => addresses.get(other)!) });
    wiring.boot.push({ to: self, type: 'wake', delay: wakes });
  }
  return wiring;
}

const engines: readonly [string, RunOptions][] = [
  ['tables', {}],
  ['tables, immutable', { state: 'immutable' }],
  ['XState', { engine: 'xstate' }],
];

describe.each(engines)('a run that goes quiet (%s)', (_, options) => {
  test('while nobody waits is ok', () => {
    const wiring = askers({ A: { asks: ['B'], wakes: 3 }, B: { asks: [], wakes: 0 } });

    expect(new Run(wiring, options).toEnd()).toEqual({
      verdict: 'ok',
      ticks: 4,
      deliveries: 4,
      violations: [],
    });
  });

  test('while two wait for each other is a deadlock, and names both', () => {
    const wiring = askers({ A: { asks: ['B'], wakes: 3 }, B: { asks: ['A'], wakes: 3 } });

    const outcome = new Run(wiring, options).toEnd();

    expect(outcome).toEqual({
      verdict: 'deadlock',
      ticks: 4,
      deliveries: 4,
      violations: [],
      deadlock: {
        tick: 3,
        waiting: [
          { actor: 'A', state: 'waitingForAnswer', since: 3, waitsFor: 'an answer', on: ['B'] },
          { actor: 'B', state: 'waitingForAnswer', since: 3, waitsFor: 'an answer', on: ['A'] },
        ],
        cycle: ['A', 'B'],
      },
    });
  });

  test('while some wait for one that will never answer is a deadlock without a circle', () => {
    const deaf = setup({ types: {} as { events: AskerEvent } }).createMachine({
      id: 'deaf',
      on: { ask: {} },
    });
    const wiring = askers({
      A: { asks: ['C'], wakes: 5 },
      B: { asks: ['A'], wakes: 7 },
      C: { asks: [], wakes: 0, machine: deaf },
    });
    // C hears and says nothing.
    wiring.boot.splice(2, 1);

    expect(new Run(wiring, options).toEnd().deadlock).toEqual({
      tick: 7,
      waiting: [
        { actor: 'A', state: 'waitingForAnswer', since: 5, waitsFor: 'an answer', on: ['C'] },
        { actor: 'B', state: 'waitingForAnswer', since: 7, waitsFor: 'an answer', on: ['A'] },
      ],
      cycle: [],
    });
  });

  test('while three wait in a circle is a deadlock with this circle, and names who waits for one of them as well', () => {
    const wiring = askers({
      Outsider: { asks: ['C'], wakes: 9 },
      A: { asks: ['B'], wakes: 5 },
      B: { asks: ['C'], wakes: 5 },
      C: { asks: ['A'], wakes: 5 },
    });

    const { deadlock } = new Run(wiring, options).toEnd();

    expect(deadlock).toEqual({
      tick: 9,
      waiting: [
        { actor: 'Outsider', state: 'waitingForAnswer', since: 9, waitsFor: 'an answer', on: ['C'] },
        { actor: 'A', state: 'waitingForAnswer', since: 5, waitsFor: 'an answer', on: ['B'] },
        { actor: 'B', state: 'waitingForAnswer', since: 5, waitsFor: 'an answer', on: ['C'] },
        { actor: 'C', state: 'waitingForAnswer', since: 5, waitsFor: 'an answer', on: ['A'] },
      ],
      cycle: ['C', 'A', 'B'],
    });
  });

  test('counts a wait from its beginning, also when another region of the part moved since', () => {
    const kit = component<{ n: number }, { type: 'go' } | { type: 'tick' } | { type: 'again' }>();
    const machine = setup({
      types: {} as { context: { n: number }; events: { type: 'go' } | { type: 'tick' } | { type: 'again' } },
      actions: {
        count: kit.update((c) => {
          c.n++;
        }),
      },
    }).createMachine({
      id: 'pair',
      context: { n: 0 },
      type: 'parallel',
      states: {
        engine: {
          initial: 'idle',
          states: {
            idle: { on: { go: 'waiting' } },
            waiting: {
              tags: ['waiting'],
              meta: waitsFor('a miracle'),
              on: { again: { target: 'waiting', reenter: true, actions: 'count' } },
            },
          },
        },
        clock: {
          initial: 'tick',
          states: { tick: { on: { tick: 'tock' } }, tock: { on: { tick: 'tick' } } },
        },
      },
    });
    const wiring = new Wiring();
    const to = wiring.place('Part', machine, 0);
    for (const [delay, type] of [
      [2, 'tick'],
      [4, 'go'],
      [6, 'tick'],
      [8, 'again'],
    ] as const)
      wiring.boot.push({ to, type, delay });

    expect(new Run(wiring, options).toEnd().deadlock!.waiting).toEqual([
      { actor: 'Part', state: 'engine.waiting, clock.tick', since: 4, waitsFor: 'a miracle', on: [] },
    ]);
  });

  test('says "a message" of a state that does not tell what it waits for', () => {
    const machine = setup({}).createMachine({
      id: 'mute',
      initial: 'on',
      states: { on: { tags: ['waiting'] } },
    });
    const wiring = new Wiring();
    wiring.place('Mute', machine, 0);

    expect(new Run(wiring, options).toEnd()).toMatchObject({
      verdict: 'deadlock',
      deadlock: {
        tick: 0,
        waiting: [{ actor: 'Mute', state: 'on', since: 0, waitsFor: 'a message', on: [] }],
        cycle: [],
      },
    });
  });
});

test('names what leads out of a state that does not tell what it waits for', () => {
  const machine = setup({ guards: { never: component().when(() => false) } }).createMachine({
    id: 'asks',
    initial: 'asking',
    states: {
      asking: {
        initial: 'first',
        on: { cancel: 'idle', hint: {} },
        states: {
          first: {
            tags: ['waiting'],
            on: { grant: [{ guard: 'never' }, { target: '#asks.idle' }], note: {}, '*': {} },
          },
        },
      },
      idle: {},
    },
  });
  const wiring = new Wiring();
  wiring.place('Asks', machine, 0);

  expect(new Run(wiring).toEnd().deadlock!.waiting[0]!.waitsFor).toBe('grant or cancel');
});

test('a run that stops in between is not a deadlock: what is under way may end the wait', () => {
  const wiring = askers({ A: { asks: ['B'], wakes: 3 }, B: { asks: ['A'], wakes: 3 } });
  wiring.boot.push({ to: 1 as Address, type: 'wake', delay: 9 });
  const run = new Run(wiring);

  expect(run.until(5).verdict).toBe('ok');
  expect(run.toEnd().verdict).toBe('deadlock');
});

test('what a state waits for may be a text', () => {
  const machine = setup({ types: {} as { context: object; events: { type: 'grant' } } }).createMachine({
    id: 'client',
    context: {},
    initial: 'waiting',
    states: { waiting: { tags: ['waiting'], meta: { waitsFor: 'a bus' }, on: { grant: 'done' } }, done: {} },
  });
  const wiring = new Wiring();
  wiring.place('Client', machine, undefined);
  const run = new Run(wiring);
  run.toEnd();

  expect(run.outcome.deadlock?.waiting).toMatchObject([{ actor: 'Client', waitsFor: 'a bus', on: [] }]);
});
