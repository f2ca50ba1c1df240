import { postDominators, type Successors } from './control-flow.ts';

/** Where the lanes of a branch meet again. */
export interface Meeting {
  /** The line; the length of the code stands for the exit. */
  readonly at: number;
  /** Of a branch in loops that some lanes may leave before the others meet; null of any other. */
  readonly ways: LoopWays | null;
}

/** Ways out of the loops around a branch. */
export interface LoopWays {
  /** Where those who leave meet the others, that of the outermost loop first. */
  readonly beyond: readonly number[];
  /** By target that is outside: where its lanes meet the others. */
  readonly leaving: ReadonlyMap<number, number>;
}

/** A line of a loop while its meeting is looked for. */
interface Asker {
  at: number;
  readonly loops: { readonly lines: ReadonlySet<number>; readonly beyond: number }[];
}

/**
 * Where the lanes of each line meet again after a branch: the immediate post-dominator (chiplet specification 7.2). Where that is the end since lanes may end on the
 * way, and others part and go on, it is the first line that all come to which do not end. In a loop, where it is behind the loop since lanes may leave it on the way, it is the first line that all come
 * to which stay, at the latest where the next round begins; those who leave wait behind the loop.
 *
 * Details: a way ends when it leads straight to a line that `endsThere`, with no line on it that other ways come to. Such ways are left out, the first in the text first, as
 * long as the end can still be reached from everywhere; then post-dominators are looked for again. The lines of a loop lead to each other. Without the ways out of it
 * and those back to its first line it is a graph with post-dominators of its own, in which there may be loops again.
 */
export function meetingPoints(
  successors: Successors,
  endsThere: (line: number) => boolean,
): readonly Meeting[] {
  const strict = postDominators(successors);
  const early = earlyMeetings(successors, strict, endsThere);
  const askers = strict.map((at, line): Asker => ({ at: early.get(line) ?? at, loops: [] }));
  askInLoops(successors, successors, askers);
  return askers.map(({ at, loops }, line) => {
    if (loops.length === 0) return { at, ways: null };
    const leaving = new Map<number, number>();
    for (const to of successors[line]!) {
      const left = loops.find(({ lines }) => !lines.has(to));
      if (left) leaving.set(to, left.beyond);
    }
    return { at, ways: { beyond: loops.map(({ beyond }) => beyond), leaving } };
  });
}

/** Settles the meetings of the lines in the loops of a graph, and in those within them. */
function askInLoops(graph: Successors, whole: Successors, askers: readonly Asker[]): void {
  const exit = whole.length;
  for (const lines of loopsOf(graph)) {
    const first = firstOf(lines, graph);
    const inside = graph.map((list, line) =>
      lines.has(line) ? list.filter((to) => lines.has(to)).map((to) => (to === first ? exit : to)) : [],
    );
    const meetings = postDominators(inside);
    for (const line of lines) {
      const asker = askers[line]!;
      if (whole[line]!.length < 2 || lines.has(asker.at)) continue;
      asker.loops.push({ lines, beyond: asker.at });
      asker.at = meetings[line] === exit ? first : meetings[line]!;
    }
    askInLoops(inside, whole, askers);
  }
}

/** The line by which a loop is entered, the first in the text of several. */
function firstOf(lines: ReadonlySet<number>, graph: Successors): number {
  const entered = graph.flatMap((list, line) => (lines.has(line) ? [] : list.filter((to) => lines.has(to))));
  return Math.min(...(entered.length > 0 ? entered : lines));
}

/** The largest sets of lines that lead to each other (Tarjan 1972, without recursion). */
function loopsOf(graph: Successors): readonly ReadonlySet<number>[] {
  const count = graph.length;
  const found: Set<number>[] = [];
  const number = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = new Int32Array(count);
  const open: number[] = [];
  const isOpen = new Uint8Array(count);
  let numbered = 0;
  for (let root = 0; root < count; root++) {
    if (number[root]! >= 0) continue;
    const path = [root];
    for (let line = path.at(-1); line !== undefined; line = path.at(-1)) {
      if (number[line]! < 0) {
        number[line] = numbered;
        low[line] = numbered++;
        open.push(line);
        isOpen[line] = 1;
      }
      const to = graph[line]![next[line]!++];
      if (to === undefined) {
        path.pop();
        const before = path.at(-1);
        if (before !== undefined) low[before] = Math.min(low[before]!, low[line]!);
        if (low[line] === number[line]) {
          const lines = new Set(open.splice(open.lastIndexOf(line)));
          for (const one of lines) isOpen[one] = 0;
          if (lines.size > 1 || graph[line]!.includes(line)) found.push(lines);
        }
      } else if (to < count && number[to]! < 0) path.push(to);
      else if (to < count && isOpen[to] === 1) low[line] = Math.min(low[line]!, number[to]!);
    }
  }
  return found;
}

/** By line: where those meet who go on, of branches on whose ways some lanes end. Who only ends, or does not, meets at the end. */
function earlyMeetings(
  successors: Successors,
  strict: readonly number[],
  endsThere: (line: number) => boolean,
): ReadonlyMap<number, number> {
  const isLate = (at: number): boolean => at === successors.length || endsThere(at);
  const late = strict.flatMap((at, line) => (successors[line]!.length > 1 && isLate(at) ? [line] : []));
  if (late.length === 0) return new Map();
  const kept = withoutEnds(successors, endsThere);
  const goingOn = postDominators(kept);
  const found = new Map<number, number>();
  for (const line of late) {
    const meeting = goingOn[line]!;
    if (isLate(meeting) || kept[line]!.length < successors[line]!.length) continue;
    const seen = new Set([line, meeting]);
    const open = [line];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (late.includes(at)) found.set(at, goingOn[at]!);
      for (const to of successors[at] ?? []) {
        if (seen.has(to)) continue;
        seen.add(to);
        open.push(to);
      }
    }
  }
  return found;
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
