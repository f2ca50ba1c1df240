import type { LivenessGraph } from './liveness-graph.ts';

/**
 * The strongly connected components of a part of a graph that have a cycle: Tarjan's algorithm (1972), without recursion, since a graph may be a million states deep.
 *
 * Details: `isIn` says which states belong to the part, `goes` which edges between them do. Takes time in proportion to the edges out of `states`.
 */
export function cyclicComponents(
  { stateCount, firstEdge, to }: LivenessGraph,
  states: readonly number[],
  isIn: (state: number) => boolean,
  goes: (edge: number) => boolean,
): readonly (readonly number[])[] {
  /** By state: its place in the order of discovery plus 1, 0 for one that is not discovered. */
  const found = new Uint32Array(stateCount);
  const low = new Uint32Array(stateCount);
  const onStack = new Uint8Array(stateCount);
  const nextEdge = new Uint32Array(stateCount);
  const loops = new Uint8Array(stateCount);
  const stack: number[] = [];
  const path: number[] = [];
  const components: (readonly number[])[] = [];
  let count = 0;
  const enter = (state: number) => {
    found[state] = low[state] = ++count;
    nextEdge[state] = firstEdge[state]!;
    onStack[state] = 1;
    stack.push(state);
    path.push(state);
  };
  for (const root of states) {
    if (found[root] !== 0) continue;
    enter(root);
    while (path.length > 0) {
      const state = path.at(-1)!;
      const edge = nextEdge[state]!;
      if (edge < firstEdge[state + 1]!) {
        nextEdge[state] = edge + 1;
        const next = to[edge]!;
        if (!isIn(next) || !goes(edge)) continue;
        if (next === state) loops[state] = 1;
        if (found[next] === 0) enter(next);
        else if (onStack[next] === 1) low[state] = Math.min(low[state]!, found[next]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[state]!);
      if (low[state] !== found[state]) continue;
      const component = stack.splice(stack.lastIndexOf(state));
      for (const one of component) onStack[one] = 0;
      if (component.length > 1 || loops[state] === 1) components.push(component);
    }
  }
  return components;
}
