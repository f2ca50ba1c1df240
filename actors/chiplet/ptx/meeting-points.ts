import { postDominators, type Successors } from './control-flow.ts';

/**
 * Where the lanes of each line meet again after a branch: the immediate post-dominator (chiplet specification 7.2), or, in a loop where that is the end of the
 * kernel only since lanes may end on the way, the first line that all come to which do not end.
 *
 * Details: a way ends when it leads straight to `ret` or `exit`, with no line on it that other ways come to. Such ways are left out, the first in the text first, as
 * long as the end can still be reached from everywhere; then post-dominators are looked for again. Lanes on them are gone before the others meet.
 */
export function meetingPoints(
  successors: Successors,
  endsThere: (line: number) => boolean,
): readonly number[] {
  const exit = successors.length;
  const strict = postDominators(successors);
  const late = (line: number): boolean => line === exit || endsThere(line);
  const askers = successors.flatMap((list, line) =>
    list.length > 1 && late(strict[line]!) && isInLoop(successors, line) ? [line] : [],
  );
  if (askers.length === 0) return strict;
  const meetings = postDominators(withoutEnds(successors, endsThere));
  const found = [...strict];
  for (const line of askers) found[line] = meetings[line]!;
  return found;
}

/** True when a way leads from a line back to it. */
function isInLoop(successors: Successors, line: number): boolean {
  const seen = new Uint8Array(successors.length + 1);
  const stack = [...successors[line]!];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === line) return true;
    if (seen[at] === 1) continue;
    seen[at] = 1;
    for (const to of successors[at] ?? []) stack.push(to);
  }
  return false;
}

function withoutEnds(successors: Successors, endsThere: (line: number) => boolean): Successors {
  const exit = successors.length;
  const arrivals = new Int32Array(exit + 1);
  for (const list of successors) for (const to of list) arrivals[to]!++;
  const ends = (from: number): boolean => {
    for (let at = from, steps = 0; steps <= exit; steps++) {
      if (at === exit || (endsThere(at) && successors[at]!.length === 1)) return true;
      if (successors[at]!.length !== 1 || arrivals[at]! > 1) return false;
      at = successors[at]![0]!;
    }
    return false;
  };
  const kept = successors.map((list) => [...list]);
  const reached = reaching(kept);
  for (const list of kept)
    for (const to of [...list]) {
      if (list.length < 2 || !ends(to)) continue;
      const place = list.indexOf(to);
      list.splice(place, 1);
      if (reaching(kept) < reached) list.splice(place, 0, to);
    }
  return kept;
}

/** How many lines the exit can be reached from. */
function reaching(successors: Successors): number {
  const exit = successors.length;
  const predecessors: number[][] = Array.from({ length: exit + 1 }, () => []);
  for (const [from, list] of successors.entries()) for (const to of list) predecessors[to]!.push(from);
  const seen = new Uint8Array(exit + 1);
  const stack = [exit];
  seen[exit] = 1;
  let count = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop())
    for (const from of predecessors[node]!) {
      if (seen[from] === 1) continue;
      seen[from] = 1;
      count++;
      stack.push(from);
    }
  return count;
}
