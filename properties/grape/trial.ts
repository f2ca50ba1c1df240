import { Run, type RunOptions } from '../../kernel/run.ts';
import type { GrapeRunResult } from '../../machines/grape/result.ts';
import { grapeMachine } from '../../machines/grape.ts';
import { grapeMachineProperties } from './machine-properties.ts';
import type { GrapeGiven } from './workloads.ts';

/** What a run of the chip under its properties came to. */
export interface Trial {
  readonly run: Run;
  readonly result: GrapeRunResult;
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
  /** What the parts warned of, by code. */
  readonly warnings: readonly string[];
}

/** Runs the chip to its end with all its properties watching. */
export function trial(given: GrapeGiven, options: RunOptions = {}): Trial {
  const assembly = grapeMachine.assemble(given);
  const run = new Run(assembly.wiring, options);
  const warnings: string[] = [];
  run.probes$.subscribe(({ probe }) => {
    if (probe.type === 'FAULT') warnings.push((probe as unknown as { readonly code: string }).code);
  });
  const watching = grapeMachineProperties.watch(run, given, assembly);
  run.toEnd();
  watching.end();
  const { verdict, violations } = run.outcome;
  const stopped = verdict === 'ok' || verdict === 'violated' ? [] : [verdict];
  return {
    run,
    result: assembly.result(run),
    raised: [...new Set(violations.map(({ property }) => property)), ...stopped],
    warnings: [...new Set(warnings)],
  };
}
