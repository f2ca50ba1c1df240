import type { RunOptions } from '../../../kernel/run.ts';
import { type InterchipletResult, interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { type WatchedTrial, watchedTrial } from '../../watched-trial.ts';
import { watchCoordinator } from '../machine-properties.ts';
import type { InterchipletWorkload } from './workloads.ts';

/** Runs a coordinator to its end with all its properties watching. */
export const trial = (
  given: InterchipletWorkload,
  options: RunOptions = {},
): WatchedTrial<InterchipletResult> =>
  watchedTrial(
    interchipletMachine.assemble({
      name: 'test',
      mutants: [],
      scheduled: options.choices !== undefined,
      ...given,
    }),
    (run) => watchCoordinator(run, given.config, given.programs),
    options,
  );
