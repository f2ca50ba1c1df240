import { Constraints } from './constraints.ts';
import { foundIn, type History, type Initial, isSource, reads, valueKey } from './history.ts';
import { type GivenOrder, programOrder, realTime } from './order.ts';
import { tryCases } from './refute.ts';
import { MemoryReplay, type Model, ModelReplay } from './replays.ts';
import { type SearchResult, searchOrder } from './search.ts';
import { smallest } from './smallest.ts';
import type { Verdict } from './verdict.ts';

/** What is asked of a history besides its order. */
export interface OracleOptions {
  /** Value of a location before the first write; null when absent. */
  readonly initial?: Initial;
  /** Accesses that one search tries before the answer is "undecided"; 200,000 when absent. */
  readonly budget?: number;
}

/** Histories up to this length are judged by their constraints before they are searched. */
const constrainedMax = 256;
/** Cases up to which a smallest part is explained. */
const casesMax = 256;

/**
 * Linearizability: each access takes effect at one moment between its beginning and its answer (Herlihy, Wing: "Linearizability: a correctness condition for
 * concurrent objects", 1990).
 *
 * Details: judged location by location, which is enough. `model` says what a location is when it is no memory cell: a queue, a counter; then a refutation is the
 * shortest beginning of the history that fails, without cases.
 */
export const linearizable = (
  history: History,
  { model, ...options }: OracleOptions & { readonly model?: Model } = {},
): Verdict =>
  byLocation(history, (part) =>
    model ? judgedByModel(part, model, options) : judged(part, realTime, options),
  );

/** Sequential consistency: one order of all accesses that keeps the order of every process gives these values (Lamport, 1979). */
export const sequentiallyConsistent = (history: History, options: OracleOptions = {}): Verdict =>
  judged(sorted(history), programOrder, options);

/** Coherence: every location by itself is sequentially consistent. */
export const coherent = (history: History, options: OracleOptions = {}): Verdict =>
  byLocation(history, (part) => judged(part, programOrder, options));

/** Judges each location by itself. What is undecided of one counts only where no other is inconsistent. */
function byLocation(history: History, judge: (part: History) => Verdict): Verdict {
  const parts = new Map<string, History[number][]>();
  for (const access of sorted(history)) {
    const part = parts.get(access.location);
    if (part) part.push(access);
    else parts.set(access.location, [access]);
  }
  const witness: History[number][] = [];
  let undecided: Verdict | undefined;
  for (const part of parts.values()) {
    const verdict = judge(part);
    if (verdict.verdict === 'inconsistent') return verdict;
    if (verdict.verdict === 'undecided') undecided ??= verdict;
    else witness.push(...verdict.witness);
  }
  return undecided ?? { verdict: 'consistent', witness };
}

const sorted = (history: History): History => [...history].sort((a, b) => a.invoked - b.invoked);

function judged(history: History, order: GivenOrder, options: OracleOptions): Verdict {
  const { initial = () => null, budget = 200_000 } = options;
  // A read without an answer tells nothing and does nothing.
  const accesses = history.filter((one) => one.kind !== 'read' || reads(one));
  const found = decided(accesses, order, initial, budget);
  if (found === undefined) {
    const fails = (part: History) => decided(part, order, initial, budget) === undefined;
    return { verdict: 'inconsistent', ...refutation(smallest(accesses, fails), order, initial) };
  }
  if ('steps' in found) return { verdict: 'undecided', steps: found.steps };
  return { verdict: 'consistent', witness: found };
}

/** An order; undefined when there is none; or how far the search came. */
function decided(
  accesses: History,
  order: GivenOrder,
  initial: Initial,
  budget: number,
): History | undefined | { readonly steps: number } {
  if (readsUnwritten(accesses, initial)) return undefined;
  if (accesses.length <= constrainedMax) {
    const constraints = new Constraints(accesses, order, initial);
    if (constraints.circle.length > 0) return undefined;
    if (constraints.alternatives.length === 0) return constraints.order;
  }
  return inAccesses(accesses, search(accesses, order, new MemoryReplay(accesses, initial), budget));
}

const search = (
  accesses: History,
  order: GivenOrder,
  replay: MemoryReplay | ModelReplay<unknown>,
  budget: number,
): SearchResult =>
  searchOrder({
    justBefore: order.justBefore(accesses),
    needed: (at) => accesses[at]!.responded !== undefined,
    replay,
    budget,
  });

const inAccesses = (
  accesses: History,
  found: SearchResult,
): History | undefined | { readonly steps: number } =>
  found === undefined || 'steps' in found ? found : found.map((at) => accesses[at]!);

function readsUnwritten(accesses: History, initial: Initial): boolean {
  const values = new Set(
    accesses.map(({ location, value, kind }) => `${kind !== 'read'} ${location} ${valueKey(value)}`),
  );
  return accesses.some((read) => {
    if (!reads(read) || valueKey(foundIn(read)) === valueKey(initial(read.location))) return false;
    const found = `true ${read.location} ${valueKey(foundIn(read))}`;
    return !values.has(found) || (read.kind === 'update' && !accesses.some((one) => isSource(one, read)));
  });
}

function refutation(accesses: History, order: GivenOrder, initial: Initial) {
  const { unwritten } = new Constraints(accesses, order, initial);
  if (unwritten) return { accesses, unwritten, cases: [] };
  const trial = tryCases(accesses, order, initial, casesMax);
  return { accesses, cases: trial && 'cases' in trial ? trial.cases : [] };
}

function judgedByModel(history: History, model: Model, { budget = 200_000 }: OracleOptions): Verdict {
  const searched = (part: History) =>
    inAccesses(part, search(part, realTime, new ModelReplay(model, part), budget));
  const found = searched(history);
  if (found === undefined)
    return { verdict: 'inconsistent', accesses: shortestBeginning(history, searched), cases: [] };
  if ('steps' in found) return { verdict: 'undecided', steps: found.steps };
  return { verdict: 'consistent', witness: found };
}

/** The accesses up to the first answer with which there is no order any more; those that wait then have no answer. */
function shortestBeginning(history: History, searched: (part: History) => unknown): History {
  const answers = history.flatMap(({ responded }) => responded ?? []).sort((a, b) => a - b);
  let [fine, fails] = [-1, answers.length - 1];
  while (fails - fine > 1) {
    const middle = (fine + fails) >>> 1;
    if (searched(beginning(history, answers[middle]!)) === undefined) fails = middle;
    else fine = middle;
  }
  return beginning(history, answers[fails] ?? 0);
}

const beginning = (history: History, last: number): History =>
  history
    .filter(({ invoked }) => invoked <= last)
    .map(({ responded, ...access }) =>
      responded === undefined || responded > last ? access : { ...access, responded },
    );
