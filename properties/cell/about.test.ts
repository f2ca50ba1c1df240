import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Crossings, crossed } from '../testing/crossed.ts';
import { campaignGiven } from './campaign.ts';
import { cellProperties } from './cell-properties.ts';
import type { CellProperty } from './context.ts';
import { trial } from './trial.ts';

test('what is about different things is seen in either order with the same result', () => {
  const bySentence = new Map<string, Crossings>();
  const properties = cellProperties.map(
    ({ sentence, of }): CellProperty => ({
      sentence,
      of: (facts) => {
        const crossings = bySentence.get(sentence) ?? { count: 0, differences: [] };
        bySentence.set(sentence, crossings);
        return crossed(of(facts), crossings, 5);
      },
    }),
  );
  for (const [seed, given] of fc.sample(campaignGiven, { seed: 16, numRuns: 8 }).entries())
    trial(given, { properties, ticksMax: 30, seed });

  expect([...bySentence.values()].flatMap(({ differences }) => differences).slice(0, 3)).toEqual([]);
  const crossedOften = [...bySentence].filter(([, { count }]) => count > 10).map(([sentence]) => sentence);
  expect(crossedOften).toEqual([
    'the memories at the end of a cycle follow from those before it and its accesses in some order',
    'byte i of a transfer moves in cycle start + i, exactly once',
    'each byte follows one command of its own in the same cycle',
    'status answers are exact',
    'the barrier opens when each of the 2N+1 parties has reported once',
    'every accepted request of a run until idle finishes',
    'the checker finds nothing',
    'every cycle brings what the plain loop of the specification brings',
  ]);
});
