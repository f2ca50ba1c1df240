import { type Tape, TapeChoices } from '../../kernel/choices.ts';
import type { JudgedScenario } from '../judged-scenario.ts';
import { type TrialOptions, Trials } from './trial.ts';

/** A run that is to be explained: its tape, and what tries others beside it. */
export interface ExplainedRun {
  readonly trials: Trials;
  readonly tape: Tape;
}

/** Deliveries in one tick that are tried as the mark of a livelock, before those of the machine. */
const marks = [1_000, 10_000];

/**
 * Prepares a run for its explanation, which takes some hundred runs like it. A livelock is shown by far fewer deliveries than a machine allows in a tick: by those for which the run fails in the same way in the same tick.
 */
export function explainedRun(
  { scenario, machine, properties }: JudgedScenario,
  tape: Tape,
  how: Pick<TrialOptions, 'scheduled' | 'until'>,
  livelockTick: number | undefined,
): ExplainedRun {
  for (const mark of livelockTick === undefined ? [] : marks) {
    const trials = new Trials(scenario, machine, properties, mark);
    const { outcome, tape: used } = trials.attempt(new TapeChoices(tape), how);
    if (outcome.livelock?.tick === livelockTick) return { trials, tape: used };
  }
  return { trials: new Trials(scenario, machine, properties), tape };
}
