/** The first cycle of a wait graph, in the order of waiting; empty when there is none. `waits` names for each who waits whom it waits for. */
export function findCycle(waits: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): readonly string[] | undefined => {
    const at = path.indexOf(name);
    if (at >= 0) return path.slice(at);
    if (finished.has(name)) return undefined;
    path.push(name);
    for (const next of waits.get(name) ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    finished.add(name);
    return undefined;
  };
  for (const name of waits.keys()) {
    const found = visit(name);
    if (found) return found;
  }
  return [];
}

/** A cycle as people read it: the first name again at the end. */
export const cycleText = (cycle: readonly string[]): string => [...cycle, cycle[0]!].join(' -> ');
