/** The first circle of names that wait for each other, in the order of waiting; empty when there is none. */
export function circleIn(waits: ReadonlyMap<string, readonly string[]>): readonly string[] {
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

/** A circle as people read it: the first name again at the end. */
export const circleText = (circle: readonly string[]): string => [...circle, circle[0]!].join(' -> ');
