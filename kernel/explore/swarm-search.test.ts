import { describe, expect, test } from 'vitest';
import { effort } from '../testing/effort.ts';
import { CardinalitySketch } from './cardinality-sketch.ts';
import { Explorer } from './explorer.ts';
import { type SwarmOptions, SwarmSearch } from './swarm-search.ts';
import { randomSystem } from './testing/random-system.ts';
import { twoPhaseCommit } from './testing/two-phase-commit.ts';

const wide: Omit<SwarmOptions, 'seed'> = { bits: 2 ** 20, depthMax: 1e6, searchStatesMax: 1e6 };

const searched = (make: ConstructorParameters<typeof SwarmSearch>[0], options: SwarmOptions) => {
  const search = new SwarmSearch(make, options);
  // In slices of any size.
  while (search.go(1 + (options.seed % 7) * 100));
  return search;
};

describe('a search of a swarm', () => {
  test('goes on from all states when it has bits enough, in whatever order', () => {
    for (const seed of [1, 2, 3]) {
      const search = searched(() => twoPhaseCommit(4), { ...wide, seed });

      expect(search.figures.states).toBe(6 ** 4 + 4 ** 4 + 2 ** 4);
      expect(search.figures.exhausted).toBe(true);
      expect(search.finding).toBeUndefined();
    }
  });

  test('knows states by what they are: different searches count one state once', () => {
    const sketch = new CardinalitySketch();
    const estimates = [1, 2, 3, 4, 5, 6].map((seed) => {
      sketch.join(searched(() => twoPhaseCommit(4), { ...wide, bits: 2 ** 11, seed }).sketch);
      return sketch.estimate;
    });

    // 1,568 states; a search by 2,048 bits leaves many of them out, and no six of them count one twice.
    expect(estimates[0]).toBeLessThan(1200);
    expect(estimates.at(-1)).toBeGreaterThan(estimates[0]! * 1.2);
    expect(estimates.at(-1)).toBeLessThan(1568 * 1.02);
  });

  test('finds something where something is to be found, and what it tells is what a run comes to', () => {
    let [compared, found] = [0, 0];
    for (let seed = 0; seed < effort({ short: 24, long: 600 }); seed++) {
      const { make, faults, observers, deliveriesPerTickMax, until } = randomSystem(seed);
      const options = { faults, observers, deliveriesPerTickMax, ...(until !== undefined && { until }) };
      const whole = new Explorer(make, { ...options, cycles: false, statesMax: 2000, findingsMax: 1e9 });
      const { verdict, findings, unexplored, states } = whole.toEnd();
      if (unexplored > 0) continue;

      const search = searched(make, { ...wide, ...options, seed });

      compared++;
      const { finding } = search;
      expect(finding !== undefined, `seed ${seed}`).toBe(findings.length > 0);
      if (finding) {
        found++;
        const { what, why } = finding.finding;
        expect(findings.map((one) => `${one.what}: ${one.why}`)).toContain(`${what}: ${why}`);
      } else if (verdict === 'ok') expect(search.figures.states, `seed ${seed}`).toBe(states);
    }
    expect([compared > 12, found > 5, compared - found > 1]).toEqual([true, true, true]);
  });

  test('ends at its depth and at its states', () => {
    const shallow = searched(() => twoPhaseCommit(4), { ...wide, seed: 1, depthMax: 3 });
    const short = searched(() => twoPhaseCommit(4), { ...wide, seed: 1, searchStatesMax: 50 });

    expect(shallow.figures).toMatchObject({ depth: 3, exhausted: true });
    expect(short.figures).toMatchObject({ states: 50, exhausted: false });
  });
});

test.each([10, 1000, 20_000, 50_000, 300_000])(
  'a sketch tells %i things within three standard errors',
  (count) => {
    const sketch = new CardinalitySketch();
    const random = (number: number, salt: number) => {
      let hash = Math.imul(number + salt, 0x9e3779b1);
      hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
      hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
      return (hash ^ (hash >>> 16)) >>> 0;
    };
    for (const _pass of [0, 1])
      for (let number = 0; number < count; number++)
        sketch.add(random(number, 1), random(number, 77_777_777));

    expect(Math.abs(sketch.estimate / count - 1)).toBeLessThan(0.025);
  },
);
