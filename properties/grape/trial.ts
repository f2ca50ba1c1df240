import type { RunOptions } from '../../kernel/run.ts';
import type { GrapeRunResult } from '../../machines/grape/result.ts';
import { grapeMachine } from '../../machines/grape.ts';
import { type WatchedTrial, watchedTrial } from '../watched-trial.ts';
import { grapeMachineProperties } from './machine-properties.ts';
import type { GrapeGiven } from './workloads.ts';

/** What a run of the chip under its properties came to. */
export interface Trial extends WatchedTrial<GrapeRunResult> {
  /** What the parts warned of, by code. */
  readonly warnings: readonly string[];
}

/** Runs the chip to its end with all its properties watching. */
export function trial(given: GrapeGiven, options: RunOptions = {}): Trial {
  const warnings = new Set<string>();
  const watched = watchedTrial(
    grapeMachine.assemble(given),
    (run, assembly) => grapeMachineProperties.watch(run, given, assembly),
    {
      ...options,
      look: ({ probes$ }) =>
        probes$.subscribe(({ probe }) => {
          if (probe.type === 'FAULT') warnings.add((probe as unknown as { readonly code: string }).code);
        }),
    },
  );
  return { ...watched, warnings: [...warnings] };
}
