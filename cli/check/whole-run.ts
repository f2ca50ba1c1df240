import { TapeChoices } from '../../kernel/choices.ts';
import { Trials } from '../../properties/explore/trial.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import type { Failing } from './counterexample.ts';

/** One run that was judged as a whole. */
export interface WholeRun {
  /** Absent when all is well. */
  readonly failing?: Failing;
}

/** Deliveries after which a run that was to be judged as a whole is left: it may have no end. */
const deliveriesMax = 1_000_000;

/**
 * Judges the run that is first come, first served as a whole, where some of what judges runs cannot follow an exploration, which merges states: comparisons with plain references and `unjudged` sentences.
 * Undefined where there is nothing of the kind, and where the run does not end, or is cut at a last tick.
 */
export function wholeRunOf(
  { scenario, machine, properties }: JudgedScenario,
  unjudged: readonly string[],
): WholeRun | undefined {
  if (!properties?.wholeRuns && unjudged.length === 0) return undefined;
  const trials = new Trials(scenario, machine, properties);
  const { failure, outcome, run, tape } = trials.attempt(new TapeChoices([]), { deliveriesMax });
  const [first] = outcome.violations;
  if (failure)
    return {
      failing: {
        claim: { ...failure, actors: first?.actors ?? [], why: first?.why ?? failure.what },
        choices: new TapeChoices(tape),
      },
    };
  return run.ended && !outcome.cut ? {} : undefined;
}
