import { Run, type RunOptions } from '../../../kernel/run.ts';
import { type InterchipletResult, interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { cycleBarrierMachine, type PaceResult } from '../../../machines/chiplet/interchiplet-pace.ts';
import type { Machine } from '../../../machines/machine.ts';
import { propertiesOf } from '../../properties.ts';
import type { InterchipletWorkload, PaceWorkload } from './workloads.ts';

/** What a run under its properties came to. */
export interface Trial<Result> {
  readonly run: Run;
  readonly result: Result;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
}

function trialOf<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  given: { readonly config: Config; readonly programs: Programs; readonly mutants?: readonly string[] },
  options: RunOptions,
): Trial<Result> {
  const whole = { name: 'test', mutants: [], scheduled: options.choices !== undefined, ...given };
  const assembly = machine.assemble(whole);
  const run = new Run(assembly.wiring, options);
  const watching = propertiesOf(machine.name)!.watch(run, whole, assembly);
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

/** Runs a coordinator to its end with all its properties watching. */
export const trial = (given: InterchipletWorkload, options: RunOptions = {}): Trial<InterchipletResult> =>
  trialOf(interchipletMachine, given, options);

/** Runs chiplets at a cycle barrier to their end with all their properties watching. */
export const paceTrial = (given: PaceWorkload, options: RunOptions = {}): Trial<PaceResult> =>
  trialOf(cycleBarrierMachine, given, options);
