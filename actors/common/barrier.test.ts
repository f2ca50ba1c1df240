import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { RandomChoices } from '../../kernel/choices.ts';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { type BarrierOpen, barrier } from './barrier.ts';

const parties = [11, 12, 13];
const events = fc.record({
  type: fc.constant('barrier.arrive'),
  party: fc.integer({ min: -1, max: 3 }),
  generation: fc.nat(2),
});

for (const { sentence, failures } of [
  ...contractOf('barrier', { machine: barrier, input: () => ({ parties }), events }),
  ...contractOf('barrier of one', {
    machine: barrier,
    input: () => ({ parties: [11] }),
    events,
    unreached: ['gathering'],
  }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}

/** A party that works for a while, arrives, and as soon as it is let go works for the next generation. */
interface PartyContext {
  readonly spec: PartyInput;
  /** Generation it works for. */
  generation: number;
}
interface PartyInput {
  readonly self: Address;
  readonly barrier: Address;
  readonly party: number;
  readonly generations: number;
  /** Ticks of work by generation. */
  readonly work: readonly number[];
}
const { update, post, when, probe } = component<PartyContext, { type: 'work.over' } | BarrierOpen>();
const partyMachine = setup({
  types: {} as { context: PartyContext; events: { type: 'work.over' } | BarrierOpen; input: PartyInput },
  guards: { last: when((p) => p.generation === p.spec.generations) },
  actions: {
    arrive: post((p) => ({
      to: p.spec.barrier,
      type: 'barrier.arrive',
      party: p.spec.party,
      generation: p.generation,
    })),
    showArrival: probe((p) => ({ type: 'arrived', generation: p.generation })),
    showLeaving: probe<'barrier.open'>((_p, { generation }) => ({ type: 'left', generation })),
    next: update<'barrier.open'>((p, { generation }) => {
      p.generation = generation + 1;
    }),
    work: post((p) => ({
      to: p.spec.self,
      type: 'work.over',
      delay: p.spec.work[p.generation % p.spec.work.length]!,
    })),
  },
}).createMachine({
  id: 'party',
  context: ({ input }) => ({ spec: input, generation: 0 }),
  initial: 'working',
  states: {
    working: { on: { 'work.over': { target: 'arrived', actions: ['showArrival', 'arrive'] } } },
    arrived: {
      tags: ['waiting'],
      meta: waitsFor<PartyContext>('the barrier', (p) => p.spec.barrier),
      on: { 'barrier.open': { target: 'leaving', actions: ['showLeaving', 'next'] } },
    },
    leaving: {
      always: [
        { guard: 'last', target: 'home' },
        { target: 'working', actions: 'work' },
      ],
    },
    home: {},
  },
});

/** Wires a group of parties around a barrier of their own. */
function group(
  wiring: Wiring,
  name: string,
  work: readonly (readonly number[])[],
  generations: number,
): void {
  const meeting = wiring.reserve(`${name}.Barrier`);
  const addresses = work.map((_, party) => wiring.reserve(`${name}.Party[${party}]`));
  wiring.place(meeting, barrier, { parties: addresses });
  for (const [party, self] of addresses.entries()) {
    wiring.place(self, partyMachine, { self, barrier: meeting, party, generations, work: work[party]! });
    wiring.boot.push({ to: self, type: 'work.over', delay: work[party]![0]! });
  }
}

interface Passage {
  readonly actor: string;
  readonly type: 'arrived' | 'left';
  readonly generation: number;
}

function passagesOf(run: Run): Passage[] {
  const passages: Passage[] = [];
  run.probes$.subscribe(({ actor, probe: shown }) =>
    passages.push({ actor, ...(shown as { type: 'arrived' | 'left'; generation: number }) }),
  );
  return passages;
}

const works = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

describe('a reentrant barrier (Cell specification 8)', () => {
  test('keeps (a) to (c): nobody leaves before all arrived, who leaves may arrive at once, each arrives once per generation', () => {
    let early = 0;
    fc.assert(
      fc.property(works, fc.integer({ min: 1, max: 5 }), fc.nat(), (work, generations, seed) => {
        const wiring = new Wiring();
        group(wiring, 'Group', work, generations);
        const run = new Run(wiring, { choices: new RandomChoices(seed) });
        const passages = passagesOf(run);

        const outcome = run.toEnd();

        expect(outcome.verdict).toBe('ok');
        for (let generation = 0; generation < generations; generation++) {
          const at = (type: string) =>
            passages.flatMap((one, index) =>
              one.type === type && one.generation === generation ? [index] : [],
            );
          expect(at('arrived')).toHaveLength(work.length);
          expect(at('left')).toHaveLength(work.length);
          expect(Math.max(...at('arrived'))).toBeLessThan(Math.min(...at('left')));
          // (b) must have been possible: somebody was in the next generation before another had left this one.
          if (
            passages.findIndex((one) => one.type === 'arrived' && one.generation === generation + 1) <
            Math.max(...at('left'))
          )
            early++;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(early).toBeGreaterThan(5);
  });

  test('of a group opens without those of another group', () => {
    const wiring = new Wiring();
    group(wiring, 'Quick', [[0], [0]], 4);
    group(wiring, 'Slow', [[9], [0], [0]], 1);
    const run = new Run(wiring);
    const passages = passagesOf(run);

    run.until(8);
    const before = passages.filter((one) => one.type === 'left').length;
    const outcome = run.toEnd();

    expect(before).toBe(8);
    expect(outcome.verdict).toBe('ok');
    expect(passages.filter((one) => one.actor.startsWith('Slow') && one.type === 'left')).toHaveLength(3);
  });

  test('opens in the cycle of the last arrival, again and again', () => {
    cycles(
      barrier,
      { parties },
      `
      cycle           0   1   2   3    4
      barrier.arrive  a   b   c   abc  a   a = party 0, generation 0; b = party 1, generation 0; c = party 2, generation 0
      state           c   .   o   .    .   c = gathering, o = open
      barrier.open    .   .   xyz .    .   x = to 11, generation 0; y = to 12, generation 0; z = to 13, generation 0
      report          .   .   .   rrr  r   r = property each party arrives exactly once per generation
    `,
    );
    cycles(
      barrier,
      { parties: [11, 12] },
      `
      cycle           0   1   2   3
      barrier.arrive  ab  c   d   e   a = party 0, generation 0; b = party 1, generation 0; c = party 1, generation 1; d = party 0, generation 1; e = party 0, generation 2
      state           o   c   o   c   c = gathering, o = open
      barrier.open    xy  .   vw  .   x = to 11, generation 0; y = to 12, generation 0; v = to 11, generation 1; w = to 12, generation 1
      report          .   .   .   .
    `,
    );
  });

  test.each([
    [
      'twice in a generation',
      [0, 0],
      [0, 0],
      'party 0 arrived for generation 0 while 0 is being collected and it has arrived already',
    ],
    ['for a later generation', [0, 1], [0, 1], 'party 1 arrived for generation 1 while 0 is being collected'],
    [
      'without being one of them',
      [0, 7],
      [0, 0],
      'party 7 arrived for generation 0 while 0 is being collected',
    ],
  ])('reports a party that arrives %s, and does not count it', (_, arrivals, generations, why) => {
    const wiring = new Wiring();
    const meeting = wiring.place('Barrier', barrier, { parties: parties as Address[] });
    arrivals.forEach((party, index) => {
      wiring.boot.push({
        to: meeting,
        type: 'barrier.arrive',
        party,
        generation: generations[index]!,
      } as never);
    });
    const run = new Run(wiring);

    const { violations } = run.toEnd();

    expect(violations).toEqual([
      { property: 'each party arrives exactly once per generation', tick: 0, actors: ['Barrier'], why },
    ]);
    expect(run.part('Barrier').context['count']).toBe(1);
  });
});
