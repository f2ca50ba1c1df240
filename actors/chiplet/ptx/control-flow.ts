/*
 * Control-flow graph and immediate post-dominators, which say where the lanes of a branch meet again (chiplet specification 7.2).
 */

/** Where an instruction can go: numbers of instructions, the length of the code for the exit. */
export type Successors = readonly (readonly number[])[];

/**
 * The immediate post-dominator of each instruction; the length of the code stands for the exit, also where no way leads there.
 *
 * Details: dominators of the reversed graph, by intersection along a reverse postorder until nothing changes (Cooper, Harvey and Kennedy 2001).
 */
export function postDominators(successors: Successors): readonly number[] {
  const exit = successors.length;
  const predecessors: number[][] = Array.from({ length: exit + 1 }, () => []);
  for (const [from, list] of successors.entries()) for (const to of list) predecessors[to]!.push(from);
  const order = postorder(exit, predecessors);
  const rank = new Int32Array(exit + 1).fill(-1);
  for (const [at, node] of order.entries()) rank[node] = at;
  const above = new Int32Array(exit + 1).fill(-1);
  above[exit] = exit;
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (rank[x]! < rank[y]!) x = above[x]!;
      while (rank[y]! < rank[x]!) y = above[y]!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = order.length - 2; at >= 0; at--) {
      const node = order[at]!;
      let found = -1;
      for (const next of successors[node]!)
        if (above[next]! >= 0) found = found < 0 ? next : meet(found, next);
      if (found >= 0 && above[node] !== found) {
        above[node] = found;
        changed = true;
      }
    }
  }
  return Array.from({ length: exit }, (_, node) => (above[node]! < 0 ? exit : above[node]!));
}

/** The nodes that a walk from `root` reaches, each behind those that it leads to; the root is last. */
function postorder(root: number, edges: readonly (readonly number[])[]): readonly number[] {
  const order: number[] = [];
  const next = new Int32Array(edges.length);
  const seen = new Uint8Array(edges.length);
  const stack = [root];
  seen[root] = 1;
  while (stack.length > 0) {
    const node = stack.at(-1)!;
    const to = edges[node]![next[node]!++];
    if (to === undefined) {
      order.push(node);
      stack.pop();
    } else if (seen[to] === 0) {
      seen[to] = 1;
      stack.push(to);
    }
  }
  return order;
}
