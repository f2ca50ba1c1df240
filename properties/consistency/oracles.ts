import { shortestCircle } from './circle.ts';
import {
  type Access,
  type History,
  type OracleOptions,
  type Reason,
  type Verdict,
  valueKey,
} from './history.ts';
import { searchOrder } from './search.ts';

/** Why the first of two accesses must come before the second; undefined when it need not. */
type Order = (first: Access, second: Access) => Reason | undefined;

const inProgram: Order = (first, second) =>
  first.process === second.process && first.invoked < second.invoked ? 'program order' : undefined;

const inTime: Order = (first, second) =>
  inProgram(first, second) ??
  (first.responded !== undefined && first.responded < second.invoked ? 'real time' : undefined);

/**
 * Linearizability: each access takes effect at one moment between its beginning and its answer (Herlihy, Wing 1990).
 *
 * Details: judged location by location, which is enough. The witness orders the accesses of each location, one location after another.
 */
export const linearizable = (history: History, options: OracleOptions = {}): Verdict =>
  perLocation(history, inTime, options);

/** Sequential consistency: one order of all accesses that keeps the order of every process gives these values (Lamport 1979). */
export const sequentiallyConsistent = (history: History, options: OracleOptions = {}): Verdict =>
  judged(history, inProgram, options);

/** Coherence: every location by itself is sequentially consistent. */
export const coherent = (history: History, options: OracleOptions = {}): Verdict =>
  perLocation(history, inProgram, options);

function perLocation(history: History, order: Order, options: OracleOptions): Verdict {
  const witness: Access[] = [];
  for (const location of new Set(history.map((access) => access.location))) {
    const verdict = judged(
      history.filter((access) => access.location === location),
      order,
      options,
    );
    if (verdict.verdict !== 'consistent') return verdict;
    witness.push(...verdict.witness);
  }
  return { verdict: 'consistent', witness };
}

function judged(history: History, order: Order, options: OracleOptions): Verdict {
  const found = searched(history, order, options);
  if (found === undefined) return refuted(history, order, options);
  if ('steps' in found) return { verdict: 'undecided', steps: found.steps };
  return { verdict: 'consistent', witness: found };
}

const searched = (history: History, order: Order, { initial = null, budget = 1_000_000 }: OracleOptions) =>
  searchOrder({
    accesses: history,
    mustPrecede: (first, second) => order(first, second) !== undefined,
    initial,
    budget,
  });

/** A smallest inconsistent part, and the circle in it. */
function refuted(history: History, order: Order, options: OracleOptions): Verdict {
  let accesses: History = history;
  for (let smaller = true; smaller; ) {
    smaller = false;
    for (const access of accesses) {
      const rest = without(accesses, access);
      if (rest.length === accesses.length || searched(rest, order, options) !== undefined) continue;
      accesses = rest;
      smaller = true;
      break;
    }
  }
  const cycle = writtenOnce(accesses, options) ? shortestCircle(accesses, order) : [];
  return { verdict: 'inconsistent', accesses, cycle };
}

/** Leaves an access out; a write only together with the reads of its value, which would otherwise come from nowhere. */
function without(history: History, access: Access): History {
  const { location, kind, value } = access;
  if (kind === 'read') return history.filter((one) => one !== access);
  const others = history.some(
    (one) =>
      one !== access &&
      one.kind === 'write' &&
      one.location === location &&
      valueKey(one.value) === valueKey(value),
  );
  return history.filter(
    (one) =>
      one !== access &&
      (others ||
        one.kind === 'write' ||
        one.location !== location ||
        valueKey(one.value) !== valueKey(value)),
  );
}

/** True when each value of a location is written at most once, and none is the first one: then every read names its write. */
function writtenOnce(history: History, { initial = null }: OracleOptions): boolean {
  const seen = new Set<string>();
  for (const { kind, location, value } of history) {
    if (kind !== 'write') continue;
    const key = `${location} ${valueKey(value)}`;
    if (seen.has(key) || valueKey(value) === valueKey(initial)) return false;
    seen.add(key);
  }
  return true;
}
