import { expect, test } from 'vitest';
import { Explorer } from './explorer.ts';
import type { Observer } from './observer.ts';
import { randomNetwork } from './testing/random-network.ts';
import { transcriptOf } from './transcript.ts';

/** Finds something wrong in some states, once on each way, and tells it with what was delivered in the tick that led there. */
const someStates = (every: number): Observer<{ found: boolean }> => ({
  sentence: 'some states are wrong',
  watches: [],
  begin: () => ({ found: false }),
  see: () => undefined,
  seeState: (memory, state, _met, step = () => []) => {
    let sum = 0;
    for (const char of transcriptOf(state.actors)) sum = (31 * sum + char.charCodeAt(0)) % 65_521;
    if (memory.found || sum % every !== 0) return undefined;
    memory.found = true;
    const why = step().map(({ from, to, event }) => `${JSON.stringify(event)} from ${from} to ${to}`);
    return { actors: [], why: why.join(', ') };
  },
});

// What is found is told only when a run along its way comes to the same words, or the explorer stops with a defect.
test('what is found of a state names the step that led there, as a run along the way tells it', () => {
  let [found, named] = [0, 0];
  for (let seed = 0; seed < 120; seed++) {
    const explorer = new Explorer(randomNetwork(seed), {
      observers: [someStates(5)],
      statesMax: 300,
      findingsMax: 8,
    });
    for (const { why } of explorer.toEnd().findings) {
      found++;
      if (why !== '') named++;
    }
  }

  expect(found).toBeGreaterThan(200);
  expect(named).toBeGreaterThan(150);
});
