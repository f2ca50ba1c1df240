import { type Access, type Constraint, type History, type Reason, valueKey } from './history.ts';

/**
 * A shortest circle of constraints of a history in which every written value is written once; empty when there is none.
 *
 * Details: begins with the order that is given and with who read from whom, and adds what follows until nothing new does: a write that comes
 * before a read comes before the write that it read from; a read comes before every write that comes after the write it read from.
 */
export function shortestCircle(
  history: History,
  given: (first: Access, second: Access) => Reason | undefined,
): readonly Constraint[] {
  const edges = new Map<Access, Map<Access, Reason>>(history.map((one) => [one, new Map()]));
  const add = (before: Access, after: Access, reason: Reason): boolean => {
    const known = edges.get(before)!;
    if (known.has(after)) return false;
    known.set(after, reason);
    return true;
  };
  for (const first of history)
    for (const second of history) {
      const reason = first === second ? undefined : given(first, second);
      if (reason) add(first, second, reason);
    }
  const writes = history.filter(({ kind }) => kind === 'write');
  const reads = history
    .filter(({ kind, responded }) => kind === 'read' && responded !== undefined)
    .map((read) => ({ read, source: writes.find((write) => isSource(write, read)) }));
  for (const { read, source } of reads) if (source) add(source, read, 'reads from');
  for (let grows = true; grows; ) {
    const circle = shortestIn(edges);
    if (circle.length > 0) return circle;
    grows = false;
    for (const { read, source } of reads)
      for (const write of writes) {
        if (write === source || write.location !== read.location) continue;
        // Without a source the read saw the first value, before every write.
        if (source === undefined) grows = add(read, write, 'from read') || grows;
        else if (leads(edges, write, read)) grows = add(write, source, 'write order') || grows;
        else if (leads(edges, source, write)) grows = add(read, write, 'from read') || grows;
      }
  }
  return [];
}

const isSource = (write: Access, read: Access): boolean =>
  write.location === read.location && valueKey(write.value) === valueKey(read.value);

type Edges = ReadonlyMap<Access, ReadonlyMap<Access, Reason>>;

/** True when constraints lead from one access to another. */
function leads(edges: Edges, from: Access, to: Access): boolean {
  const seen = new Set([from]);
  for (const one of seen)
    for (const next of edges.get(one)!.keys()) {
      if (next === to) return true;
      seen.add(next);
    }
  return false;
}

/** The shortest circle, by breadth from every access. */
function shortestIn(edges: Edges): readonly Constraint[] {
  let shortest: readonly Constraint[] = [];
  for (const start of edges.keys()) {
    const circle = circleFrom(edges, start);
    if (circle.length > 0 && (shortest.length === 0 || circle.length < shortest.length)) shortest = circle;
  }
  return shortest;
}

function circleFrom(edges: Edges, start: Access): readonly Constraint[] {
  const cameFrom = new Map<Access, Constraint>();
  const queue = [start];
  for (const before of queue)
    for (const [after, reason] of edges.get(before)!) {
      if (after === start) return pathTo(cameFrom, start, { before, after, reason });
      if (cameFrom.has(after)) continue;
      cameFrom.set(after, { before, after, reason });
      queue.push(after);
    }
  return [];
}

function pathTo(
  cameFrom: ReadonlyMap<Access, Constraint>,
  start: Access,
  last: Constraint,
): readonly Constraint[] {
  const path = [last];
  while (path[0]!.before !== start) path.unshift(cameFrom.get(path[0]!.before)!);
  return path;
}
