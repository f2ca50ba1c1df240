import { Run, type RunOptions } from '../../../kernel/run.ts';
import { type InterchipletResult, interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { watchCoordinator } from '../machine-properties.ts';
import type { InterchipletWorkload } from './workloads.ts';

/** What a run under its properties came to. */
export interface Trial<Result> {
  readonly run: Run;
  readonly result: Result;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
}

/** Runs a coordinator to its end with all its properties watching. */
export function trial(given: InterchipletWorkload, options: RunOptions = {}): Trial<InterchipletResult> {
  const whole = { name: 'test', mutants: [], scheduled: options.choices !== undefined, ...given };
  const assembly = interchipletMachine.assemble(whole);
  const run = new Run(assembly.wiring, options);
  const watching = watchCoordinator(run, given.config, given.programs);
  run.toEnd();
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped: string[] = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return {
    run,
    result: assembly.result(run),
    raised: [...new Set(violations.map(({ property }) => property)), ...stopped],
  };
}
