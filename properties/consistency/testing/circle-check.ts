import type { Constraint } from '../constraints.ts';
import { type Access, foundIn, type History, isSource, reads, valueKey, writes } from '../history.ts';
import type { GivenOrder } from '../order.ts';
import type { Case } from '../verdict.ts';

const first = valueKey(null);

/** Who can have given a read its value; undefined stands for the value before all writes. */
export const sourcesOf = (read: Access, history: History): readonly (Access | undefined)[] => [
  ...(valueKey(foundIn(read)) === first ? [undefined] : []),
  ...history.filter((one) => isSource(one, read)),
];

/** The source of a read in a case: the only one there is, or the one that is supposed; null when neither is so. */
function sourceIn({ supposed }: Case, read: Access, history: History): Access | undefined | null {
  for (const one of supposed) if ('read' in one && one.read === read) return one.source;
  const [source, ...others] = sourcesOf(read, history);
  return others.length === 0 ? source : null;
}

/** What is wrong with the reasons of a constraint; nothing when they hold. */
export function objection(
  one: Constraint,
  inCase: Case,
  history: History,
  order: GivenOrder,
): string | undefined {
  const { before, after, reason, because } = one;
  for (const [at, step] of because.entries()) {
    if (at > 0 && because[at - 1]!.after !== step.before) return 'the way has a gap';
    const wrong = objection(step, inCase, history, order);
    if (wrong) return wrong;
  }
  const isSupposed = inCase.supposed.some(
    (other) => 'before' in other && other.before === before && other.after === after,
  );
  if (isSupposed) return undefined;
  if (reason === 'program order' || reason === 'real time')
    return order.reason(before, after) === reason ? undefined : `no ${reason}`;
  if (reason === 'reads from')
    return sourceIn(inCase, after, history) === before ? undefined : 'it may have read something else';
  if (before.location !== after.location || !writes(after)) return 'another location, or no write';
  if (reason === 'from read') {
    const source = sourceIn(inCase, before, history);
    if (source === undefined) return undefined;
    return because[0]?.before === source && because.at(-1)!.after === after
      ? undefined
      : 'the later write does not come after the one that was read';
  }
  const read = because.at(-1)?.after;
  return writes(before) && because[0]?.before === before && read && sourceIn(inCase, read, history) === after
    ? undefined
    : 'the earlier write does not come before a read of the later one';
}

/** Length of a shortest circle in the first round of reasoning that has one, worked out step by step on sets of pairs. */
export function shortestLength(inCase: Case, history: History, order: GivenOrder): number {
  const pairs = new Set<string>();
  const name = (a: number, b: number) => `${a} ${b}`;
  const all = [...history.keys()];
  const at = (access: Access) => history.indexOf(access);
  for (const a of all) for (const b of all) if (order.reason(history[a]!, history[b]!)) pairs.add(name(a, b));
  const known = all
    .filter((a) => reads(history[a]!))
    .map((read) => ({ read, source: sourceIn(inCase, history[read]!, history) }))
    .filter(({ source }) => source !== null);
  for (const { read, source } of known) if (source) pairs.add(name(at(source), read));
  for (const one of inCase.supposed) if ('before' in one) pairs.add(name(at(one.before), at(one.after)));
  for (;;) {
    const distance = distances(pairs, all);
    const lengths = all.map((a) => distance(a, a)).filter(Number.isFinite);
    if (lengths.length > 0) return Math.min(...lengths);
    const leads = (a: number, b: number) => Number.isFinite(distance(a, b));
    const fromReads = new Set<string>();
    const writeOrders = new Set<string>();
    for (const { read, source } of known)
      for (const write of all) {
        const other = history[write]!;
        if (
          !writes(other) ||
          write === read ||
          other === source ||
          other.location !== history[read]!.location
        )
          continue;
        if (!source || leads(at(source), write)) fromReads.add(name(read, write));
        if (source && leads(write, read)) writeOrders.add(name(write, at(source)));
      }
    const size = pairs.size;
    for (const pair of fromReads) pairs.add(pair);
    if (pairs.size === size) for (const pair of writeOrders) pairs.add(pair);
    if (pairs.size === size) return Number.POSITIVE_INFINITY;
  }
}

/** Floyd and Warshall. */
function distances(pairs: ReadonlySet<string>, all: readonly number[]): (a: number, b: number) => number {
  const table = all.map((a) => all.map((b) => (pairs.has(`${a} ${b}`) ? 1 : Number.POSITIVE_INFINITY)));
  for (const via of all)
    for (const a of all)
      for (const b of all) table[a]![b] = Math.min(table[a]![b]!, table[a]![via]! + table[via]![b]!);
  return (a, b) => table[a]![b]!;
}
