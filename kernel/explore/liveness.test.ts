import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Liveness } from './liveness.ts';
import type { Lasso, LivenessGraph } from './liveness-graph.ts';

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly taken: readonly number[];
  readonly met: readonly number[];
}

/** A graph spelled out, as the oracle reads it. */
interface Plain {
  readonly states: readonly { readonly pending: readonly number[]; readonly enabled: readonly number[] }[];
  readonly initial: readonly number[];
  /** By the state they leave. */
  readonly edges: readonly Edge[];
}

const [statesMax, edgesMax, classes, obligations] = [5, 9, 3, 2];
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

const graphOf = ({ states, initial, edges }: Plain): LivenessGraph => ({
  stateCount: states.length,
  initial,
  firstEdge: [...states.keys(), states.length].map(
    (state) => edges.filter(({ from }) => from < state).length,
  ),
  to: edges.map(({ to }) => to),
  pending: (state) => states[state]!.pending,
  enabled: (state) => states[state]!.enabled,
  met: (edge) => edges[edge]!.met,
  taken: (edge) => edges[edge]!.taken,
});

/** Which states can be reached from which, each from itself, over some edges. */
function reach(count: number, edges: readonly Edge[]): boolean[][] {
  const can = Array.from({ length: count }, (_, from) =>
    Array.from({ length: count }, (_, to) => from === to),
  );
  for (const { from, to } of edges) can[from]![to] = true;
  for (let by = 0; by < count; by++)
    for (let from = 0; from < count; from++)
      for (let to = 0; to < count; to++) if (can[from]![by] && can[by]![to]) can[from]![to] = true;
  return can;
}

/**
 * By definition: an infinite path goes, from some time on, through a set of edges again and again, each of which can be reached from each. All sets of edges are tried: is
 * there one in which the obligation stays open, and which is fair?
 */
function byBruteForce({ states, initial, edges }: Plain, obligation: number, fair: boolean): boolean {
  const fromStart = reach(states.length, edges);
  const usable = edges.filter(
    ({ from, to, met }) =>
      !met.includes(obligation) && [from, to].every((one) => states[one]!.pending.includes(obligation)),
  );
  for (let set = 1; set < 1 << usable.length; set++) {
    const chosen = usable.filter((_, index) => (set >> index) & 1);
    const can = reach(states.length, chosen);
    const touched = [...new Set(chosen.map(({ from }) => from))];
    if (!initial.some((one) => fromStart[one]![touched[0]!])) continue;
    if (!chosen.every(({ to }) => touched.every((one) => can[to]![one]))) continue;
    const isFair = Array.from({ length: classes }, (_, one) => one).every(
      (one) =>
        touched.some((state) => !states[state]!.enabled.includes(one)) ||
        chosen.some(({ taken }) => taken.includes(one)),
    );
    if (!fair || isFair) return true;
  }
  return false;
}

/** Edges of the shortest counterexample without fairness: all ways without a state twice, then all loops. */
function shortestByBruteForce({ states, initial, edges }: Plain, obligation: number): number {
  let best = Number.POSITIVE_INFINITY;
  const walk = (path: readonly Edge[], visited: readonly number[]) => {
    const here = visited.at(-1)!;
    for (const edge of edges) {
      if (edge.from !== here) continue;
      const back = visited.indexOf(edge.to);
      if (back < 0) walk([...path, edge], [...visited, edge.to]);
      else {
        const loop = [...path, edge].slice(back);
        const stays = loop.every(
          ({ to, met }) => states[to]!.pending.includes(obligation) && !met.includes(obligation),
        );
        if (stays) best = Math.min(best, path.length + 1);
      }
    }
  };
  for (const one of initial) walk([], [one]);
  return best;
}

/** What is wrong with a counterexample. */
function faultsOf(
  { states, initial, edges }: Plain,
  { stem, loop, at }: Lasso,
  obligation: number,
  fair: boolean,
) {
  const [way, round] = [stem, loop].map((list) => list.map((edge) => edges[edge]!)) as [Edge[], Edge[]];
  const connected = (list: readonly Edge[]) =>
    list.every((edge, index) => index === 0 || list[index - 1]!.to === edge.from);
  return {
    begins: initial.includes((way[0] ?? round[0]!).from),
    connected: connected([...way, ...round]),
    closed: round.at(-1)!.to === at && round[0]!.from === at,
    open: round.every(({ to, met }) => states[to]!.pending.includes(obligation) && !met.includes(obligation)),
    fair:
      !fair ||
      Array.from({ length: classes }, (_, one) => one).every((one) =>
        round.some(({ from, taken }) => taken.includes(one) || !states[from]!.enabled.includes(one)),
      ),
  };
}

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
            const expected = byBruteForce(graph, obligation, fair);
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
