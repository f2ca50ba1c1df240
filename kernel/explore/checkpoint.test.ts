import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Probe } from '../message.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { type ExploreOptions, Explorer } from './explorer.ts';
import type { Observer } from './observer.ts';
import { MemoryStore } from './testing/memory-store.ts';
import { randomSystem } from './testing/random-system.ts';
import { twoPhaseCommit } from './testing/two-phase-commit.ts';
import { withStops } from './testing/with-stops.ts';

const all = { findingsMax: Number.POSITIVE_INFINITY };

/** All that an exploration tells, and its states. */
const told = (explorer: Explorer) => ({
  ...explorer.toEnd(),
  states: [...explorer.states()],
  exchanged: explorer.exchanged,
});

const both = (make: () => Wiring, options: ExploreOptions, deliveries: number) => {
  const { explorer, stops } = withStops(make, options, deliveries);
  return { once: told(new Explorer(make, options)), again: told(explorer), stops };
};

type Move = { readonly type: 'move' };

/** Two who stay where they are or go on to the next of so many places, for ever. */
function wanderers(size: number): Wiring {
  const { act } = component<{ place: number }, Move>();
  const wanderer = setup({
    types: {} as { context: { place: number }; events: Move },
    actions: {
      wander: act((one, _event, out) => {
        one.place = (one.place + out.pick('stays or goes', 2)) % size;
        out.probe({ type: 'is', place: one.place });
        out.post({ to: out.self, type: 'move', delay: 1 });
      }),
    },
  }).createMachine({ id: 'wanderer', context: { place: 0 }, on: { move: { actions: 'wander' } } });
  const wiring = new Wiring();
  for (const name of ['One', 'Other'])
    wiring.begin({ to: wiring.place(name, wanderer, undefined), type: 'move' });
  return wiring;
}

/** Both come to the first place again and again. */
const comesRound = (size: number, fair: boolean): Observer<{ at: Record<string, number> }> => ({
  sentence: 'both come round',
  fair,
  begin: () => ({ at: { One: 0, Other: 0 } }),
  see: (memory, observation) => {
    if (observation.kind === 'probe')
      memory.at[observation.actor] = (observation.probe as Probe & { place: number }).place;
    return undefined;
  },
  pending: ({ at }) =>
    Object.entries(at)
      .filter(([, place]) => place === size - 1)
      .map(([name]) => ({ key: name, actors: [name], why: `${name} is at the last place` })),
});

describe('an exploration that is put down and taken up again', () => {
  test('comes to the same end: random systems with faults, observers, families, shared objects, symmetry', () => {
    let [stopped, found, exchanged] = [0, 0, 0];
    for (let seed = 0; seed < effort({ short: 20, long: 600 }); seed++) {
      const { make, symmetry, ...system } = randomSystem(seed);
      const { faults, observers, deliveriesPerTickMax, until } = system;
      const options: ExploreOptions = {
        ...all,
        faults,
        observers,
        deliveriesPerTickMax,
        reduction: seed % 3 > 0,
        statesMax: 300,
        ...(until !== undefined && { until }),
        ...(symmetry && seed % 2 === 0 && { symmetry }),
      };

      const { once, again, stops } = both(make, options, 1 + (seed % 40));

      expect(again, `seed ${seed}`).toEqual(once);
      stopped += stops;
      found += once.findings.length;
      exchanged += once.exchanged;
    }
    expect([stopped > 40, found > 30, exchanged > 50]).toEqual([true, true, true]);
  });

  test.each([true, false])(
    'comes to the same end: what is waited for in runs without end, fair %s',
    (fair) => {
      let found = 0;
      for (let size = 2; size < effort({ short: 8, long: 30 }); size++) {
        const options = { ...all, observers: [comesRound(size, fair)] };

        const { once, again, stops } = both(() => wanderers(size), options, 7);

        expect(again).toEqual(once);
        expect(stops).toBeGreaterThan(1);
        found += once.findings.length;
      }
      // Whoever is at a place may stay there for ever while the other one goes on.
      expect(found).toBeGreaterThan(3);
    },
  );

  test('has all states of two-phase commit', () => {
    const [managers, states, every] = effort({ short: [4, 1568, 4000], long: [5, 8832, 20_000] });
    const { explorer, stops } = withStops(() => twoPhaseCommit(managers), {}, every);

    expect([explorer.toEnd().states, stops > 3]).toEqual([states, true]);
  });

  test('does not go on when the machine is not what it was', () => {
    const counter = (limit: number) => {
      const { act, when } = component<{ count: number }, { type: 'more' }>();
      const machine = setup({
        types: {} as { context: { count: number }; events: { type: 'more' } },
        guards: { goesOn: when((one) => one.count < 20) },
        actions: {
          count: act((one, _event, out) => {
            one.count += one.count === limit ? 2 : 1;
            out.post({ to: out.self, type: 'more', delay: 1 });
          }),
        },
      }).createMachine({
        id: 'counter',
        context: { count: 0 },
        on: { more: [{ guard: 'goesOn', actions: 'count' }, {}] },
      });
      const wiring = new Wiring();
      wiring.begin({ to: wiring.place('Counter', machine, undefined), type: 'more' });
      return wiring;
    };
    const store = new MemoryStore();
    const explorer = new Explorer(() => counter(99), { store });
    while (explorer.figures.states < 9) explorer.go(1);
    explorer.go(1, true);
    const checkpoint = explorer.checkpoint();
    const from = { checkpoint, bytesMax: 0 };

    expect(() => new Explorer(() => counter(4), { store, from })).toThrow('KRN023 checkpoint: found');
    expect(new Explorer(() => counter(99), { store, from }).toEnd().states).toBe(22);
  });
});
