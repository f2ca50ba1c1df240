import type { Lasso, LivenessGraph } from '../liveness-graph.ts';

/** A step from state to state: whose step it is, and what it meets. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly taken: readonly number[];
  readonly met: readonly number[];
}

/** A graph spelled out, as the oracle reads it. */
export interface Plain {
  readonly states: readonly { readonly pending: readonly number[]; readonly enabled: readonly number[] }[];
  readonly initial: readonly number[];
  /** By the state they leave. */
  readonly edges: readonly Edge[];
}

/** Sizes of random graphs: trying all sets of edges is possible. */
export const [statesMax, edgesMax, classes, obligations] = [5, 9, 3, 2];
/** A graph in the form in which liveness is judged. */
export const graphOf = ({ states, initial, edges }: Plain): LivenessGraph => ({
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
export function unmetByBruteForce(
  { states, initial, edges }: Plain,
  obligation: number,
  fair: boolean,
): boolean {
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
export function shortestByBruteForce({ states, initial, edges }: Plain, obligation: number): number {
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

/** What is right with a counterexample; all of it where it is one. */
export function faultsOf(
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
