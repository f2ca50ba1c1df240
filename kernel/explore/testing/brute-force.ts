import type { Choices } from '../../choices.ts';
import { budgetOf, type InjectedFault } from '../../faults.ts';
import type { Address } from '../../message.ts';
import { Run, type RunSnapshot } from '../../run.ts';
import type { DecodedState } from '../decode.ts';
import type { Finding } from '../explorer.ts';
import type { Found, Observer } from '../observer.ts';
import type { RandomSystem } from './random-system.ts';

/*
 * What a small system can come to, by carrying out one run for every tape there is. No line of it is shared with the exhaustive checker: tapes, states,
 * findings and the watching of observers are written down here once more, as plainly as can be.
 */

/** A state, spelled out: actors with their states and contexts, messages with their due, sender, receiver and event. */
export interface SpelledState {
  readonly actors: readonly (readonly [name: string, state: string, context: object])[];
  readonly messages: readonly (readonly [due: number, from: string, to: string, event: object])[];
  readonly memories: readonly object[];
  readonly budgetState: number;
}

/** What runs under all tapes come to, as lines that can be compared. */
export interface Everything {
  /** States at the ends of ticks and before the first, by line. */
  readonly states: ReadonlyMap<string, SpelledState>;
  readonly findings: ReadonlySet<string>;
  readonly runs: number;
}

/** Everything that runs come to; undefined when there are more than `runsMax`, or more than `deliveriesMax` deliveries in all of them. */
export function byBruteForce(
  { make, faults, observers, deliveriesPerTickMax, until = Number.MAX_SAFE_INTEGER }: RandomSystem,
  runsMax: number,
  deliveriesMax: number,
): Everything | undefined {
  const states = new Map<string, SpelledState>();
  const findings = new Set<string>();
  const open: (readonly number[])[] = [[]];
  let [runs, deliveries] = [0, 0];
  for (let tape = open.pop(); tape; tape = open.pop()) {
    if (++runs > runsMax || deliveries > deliveriesMax) return undefined;
    const counts: number[] = [];
    const given = tape;
    const choices: Choices = {
      canonical: false,
      pick: (_what, count) => given[counts.push(count) - 1] ?? 0,
      save: () => null,
      load: () => {},
    };
    const run = new Run(make(), { choices, faults, deliveriesPerTickMax });
    carryOut(run, observers, faults, until, states, findings);
    deliveries += run.outcome.deliveries;
    // Every question that this tape left to 0 begins tapes of its own.
    for (let at = given.length; at < counts.length; at++)
      for (let pick = 1; pick < counts[at]!; pick++)
        open.push([...given, ...Array.from({ length: at - given.length }, () => 0), pick]);
  }
  return { states, findings, runs };
}

function carryOut(
  run: Run,
  observers: readonly Observer[],
  faults: readonly InjectedFault[],
  until: number,
  states: Map<string, SpelledState>,
  findings: Set<string>,
): void {
  const all = observers.map((observer) => ({ observer, memory: observer.begin() as object }));
  const told = (found: Found | undefined, sentence: string) => {
    if (found) findings.add(`violated: ${found.property ?? sentence}: ${found.actors.join()}: ${found.why}`);
  };
  const sees = ({ watches }: Observer, type: string) => !watches || watches.includes(type);
  run.probes$.subscribe(({ actor, probe }) => {
    for (const { observer, memory } of all)
      if (sees(observer, probe.type))
        told(observer.see(memory, { kind: 'probe', actor, probe }), observer.sentence);
  });
  run.messages$.subscribe(({ message: { event }, from, to }) => {
    for (const { observer, memory } of all)
      if (sees(observer, event.type))
        told(observer.see(memory, { kind: 'message', from, to, event }), observer.sentence);
  });
  const note = (): void => {
    const state = stateOf(run, all, faults);
    states.set(stateLine(state), state);
  };
  // A tick that only brings what crashed actors had sent to themselves is none.
  let isTick = false;
  run.ticks$.subscribe(() => {
    if (!isTick) return;
    for (const { observer, memory } of all) told(observer.endOfTick?.(memory), observer.sentence);
    note();
  });
  note();
  for (let last = 0; ; ) {
    const snapshot = run.snapshot();
    const next = Math.min(...snapshot.messages.map(({ due }) => due));
    if (next > until) break;
    isTick = snapshot.messages.some((message) => message.due === next && !isLost(message, snapshot));
    if (isTick && next > last) {
      for (const { observer, memory } of all)
        told(observer.advance?.(memory, next - last), observer.sentence);
      last = next;
    }
    if (!run.tick()) break;
  }
  const { violations, failure, livelock, deadlock } = run.until(until);
  for (const { property, actors, why } of violations)
    findings.add(`violated: ${property}: ${actors.join()}: ${why}`);
  if (failure) findings.add(`error: ${failure.actor}: ${failure.message}`);
  if (livelock) findings.add('livelock');
  if (deadlock)
    findings.add(`deadlock: ${deadlock.waiting.map(({ actor, state }) => `${actor} in ${state}`).join()}`);
  if (run.ended && !failure && !livelock)
    for (const { observer, memory } of all) {
      told(observer.seeRest?.(memory, run.state), observer.sentence);
      told(observer.atRest?.(memory), observer.sentence);
    }
}

/** What an exploration found, as lines like those above. */
export const findingLine = ({ verdict, what, actors, why }: Omit<Finding, 'place'>): string => {
  if (verdict === 'violated') return `violated: ${what}: ${actors.join()}: ${why}`;
  if (verdict === 'error') return `error: ${actors.join()}: ${why}`;
  if (verdict === 'deadlock')
    return `deadlock: ${what.split(', Node').join(',Node').split(', Kid').join(',Kid')}`;
  return 'livelock';
};

/** A state of an exploration, spelled out. */
export const spelled = ({ actors, messages, memories, budgetState }: DecodedState): SpelledState => ({
  actors: actors.map(({ name, state, context }) => [name, state, context]),
  messages: messages.map(({ due, from, to, event }) => [due, from, to, event]),
  memories,
  budgetState,
});

/** A state as a line. Actors are in the order of their names, messages in that of due and channel; of one channel and tick in the order of posting. */
export const stateLine = ({ actors, messages, memories, budgetState }: SpelledState): string =>
  JSON.stringify(
    [
      [...actors].sort(([one], [other]) => (one < other ? -1 : 1)),
      [...messages].sort((one, other) => {
        const [a, b] = [JSON.stringify(one.slice(0, 3)), JSON.stringify(other.slice(0, 3))];
        return a < b ? -1 : a > b ? 1 : 0;
      }),
      memories,
      budgetState,
    ],
    (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
  );

/** The least line of a state after any exchange of so many actors `Node[0]` and following, which are named, numbered by `index` and addressed by `to`. */
export function classLine(state: SpelledState, count: number): string {
  const places = ordersOf(count);
  const lines = places.map((place) => {
    const named = (name: string) => {
      const index = /^Node\[(\d+)\]$/.exec(name)?.[1];
      return index === undefined ? name : `Node[${place[Number(index)]}]`;
    };
    const moved = (data: object) => {
      const { index, to } = data as { index?: number; to?: number };
      return {
        ...data,
        ...(index !== undefined && { index: place[index] }),
        ...(to !== undefined && { to: place[to] }),
      };
    };
    return stateLine({
      ...state,
      actors: state.actors.map(([name, at, context]) => [named(name), at, moved(context)]),
      messages: state.messages.map(([due, from, to, event]) => [due, named(from), named(to), moved(event)]),
    });
  });
  return lines.sort()[0]!;
}

const ordersOf = (count: number): readonly (readonly number[])[] =>
  count === 0
    ? [[]]
    : ordersOf(count - 1).flatMap((order) =>
        Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
      );

function stateOf(
  run: Run,
  all: readonly { readonly memory: object }[],
  faults: readonly InjectedFault[],
): SpelledState {
  const snapshot = run.snapshot();
  const down = new Set(snapshot.faults?.down.map(({ address }) => address));
  return {
    actors: [
      ...snapshot.parts
        .filter(({ address }) => !down.has(address))
        .map(
          ({ address, snapshot: { configuration, context } }) =>
            [run.nameOf(address), configuration.name, context] as const,
        ),
      ...[...down].map((address) => [run.nameOf(address as Address), 'crashed', {}] as const),
    ],
    messages: snapshot.messages
      .filter((message) => !isLost(message, snapshot))
      .map(
        ({ due, from, to, event }) => [due - snapshot.tick, run.nameOf(from), run.nameOf(to), event] as const,
      ),
    memories: all.map(({ memory }) => structuredClone(memory)),
    budgetState: budgetStateOf(faults, snapshot),
  };
}

/** True for what an actor has sent to itself before it crashed: it is never delivered. */
function isLost({ from, to, seq }: RunSnapshot['messages'][number], { faults }: RunSnapshot): boolean {
  if (from !== to) return false;
  const since = faults?.anew.find(({ address }) => address === to)?.since ?? -1;
  return seq < since || (faults?.down.some(({ address }) => address === to) ?? false);
}

/** How often the faults with a budget have struck, as one number: the first is the least digit. */
function budgetStateOf(faults: readonly InjectedFault[], { faults: state }: RunSnapshot): number {
  let [sum, weight] = [0, 1];
  faults.forEach((fault, index) => {
    const budget = budgetOf(fault);
    if (!Number.isFinite(budget)) return;
    sum += weight * (state?.tallies[index]?.struck ?? 0);
    weight *= budget + 1;
  });
  return sum;
}
