import { Run, type RunOptions } from '../kernel/run.ts';
import type { Assembly } from '../machines/machine.ts';
import type { Watch } from './property.ts';

/** What a run under properties came to. */
export interface WatchedTrial<Result> {
  readonly run: Run;
  readonly result: Result;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
}

/** How a run under properties is carried out. */
export interface WatchedTrialOptions extends RunOptions {
  /** Follows the run from its beginning. */
  readonly look?: (run: Run) => unknown;
  /** Ticks after which it is left where it stands, and called endless; it goes on to its end when absent. */
  readonly ticksMax?: number;
}

/** Runs an assembled machine with properties watching. */
export function watchedTrial<Result, A extends Assembly<Result>>(
  assembly: A & Assembly<Result>,
  watch: (run: Run, assembly: A) => Watch,
  { look, ticksMax, ...options }: WatchedTrialOptions = {},
): WatchedTrial<Result> {
  const run = new Run(assembly.wiring, options);
  look?.(run);
  const watching = watch(run, assembly);
  if (ticksMax === undefined) run.toEnd();
  else run.until(ticksMax);
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped: readonly string[] = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return {
    run,
    result: assembly.result(run),
    raised: [
      ...new Set(violations.map(({ property }) => property)),
      ...stopped,
      ...(run.ended ? [] : ['endless']),
    ],
  };
}
