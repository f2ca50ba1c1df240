import { Run, type RunOptions } from '../../../kernel/run.ts';
import { type InterchipletResult, interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { cycleBarrierMachine, type PaceResult } from '../../../machines/chiplet/interchiplet-pace.ts';
import type { ChipletKind } from '../../../machines/chiplet/kind.ts';
import { type Watch, watch } from '../../property.ts';
import { watchCoordinator } from '../machine-properties.ts';
import { keyOf } from './context.ts';
import { cycleBarrierProperties } from './cycle-barrier-properties.ts';
import type { InterchipletWorkload, PaceWorkload } from './workloads.ts';

/** What a run under its properties came to. */
export interface Trial<Result> {
  readonly run: Run;
  readonly result: Result;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
}

function trialOf<Config, Programs, Result>(
  machine: ChipletKind<Config, Programs, Result>,
  watching: (run: Run) => Watch,
  given: { readonly config: Config; readonly programs: Programs; readonly mutants?: readonly string[] },
  options: RunOptions,
): Trial<Result> {
  const whole = { name: 'test', mutants: [], scheduled: options.choices !== undefined, ...given };
  const assembly = machine.assemble(whole);
  const run = new Run(assembly.wiring, options);
  const watched = watching(run);
  run.toEnd();
  watched.end();
  const { verdict, violations } = run.outcome;
  const stopped: string[] = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return {
    run,
    result: assembly.result(run),
    raised: [...new Set(violations.map(({ property }) => property)), ...stopped],
  };
}

const watchPace = (run: Run, { config, programs }: PaceWorkload): Watch =>
  watch(run, cycleBarrierProperties, {
    chiplets: programs.map((one) => `Chiplet[${keyOf(one)}]`),
    cycle: config.cycle,
    intervals: typeof config.interval === 'number' ? [config.interval] : config.interval,
  });

/** Runs a coordinator to its end with all its properties watching. */
export const trial = (given: InterchipletWorkload, options: RunOptions = {}): Trial<InterchipletResult> =>
  trialOf(interchipletMachine, (run) => watchCoordinator(run, given.config, given.programs), given, options);

/** Runs chiplets at a cycle barrier to their end with all their properties watching. */
export const paceTrial = (given: PaceWorkload, options: RunOptions = {}): Trial<PaceResult> =>
  trialOf(cycleBarrierMachine, (run) => watchPace(run, given), given, options);
