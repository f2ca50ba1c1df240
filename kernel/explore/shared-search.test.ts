import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import type { GlobalState } from '../global-state.ts';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import type { Observer } from './observer.ts';
import type { Route } from './route.ts';
import { inTurns } from './testing/in-turns.ts';
import { jealous } from './testing/jealous.ts';
import { randomWiring } from './testing/random-wiring.ts';
import { twoPhaseCommit } from './testing/two-phase-commit.ts';

const all = { findingsMax: Number.POSITIVE_INFINITY };
const tapes = fc.array(fc.nat(1000), { minLength: 400, maxLength: 400 });
const slices = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 });

/** Tells at rest who was the last, too. */
const jealousAtRest: typeof jealous = {
  ...jealous,
  atRest: ({ last }) => (last === '' ? undefined : { actors: [], why: `${last} was the last` }),
};

/** Looks at states, remembers the most that was ever under way, and complains of more than three. */
const mostUnderWay: Observer<{ most: number }> = {
  sentence: 'at most three messages are under way',
  watches: [],
  begin: () => ({ most: 0 }),
  see: () => undefined,
  seeState: (memory, { actors, messages }) => {
    memory.most = Math.max(memory.most, messages.length);
    return messages.length > 3 ? { actors: [actors[0]!.name], why: `${messages.length} are` } : undefined;
  },
};

/** Looks for states in which nothing is under way. */
const comesToRest: Observer<object> = {
  sentence: 'it comes to rest',
  watches: [],
  reachable: true,
  begin: () => ({}),
  see: () => undefined,
  seeState: (_memory, { messages }) => (messages.length === 0 ? { actors: [], why: 'it rests' } : undefined),
};

const observers = [jealousAtRest, mostUnderWay, comesToRest];

/** Of what is left open, what waits for something still. */
const waitingOf = (open: readonly { readonly sentence: string; readonly why: string }[]) =>
  Object.fromEntries(open.map(({ sentence, why }) => [sentence, why]));

/** What one thread comes to, in the form of several that take turns. */
function alone(make: () => ReturnType<typeof randomWiring>, options: object) {
  const explorer = new Explorer(make, { ...all, ...options });
  const { verdict: _, findings, witnesses, open, idle: __, ...figures } = explorer.toEnd();
  const routes = findings
    .filter(({ unreached }) => !unreached)
    .map((finding) => {
      const { place, tape: _tape, ...found } = finding;
      const { state: rank, steps } = place;
      return { found: { ...found, rank, steps }, route: explorer.routeTo(finding) };
    });
  return {
    ...figures,
    findings: routes,
    witnesses: witnesses.map(({ what, place }) => [what, place.state]),
    waiting: waitingOf(open),
  };
}

/** What was found, without what tells apart only who found it. */
const plainly = (findings: readonly { readonly found: object; readonly route: Route }[]) =>
  findings.map(({ found, route }) => ({
    found: { ...found, cycleFrom: undefined, reference: undefined, start: undefined },
    route,
  }));

describe('an exploration that threads share', () => {
  test('has the figures, the findings and the routes of one thread, whoever is fast or slow', () => {
    let [found, far] = [0, 0];
    fc.assert(
      fc.property(
        tapes,
        slices,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (tape, turns, count, reduction) => {
          const make = () => randomWiring(tape);
          const options = { observers, reduction, statesMax: 2000 };
          const expected = alone(make, options);
          fc.pre(expected.states < 2000);

          const { findings, ...figures } = inTurns(make, { ...options, statesMax: 1e6 }, count, turns);

          const { findings: expectedFindings, ...expectedFigures } = expected;
          expect(figures).toEqual(expectedFigures);
          expect(plainly(findings)).toEqual(plainly(expectedFindings));
          found += findings.length;
          if (figures.depth > 2) far++;
        },
      ),
      { seed: 11, numRuns: effort({ short: 60, long: 150 }) },
    );
    expect([found > effort({ short: 120, long: 300 }), far > effort({ short: 10, long: 40 })]).toEqual([
      true,
      true,
    ]);
  });

  test.each([
    [3, 288],
    [5, 8832],
  ])('of two-phase commit with %i resource managers has %i states', (count, states) => {
    const make = () => twoPhaseCommit(count);

    const { findings, ...figures } = inTurns(make, {}, 3, [1000, 7, 50_000]);

    const { findings: none, ...expected } = alone(make, {});
    expect([findings, none]).toEqual([[], []]);
    expect(figures).toEqual(expected);
    expect(figures.states).toBe(states);
  });
});

interface Counter {
  readonly self: Address;
  count: number;
}
const { update, post } = component<Counter, { type: 'count' }>();
const counter = setup({
  types: {} as { context: Counter; events: { type: 'count' }; input: Address },
  actions: {
    count: update((one) => {
      one.count++;
    }),
    again: post(({ self }) => ({ to: self, type: 'count', delay: 1 })),
  },
}).createMachine({
  id: 'counter',
  context: ({ input }) => ({ self: input, count: 0 }),
  entry: 'again',
  on: { count: { actions: ['count', 'again'] } },
});

test('what still waits where all runs leave the boundary is left open by several as by one', () => {
  const make = () => {
    const wiring = new Wiring();
    const self = wiring.reserve('Counter');
    wiring.place(self, counter, self);
    wiring.boundary = (state: GlobalState) => state.actor<Counter>('Counter').context.count < 3;
    return wiring;
  };
  const ends: Observer<object> = {
    sentence: 'it ends some time',
    watches: [],
    begin: () => ({}),
    see: () => undefined,
    atRest: () => ({ actors: [], why: 'it has not' }),
  };

  const found = inTurns(make, { ...all, observers: [ends] }, 2, [1]);

  expect(found).toMatchObject(alone(make, { observers: [ends] }));
  expect(found.waiting).toEqual({ 'it ends some time': 'it still waits where runs leave the boundary' });
});
