import type { Choices } from '../../choices.ts';
import type { InjectedFault } from '../../faults.ts';
import { Run } from '../../run.ts';
import type { Wiring } from '../../wiring.ts';
import { enumerateChoices } from '../enumerate-choices.ts';
import type { Explorer, Finding } from '../explorer.ts';
import type { Observer } from '../observer.ts';
import { transcriptOf } from '../transcript.ts';

/** What all runs of a machine come to, or an exploration of it, in a form in which the two can be compared. */
export interface Everything {
  /** States at the ends of ticks and before the first, spelled out and sorted. */
  readonly states: readonly string[];
  /** Those in which nothing is under way. */
  readonly ends: readonly string[];
  readonly found: readonly string[];
}

/**
 * Runs a machine under every tape there is, observers watching; undefined when there are more than `waysMax` runs.
 *
 * Details: shares nothing with the checker but the enumeration of picks, and the spelling of states.
 */
export function byAllTapes(
  make: () => Wiring,
  observers: readonly Observer[],
  waysMax: number,
  faults: readonly InjectedFault[] = [],
): (Everything & { readonly ways: number }) | undefined {
  const states = new Set<string>();
  const ends = new Set<string>();
  const found = new Set<string>();
  let ways = 0;
  const attempt = (ask: (count: number) => number) => {
    const run = new Run(make(), { choices: answering(ask), faults });
    const memories = observers.map((observer) => observer.begin());
    watch(run, observers, memories);
    states.add(stateOf(run, memories));
    run.ticks$.subscribe(() => states.add(stateOf(run, memories)));
    const { violations, failure, deadlock } = run.toEnd();
    for (const { property, actors, why } of violations) found.add(`violated ${property}: ${actors} ${why}`);
    if (failure) found.add(`error: ${failure.actor} ${(failure.error as Error).message}`);
    else ends.add(stateOf(run, memories));
    if (deadlock) found.add(`deadlock: ${deadlock.waiting.map(({ actor }) => actor)}`);
  };
  for (const _ of enumerateChoices(attempt)) if (++ways > waysMax) return undefined;
  return { states: sorted(states), ends: sorted(ends), found: sorted(found), ways };
}

/** What an exploration that is over came to. */
export function byExploration(explorer: Explorer): Everything {
  const states: string[] = [];
  const ends: string[] = [];
  for (const { actors, messages, memories } of explorer.states()) {
    const spelled = spelling(
      actors.map(({ name, state, context }) => [name, state, context]),
      messages,
      memories,
    );
    states.push(spelled);
    if (messages.length === 0) ends.push(spelled);
  }
  return { states: states.sort(), ends: ends.sort(), found: sorted(explorer.result.findings.map(textOf)) };
}

const textOf = ({ verdict, what, actors, why }: Finding): string =>
  verdict === 'violated'
    ? `violated ${what}: ${actors} ${why}`
    : verdict === 'error'
      ? `error: ${actors} ${why}`
      : `${verdict}: ${actors}`;

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

const answering = (ask: (count: number) => number): Choices => ({
  canonical: false,
  pick: (_what, count) => ask(count),
  save: () => null,
  load: () => {},
});

/** Lets observers see a run as they would see an exploration. */
function watch(run: Run, observers: readonly Observer[], memories: readonly object[]): void {
  observers.forEach((observer, index) => {
    const memory = memories[index]!;
    const { watches, sentence } = observer;
    const looksAt = (type: string) => watches === undefined || watches.includes(type);
    const tell = (found: ReturnType<Observer['see']>) => {
      if (found) run.report(found.actors, { property: found.property ?? sentence, why: found.why });
    };
    let last = 0;
    const moveOn = () => {
      if (run.now > last) tell(observer.advance?.(memory, run.now - last));
      last = run.now;
    };
    run.probes$.subscribe(({ actor, probe }) => {
      moveOn();
      if (looksAt(probe.type)) tell(observer.see(memory, { kind: 'probe', actor, probe }));
    });
    run.messages$.subscribe(({ message: { event }, from, to }) => {
      moveOn();
      if (looksAt(event.type)) tell(observer.see(memory, { kind: 'message', from, to, event }));
    });
    run.ticks$.subscribe(() => tell(observer.endOfTick?.(memory)));
  });
}

/** A state as one string: actors, messages by due and channel, memories of observers. */
function stateOf(run: Run, memories: readonly object[]): string {
  const actors = run.parts.map(({ name, configuration, context }) => [name, configuration.name, context]);
  const messages = run.snapshot().messages.map(({ due, from, to, event }) => ({
    due: due - run.now,
    from: run.nameOf(from),
    to: run.nameOf(to),
    event,
  }));
  return spelling(actors, messages, memories);
}

function spelling(
  actors: unknown,
  messages: readonly { readonly due: number; readonly from: string; readonly to: string }[],
  memories: readonly object[],
): string {
  const inOrder = [...messages].sort(
    (a, b) => a.due - b.due || a.from.localeCompare(b.from) || a.to.localeCompare(b.to),
  );
  return transcriptOf([actors, inOrder, memories]);
}
