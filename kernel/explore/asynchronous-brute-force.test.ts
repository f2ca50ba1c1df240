import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import { randomNetwork } from './testing/random-network.ts';
import { asynchronousState, statesOfRuns } from './testing/states-of-runs.ts';

const [first, count] = [
  Number(process.env['FIRST_SEED'] ?? 0),
  Number(process.env['SEEDS'] ?? effort({ short: 5, long: 40 })),
];

test(`random parties over random networks: the explorer comes to the states of all runs, ${count} times`, () => {
  let compared = 0;
  for (let seed = first; seed < first + count; seed++) {
    const make = randomNetwork(seed);
    const explorer = new Explorer(make, { statesMax: 1500 });
    const { verdict } = explorer.toEnd();
    if (verdict === 'incomplete') continue;
    const byRuns = statesOfRuns(make, 1500);
    if (!byRuns) continue;
    const byExplorer = new Set([...explorer.states()].map((state) => asynchronousState(state)));

    expect([seed, [...byExplorer].sort()]).toEqual([seed, [...byRuns].sort()]);
    compared++;
  }

  // A test of nothing would pass as well.
  expect(compared).toBeGreaterThan(count / 3);
}, 7_200_000);

// Their parties are asked a question to which one answer changes nothing: by that answer the message was not received.
test.each([174, 199, 338])('parties over a random network that once had more states: seed %i', (seed) => {
  const make = randomNetwork(seed);
  const explorer = new Explorer(make);
  explorer.toEnd();

  const byExplorer = new Set([...explorer.states()].map((state) => asynchronousState(state)));

  expect([...byExplorer].sort()).toEqual([...statesOfRuns(make, 1500)!].sort());
});

test('each step counts once, and equal messages are one: two of three messages to two parties, in any order', () => {
  const { update } = component<{ heard: number }, { type: 'told' }>();
  const listener = setup({
    types: {} as { context: { heard: number }; events: { type: 'told' } },
    actions: {
      count: update((one) => {
        one.heard++;
      }),
    },
  }).createMachine({ id: 'listener', context: { heard: 0 }, on: { told: { actions: 'count' } } });
  const make = () => {
    const wiring = new Wiring({ order: 'unordered' });
    const [one, other] = [wiring.reserve('One'), wiring.reserve('Other')];
    for (const at of [one, other]) wiring.place(at, listener, undefined);
    for (const to of [one, one, other]) wiring.begin({ to, type: 'told' });
    return wiring;
  };

  // Heard 0, 1, 2 times and 0, 1 times: from each state a step for each party that still has a message; two lead to a state that is known.
  expect(new Explorer(make).toEnd()).toMatchObject({
    ...{ verdict: 'ok', states: 6, transitions: 7, postponed: 0, merged: 2 },
  });
});
