import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Explorer } from './explorer.ts';
import { inPartitions } from './testing/in-partitions.ts';
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

/** What one thread comes to, in the form of partitions. */
function alone(make: () => ReturnType<typeof randomWiring>, options: object) {
  const explorer = new Explorer(make, { ...all, ...options });
  const { states, transitions, depth, quiet, postponed, merged, findings } = explorer.toEnd();
  const routes = findings.map((finding) => {
    const { place, tape: _, ...found } = finding;
    const { state: rank, steps } = place;
    return { found: { ...found, rank, steps }, route: explorer.routeTo(finding) };
  });
  return { states, transitions, depth, quiet, postponed, merged, findings: routes };
}

describe('an exploration in partitions', () => {
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
          const options = { observers: [jealousAtRest], reduction, statesMax: 2000 };
          const expected = alone(make, options);
          fc.pre(expected.states < 2000);

          const { findings, ...figures } = inPartitions(make, options, count, turns);

          const { findings: expectedFindings, ...expectedFigures } = expected;
          expect(figures).toEqual(expectedFigures);
          expect(findings.map((one) => ({ ...one, found: { ...one.found, cycleFrom: undefined } }))).toEqual(
            expectedFindings.map((one) => ({ ...one, found: { ...one.found, cycleFrom: undefined } })),
          );
          found += findings.length;
          if (figures.depth > 2) far++;
        },
      ),
      { seed: 11, numRuns: 150 },
    );
    expect([found > 300, far > 40]).toEqual([true, true]);
  });

  test.each([
    [3, 288],
    [5, 8832],
  ])('of two-phase commit with %i resource managers has %i states', (count, states) => {
    const make = () => twoPhaseCommit(count);

    const { findings, ...figures } = inPartitions(make, {}, 3, [1000, 7, 50_000]);

    const { findings: none, ...expected } = alone(make, {});
    expect([findings, none]).toEqual([[], []]);
    expect(figures).toEqual(expected);
    expect(figures.states).toBe(states);
  });
});
