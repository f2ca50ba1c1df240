import { RandomChoices } from '../../../kernel/choices.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import { trial } from './trial.ts';

/** A system whose schedules are compared with its canonical run. */
export interface ComparedSchedules {
  /** What is wrong with the schedule of a seed; undefined when it gives what the canonical run gives. */
  differs(seed: number): string | undefined;
}

/** Compares schedules of a system: outputs, messages and properties; cycles may differ where warps issue in any order. */
export function schedulesOf(given: SystemGiven): ComparedSchedules {
  const told = (choices?: RandomChoices): { readonly values: string; readonly raised: readonly string[] } => {
    const { outputs, result, raised } = trial(given, choices ? { choices } : {});
    return { values: JSON.stringify([outputs, result.messages]), raised };
  };
  const canonical = told();
  return {
    differs: (seed) => {
      if (canonical.raised.length > 0) return `without a schedule: ${canonical.raised.join('; ')}`;
      const { values, raised } = told(new RandomChoices(seed));
      if (raised.length > 0) return raised.join('; ');
      return values === canonical.values ? undefined : `${values} instead of ${canonical.values}`;
    },
  };
}
