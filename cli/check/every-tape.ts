import type { Choices, Tape } from '../../kernel/choices.ts';
import { enumerateChoices } from '../../kernel/explore/enumerate-choices.ts';
import { type FailureKind, Trials } from '../../properties/explore/trial.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';

/** How far running every tape has come. */
export interface EveryTape {
  readonly runs: number;
  readonly deliveries: number;
  /** Ticks of the longest run. */
  readonly ticks: number;
  /** Different states in which runs ended. */
  readonly ends: number;
  /** The first run that failed. */
  readonly failed: { readonly kind: FailureKind; readonly tape: Tape; readonly why: string } | undefined;
}

/**
 * Runs a scenario once for every tape there is, its properties watching, until one fails. Yields after each run.
 *
 * Use when properties need whole runs, which cannot be merged. Gotchas: there are as many runs as orders of deliveries, and a run without end
 * never comes back.
 */
export function* everyTape({ scenario, machine, properties }: JudgedScenario): Generator<EveryTape, void> {
  const trials = new Trials(scenario, machine, properties);
  const ends = new Set<string>();
  let [runs, deliveries, ticks] = [0, 0, 0];
  for (const { result, picks } of enumerateChoices((ask) => trials.attempt(answering(ask)))) {
    const { outcome, failure, fingerprint } = result;
    runs++;
    deliveries += outcome.deliveries;
    ticks = Math.max(ticks, outcome.ticks);
    ends.add(fingerprint);
    const why = outcome.violations[0]?.why ?? failure?.what ?? '';
    yield {
      runs,
      deliveries,
      ticks,
      ends: ends.size,
      failed: failure && { kind: failure, tape: picks, why },
    };
    if (failure) return;
  }
}

const answering = (ask: (count: number) => number): Choices => ({
  canonical: false,
  pick: (_what, count) => ask(count),
  save: () => null,
  load: () => {},
});
