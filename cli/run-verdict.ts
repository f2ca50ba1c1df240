import { type Difference, judge } from '../scenarios/judge.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Simulation } from '../scenarios/simulate.ts';
import { exitCodes } from './exit-codes.ts';

/** What a run is worth in the light of what its scenario expects. */
export interface RunVerdict {
  readonly exitCode: number;
  /** True when everything that the scenario expects is so; undefined when it expects nothing or the run was cut short. */
  readonly asExpected?: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Judges a run.
 *
 * Details: a run that is not ok is as it should be only where the scenario expects its verdict or its violations. A run that the user cut short, which
 * `cut` says, is not compared with what the scenario expects of a whole one.
 */
export function judgeRun(scenario: Scenario, simulation: Simulation, cut: boolean): RunVerdict {
  const { outcome, interrupted } = simulation;
  const { expect, faults } = scenario;
  if (interrupted) return { exitCode: exitCodes.interrupted, differences: [] };
  if (outcome.verdict === 'error' && faults.length === 0 && isDefect(outcome.failure?.error))
    return { exitCode: exitCodes.defect, differences: [] };
  const judged = !cut && expect !== undefined;
  const differences = judged ? judge(expect, simulation) : [];
  const foreseen =
    outcome.verdict === 'ok' ||
    (judged && (expect.verdict !== undefined || (expect.violations?.length ?? 0) > 0));
  const asItShould = foreseen && differences.length === 0;
  return {
    exitCode: asItShould ? exitCodes.ok : exitCodes.failed,
    ...(judged && { asExpected: differences.length === 0 }),
    differences,
  };
}

/** True for a broken invariant of Lockstep, which no scenario may cause, as against a recipe or program that threw. */
export function isDefect(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.message.startsWith('Lockstep defect')) return true;
  return false;
}
