import { expect, test } from 'vitest';
import { effort } from '../testing/effort.ts';
import { Explorer } from './explorer.ts';
import { randomNetwork } from './testing/random-network.ts';
import { asynchronousState, statesOfRuns } from './testing/states-of-runs.ts';

const [first, count] = [
  Number(process.env['FIRST_SEED'] ?? 0),
  Number(process.env['SEEDS'] ?? effort({ short: 10, long: 40 })),
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
