import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, RandomChoices, TapeChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { barrier } from './barrier.ts';
import { type MutexGranted, mutex } from './mutex.ts';

interface PhilosopherContext {
  readonly self: Address;
  /** In the order of taking. */
  readonly forks: readonly [Address, Address];
}
type PhilosopherEvent = { type: 'hunger' } | MutexGranted | { type: 'meal.over' };
const { post } = component<PhilosopherContext, PhilosopherEvent>();

/** Takes one fork, then the other, eats for two ticks, and gives both back. */
const philosopher = setup({
  types: {} as { context: PhilosopherContext; events: PhilosopherEvent; input: PhilosopherContext },
  actions: {
    askFirst: post((p) => ({ to: p.forks[0], type: 'mutex.acquire', by: p.self })),
    askSecond: post((p) => ({ to: p.forks[1], type: 'mutex.acquire', by: p.self })),
    eat: post((p) => ({ to: p.self, type: 'meal.over', delay: 2 })),
    giveBack: post((p) => p.forks.map((to) => ({ to, type: 'mutex.release', by: p.self }))),
  },
}).createMachine({
  id: 'philosopher',
  context: ({ input }) => input,
  initial: 'thinking',
  states: {
    thinking: { on: { hunger: { target: 'waitingForFirst', actions: 'askFirst' } } },
    waitingForFirst: {
      tags: ['waiting'],
      meta: waitsFor<PhilosopherContext>('its first fork', (p) => p.forks[0]),
      on: { 'mutex.granted': { target: 'waitingForSecond', actions: 'askSecond' } },
    },
    waitingForSecond: {
      tags: ['waiting'],
      meta: waitsFor<PhilosopherContext>('its second fork', (p) => p.forks[1]),
      on: { 'mutex.granted': { target: 'eating', actions: 'eat' } },
    },
    eating: { on: { 'meal.over': { target: 'thinking', actions: 'giveBack' } } },
  },
});

/** Philosophers at a round table, each with a fork to the left and right. */
function table(
  count: number,
  options: { readonly leftHanded: readonly number[]; readonly hungerAt: number },
): Wiring {
  const wiring = new Wiring();
  const philosophers = Array.from({ length: count }, (_, index) => wiring.reserve(`Philosopher[${index}]`));
  const forks = Array.from({ length: count }, (_, index) => wiring.place(`Fork[${index}]`, mutex, {}));
  for (const [index, self] of philosophers.entries()) {
    const [left, right] = [forks[index]!, forks[(index + 1) % count]!];
    wiring.place(self, philosopher, {
      self,
      forks: options.leftHanded.includes(index) ? [right, left] : [left, right],
    });
    wiring.boot.push({ to: self, type: 'hunger', delay: options.hungerAt });
  }
  return wiring;
}

const engines: readonly [string, RunOptions][] = [
  ['tables', {}],
  ['XState', { engine: 'xstate' }],
];

describe.each(engines)('dining philosophers (%s)', (_, options) => {
  test('who all take the fork on the same side starve, and the report says exactly how', () => {
    const outcome = new Run(table(3, { leftHanded: [], hungerAt: 4 }), options).toEnd();

    expect(outcome).toEqual({
      verdict: 'deadlock',
      ticks: 5,
      deliveries: 12,
      violations: [],
      deadlock: {
        tick: 4,
        waiting: [
          {
            actor: 'Philosopher[0]',
            state: 'waitingForSecond',
            since: 4,
            waitsFor: 'its second fork',
            on: ['Fork[1]'],
          },
          {
            actor: 'Philosopher[1]',
            state: 'waitingForSecond',
            since: 4,
            waitsFor: 'its second fork',
            on: ['Fork[2]'],
          },
          {
            actor: 'Philosopher[2]',
            state: 'waitingForSecond',
            since: 4,
            waitsFor: 'its second fork',
            on: ['Fork[0]'],
          },
          {
            actor: 'Fork[0]',
            state: 'contended',
            since: 4,
            waitsFor: 'its holder to release it',
            on: ['Philosopher[0]'],
          },
          {
            actor: 'Fork[1]',
            state: 'contended',
            since: 4,
            waitsFor: 'its holder to release it',
            on: ['Philosopher[1]'],
          },
          {
            actor: 'Fork[2]',
            state: 'contended',
            since: 4,
            waitsFor: 'its holder to release it',
            on: ['Philosopher[2]'],
          },
        ],
        cycle: ['Philosopher[0]', 'Fork[1]', 'Philosopher[1]', 'Fork[2]', 'Philosopher[2]', 'Fork[0]'],
      },
    });
  });

  test('of whom one takes the other fork first all eat, under any schedule', () => {
    for (let seed = 0; seed < 25; seed++) {
      const run = new Run(table(5, { leftHanded: [4], hungerAt: 0 }), {
        ...options,
        choices: new RandomChoices(seed),
      });

      expect(run.toEnd().verdict).toBe('ok');
      expect(run.parts.map(({ configuration }) => configuration.name)).toEqual([
        ...Array(5).fill('thinking'),
        ...Array(5).fill('free'),
      ]);
    }
  });

  test('starve or eat as the schedule decides', () => {
    const verdictOf = (choices: Choices) =>
      new Run(table(2, { leftHanded: [], hungerAt: 0 }), { ...options, choices }).toEnd().verdict;

    expect(verdictOf(new TapeChoices([]))).toBe('deadlock');
    // One philosopher is served before the other is told to be hungry.
    expect(new Set(Array.from({ length: 40 }, (_one, seed) => verdictOf(new RandomChoices(seed))))).toEqual(
      new Set(['deadlock', 'ok']),
    );
  });
});

test('a party that never arrives at a barrier is a deadlock of the others with the barrier, which names who is missing', () => {
  const party = setup({
    types: {} as {
      context: { readonly barrier: Address; readonly party: number };
      events: { type: 'arrive' } | { type: 'barrier.open' };
      input: { readonly barrier: Address; readonly party: number };
    },
    actions: {
      arrive: component<
        { readonly barrier: Address; readonly party: number },
        { type: 'arrive' } | { type: 'barrier.open' }
      >().post((c) => ({
        to: c.barrier,
        type: 'barrier.arrive',
        party: c.party,
        generation: 0,
      })),
    },
  }).createMachine({
    id: 'party',
    context: ({ input }) => input,
    initial: 'away',
    states: {
      away: { on: { arrive: { target: 'waiting', actions: 'arrive' } } },
      waiting: {
        tags: ['waiting'],
        meta: waitsFor<{ readonly barrier: Address }>('the barrier', (c) => c.barrier),
        on: { 'barrier.open': 'away' },
      },
    },
  });
  const wiring = new Wiring();
  const meeting = wiring.reserve('Barrier');
  const parties = [0, 1, 2].map((index) =>
    wiring.place(`Party[${index}]`, party, { barrier: meeting, party: index }),
  );
  wiring.place(meeting, barrier, { parties });
  wiring.boot.push(
    { to: parties[0]!, type: 'arrive', delay: 3 },
    { to: parties[2]!, type: 'arrive', delay: 5 },
  );

  expect(new Run(wiring).toEnd()).toEqual({
    verdict: 'deadlock',
    ticks: 6,
    deliveries: 4,
    violations: [],
    deadlock: {
      tick: 5,
      waiting: [
        {
          actor: 'Barrier',
          state: 'gathering',
          since: 3,
          waitsFor: 'the parties that have not arrived',
          on: ['Party[1]'],
        },
        { actor: 'Party[0]', state: 'waiting', since: 3, waitsFor: 'the barrier', on: ['Barrier'] },
        { actor: 'Party[2]', state: 'waiting', since: 5, waitsFor: 'the barrier', on: ['Barrier'] },
      ],
      cycle: [],
    },
  });
});
