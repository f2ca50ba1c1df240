import { Liveness } from '../../kernel/explore/liveness.ts';
import {
  classes,
  type Edge,
  faultsOf,
  graphOf,
  obligations,
  type Plain,
  statesMax,
  unmetByBruteForce,
} from '../../kernel/explore/testing/plain-liveness.ts';

/** Tries liveness on a random graph: an obligation stays open exactly where trying all sets of edges says so, and the counterexample is one. Returns what is wrong, in one line. */
export function livenessDiffers(pick: (count: number) => number): string | undefined {
  const graph = drawnGraph(pick);
  const liveness = new Liveness(graphOf(graph));
  for (let obligation = 0; obligation < obligations; obligation++)
    for (const fair of [false, true]) {
      const lasso = liveness.lasso(obligation, fair);
      const expected = unmetByBruteForce(graph, obligation, fair);
      const which = `obligation ${obligation}${fair ? ' with fairness' : ''}`;
      if ((lasso !== undefined) !== expected)
        return `liveness says that ${which} is ${expected ? 'met' : 'open'}, trying all says it is not`;
      if (!lasso) continue;
      const wrong = Object.entries(faultsOf(graph, lasso, obligation, fair)).filter(([, right]) => !right);
      if (wrong.length > 0)
        return `the counterexample for ${which} is none: not ${wrong.map(([what]) => what)}`;
    }
  return undefined;
}

function drawnGraph(pick: (count: number) => number): Plain {
  const some = (count: number) => Array.from({ length: count }, (_, one) => one).filter(() => pick(2) === 0);
  const count = 1 + pick(statesMax);
  const edges: Edge[] = Array.from({ length: pick(8) }, () => ({
    from: pick(count),
    to: pick(count),
    taken: pick(4) === 0 ? some(classes) : [pick(classes)],
    met: pick(5) === 0 ? some(obligations) : [],
  })).sort((one, other) => one.from - other.from);
  const states = Array.from({ length: count }, (_, state) => ({
    pending: pick(3) === 0 ? some(obligations) : Array.from({ length: obligations }, (_none, one) => one),
    // Who takes a step can step.
    enabled: [
      ...new Set([
        ...some(classes),
        ...edges.filter(({ from }) => from === state).flatMap(({ taken }) => taken),
      ]),
    ],
  }));
  return { states, edges, initial: [...new Set([pick(count), pick(count)])] };
}
