import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Wiring } from '../kernel/wiring.ts';
import type { Machine } from '../machines/machine.ts';
import { parseScenario } from './load.ts';
import { recordingOf } from './recording.ts';
import { replay } from './replay.ts';
import { simulate } from './simulate.ts';
import { ping } from './testing/ping.ts';

interface Asking {
  readonly to: Address;
  /** Questions asked; none counted where it asks without end. */
  asked: number;
  readonly counts: boolean;
  readonly most: number;
}
const { act, when } = component<Asking, { type: 'answer' } | { type: 'tired' }>();

/** Asks again and again until it has an answer, or has asked so many times. */
const asking = setup({
  types: {} as {
    context: Asking;
    events: { type: 'answer' } | { type: 'tired' };
    input: Omit<Asking, 'asked'>;
  },
  guards: { isLast: when((c) => c.asked === c.most) },
  actions: {
    ask: act((c, _event, out) => {
      if (c.counts) c.asked++;
      out.post({ to: c.to, type: 'question', delay: 1 });
      out.setTimer('tired', 7);
    }),
  },
}).createMachine({
  id: 'asking',
  context: ({ input }) => ({ ...input, asked: 0 }),
  initial: 'waiting',
  states: {
    waiting: {
      entry: 'ask',
      on: {
        answer: 'done',
        tired: [
          { guard: 'isLast', target: 'done' },
          { target: 'waiting', reenter: true },
        ],
      },
    },
    done: { on: { answer: {}, tired: {} } },
  },
});

const silent = setup({ types: {} as { events: { type: 'question' } } }).createMachine({
  id: 'silent',
  initial: 'deaf',
  states: { deaf: { on: { question: {} } } },
});

const machine: Machine = {
  ...(ping as Machine),
  name: 'asking',
  config: z.strictObject({ counts: z.boolean().default(false), most: z.number().default(-1) }),
  assemble: ({ config }) => {
    const wiring = new Wiring();
    const to = wiring.reserve('Silent');
    wiring.place(wiring.reserve('Asker'), asking, { to, ...(config as { counts: boolean; most: number }) });
    wiring.place(to, silent, undefined);
    return { wiring, result: () => ({}) };
  },
};

const scenarioOf = (lines: string) =>
  parseScenario(`name: a\nmachine: asking\n${lines}`, 'a.yaml', [machine]);

test.each(['fifo', 'random'])('a clocked run that goes round is cut, in the order %s', async (kind) => {
  const { scenario } = await scenarioOf(`schedule: { kind: ${kind} }\n`);
  const { outcome, interrupted, until } = simulate(scenario, machine);

  expect(outcome).toMatchObject({ verdict: 'ok', cut: true });
  expect(outcome.round!.to - outcome.round!.from).toBe(7);
  expect([interrupted, until]).toEqual([false, undefined]);
});

test('its recording replays, and goes as far', async () => {
  const { scenario } = await scenarioOf('config: {}\n');
  const first = simulate(scenario, machine);
  const again = await replay(recordingOf(scenario, first), [machine]);

  expect([again.difference, again.toEnd]).toEqual([undefined, true]);
  expect(again.simulation.outcome).toEqual(first.outcome);
});

test('a run that counts is not cut, however long, nor one with a last tick', async () => {
  const counting = await scenarioOf('config: { counts: true, most: 50000 }\n');
  expect(simulate(counting.scenario, machine).outcome).toMatchObject({ verdict: 'ok', deliveries: 100_000 });

  const bounded = await scenarioOf('config: {}\nuntil: 400000\n');
  const { outcome, until } = simulate(bounded.scenario, machine);
  expect([outcome.cut, until]).toEqual([undefined, 400_000]);
});

interface Counting {
  at: number;
  readonly of: number;
  readonly end: number;
}
const counting = component<Counting, { type: 'go' }>();

/** Counts in a circle; with an `end` it stops in that tick. */
const circling = setup({
  types: {} as { context: Counting; events: { type: 'go' }; input: Omit<Counting, 'at'> },
  actions: {
    count: counting.act((c, _event, out) => {
      c.at = (c.at + 1) % c.of;
      if (c.end < 0 || out.now < c.end) out.post({ to: out.self, type: 'go', delay: 1 });
    }),
  },
}).createMachine({
  id: 'circling',
  context: ({ input }) => ({ ...input, at: 0 }),
  on: { go: { actions: 'count' } },
});

const circle: Machine = {
  ...(ping as Machine),
  name: 'circle',
  config: z.strictObject({ of: z.number(), end: z.number().default(-1) }),
  assemble: ({ config }) => {
    const wiring = new Wiring();
    const to = wiring.place('Circle', circling, config as { of: number; end: number });
    wiring.begin({ to, type: 'go' });
    return { wiring, result: () => ({}) };
  },
};

const outcomeIn = async (config: string) => {
  const text = `name: a\nmachine: circle\nconfig: { ${config} }\n`;
  const { scenario } = await parseScenario(text, 'a.yaml', [circle]);
  return simulate(scenario, circle).outcome;
};

test.each([9, 100, 2000])(
  'a round of %i ticks that differ in nothing but what an actor keeps is found',
  async (of) => {
    const { cut, round } = await outcomeIn(`of: ${of}`);

    expect(cut).toBe(true);
    expect(round!.to - round!.from).toBe(of);
  },
);

test('an actor that reads the time does not go round: it may do something else then', async () => {
  expect(await outcomeIn('of: 3, end: 70000')).toMatchObject({ verdict: 'ok', deliveries: 70_001 });
});
