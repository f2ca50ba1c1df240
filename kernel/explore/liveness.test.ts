import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Liveness } from './liveness.ts';
import type { LivenessGraph } from './liveness-graph.ts';
import {
  classes,
  edgesMax,
  faultsOf,
  graphOf,
  obligations,
  type Plain,
  shortestByBruteForce,
  statesMax,
  unmetByBruteForce,
} from './testing/plain-liveness.ts';

const some = (below: number) => fc.subarray(Array.from({ length: below }, (_, index) => index));
const plain: fc.Arbitrary<Plain> = fc
  .integer({ min: 1, max: statesMax })
  .chain((count) => {
    const state = fc.nat(count - 1);
    const edge = fc.record({
      from: state,
      to: state,
      taken: fc.oneof({ weight: 3, arbitrary: fc.nat(classes - 1).map((one) => [one]) }, some(classes)),
      met: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, some(obligations)),
    });
    const mostly = fc.oneof(
      { weight: 2, arbitrary: fc.constant(Array.from({ length: obligations }, (_, one) => one)) },
      some(obligations),
    );
    return fc.record({
      states: fc.array(fc.record({ pending: mostly, enabled: some(classes) }), {
        minLength: count,
        maxLength: count,
      }),
      initial: fc.uniqueArray(state, { minLength: 1, maxLength: 2 }),
      edges: fc
        .array(edge, { maxLength: edgesMax })
        .map((edges) => edges.toSorted((one, other) => one.from - other.from)),
    });
  })
  .map(({ states, initial, edges }) => ({
    initial,
    edges,
    // Who takes a step can step.
    states: states.map(({ pending, enabled }, at) => ({
      pending,
      enabled: [
        ...new Set([...enabled, ...edges.filter(({ from }) => from === at).flatMap(({ taken }) => taken)]),
      ],
    })),
  }));

const sound = { begins: true, connected: true, closed: true, open: true, fair: true };

describe('on 1,000 random graphs', () => {
  test('an obligation stays open for ever exactly where trying all sets of edges says so, and the counterexample is one', () => {
    const verdicts = new Map<string, number>();
    let longer = 0;
    fc.assert(
      fc.property(plain, (graph) => {
        const liveness = new Liveness(graphOf(graph));
        for (let obligation = 0; obligation < obligations; obligation++)
          for (const fair of [false, true]) {
            const lasso = liveness.lasso(obligation, fair);
            const expected = unmetByBruteForce(graph, obligation, fair);
            const key = `${expected ? 'unmet' : 'met'} ${fair ? 'fair' : 'any'}`;
            verdicts.set(key, (verdicts.get(key) ?? 0) + 1);

            expect(lasso !== undefined).toBe(expected);
            if (lasso) expect(faultsOf(graph, lasso, obligation, fair)).toEqual(sound);
            if (lasso && !fair)
              expect(lasso.stem.length + lasso.loop.length).toBe(shortestByBruteForce(graph, obligation));
            if (
              lasso &&
              fair &&
              lasso.stem.length + lasso.loop.length > shortestByBruteForce(graph, obligation)
            )
              longer++;
          }
      }),
      { numRuns: 1000, seed: 11 },
    );

    expect([...verdicts.values()].reduce((sum, one) => sum + one)).toBe(4000);
    expect(Math.min(...verdicts.values())).toBeGreaterThan(200);
    // Fairness rules the shortest one out often enough to matter.
    expect(longer).toBeGreaterThan(20);
  });

  test('weak fairness makes a difference in many of them', () => {
    let different = 0;
    for (const graph of fc.sample(plain, { numRuns: 1000, seed: 11 })) {
      const liveness = new Liveness(graphOf(graph));
      if (liveness.lasso(0, false) && !liveness.lasso(0, true)) different++;
    }
    expect(different).toBeGreaterThan(50);
  });
});

test('a ring of 200,000 states is judged without running out of stack', () => {
  const stateCount = 200_000;
  const graph: LivenessGraph = {
    stateCount,
    initial: [0],
    firstEdge: Uint32Array.from({ length: stateCount + 1 }, (_, state) => state),
    to: Uint32Array.from({ length: stateCount }, (_, state) => (state + 1) % stateCount),
    pending: (state) => (state === 7 ? [] : [0, 1]),
    met: () => [],
    enabled: () => [0],
    taken: (edge) => (edge === 9 ? [0] : []),
  };
  const all = { ...graph, pending: () => [1] };

  expect(new Liveness(graph).lasso(0, false)).toBeUndefined();
  expect(new Liveness(all).lasso(1, true)?.loop.length).toBe(stateCount);
  expect(new Liveness({ ...all, taken: () => [] }).lasso(1, true)).toBeUndefined();
});
