import { canonical, RandomChoices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { bugOf } from './bug.ts';
import { type Campaign, plannedRun } from './campaign.ts';
import type { ExplainOptions } from './explain.ts';
import { shrinkTape } from './shrink.ts';
import { type Generated, GeneratedSubject } from './subject.ts';
import { type FailureKind, type Trial, Trials } from './trial.ts';

/** The simplest run that still fails as the one of a campaign did. */
export interface Simplest {
  readonly scenario: Scenario;
  readonly tape: Tape;
  /** Picks of the tape that was found, without trailing zeros. */
  readonly foundPicks: number;
  /** Runs that it took. */
  readonly attempts: number;
  /** False when it was stopped before nothing simpler was left to try. */
  readonly complete: boolean;
}

/** Schedules that a simpler scenario gets to fail in besides the tape at hand. */
const freshTapes = 4;

/**
 * Simplifies a run of a campaign that fails: first a generated scenario, then the tape; in turn, until neither gives way.
 *
 * Details: a simpler scenario is taken when it fails in the same way under the tape at hand, first come first served, or under one of a few
 * random tapes, since the same picks mean other things in another scenario. `file` is where the scenario will lie.
 */
export function simplestFailure(
  campaign: Campaign,
  number: number,
  kind: FailureKind,
  file: string,
  { shouldStop = () => false, onTrial = () => {} }: Pick<ExplainOptions, 'shouldStop' | 'onTrial'> = {},
): Simplest {
  const { subject, plan } = campaign;
  let attempts = 1;
  const found = campaign.attempt(number).tape;
  const bug = bugOf(kind);
  const isTheBug = ({ failure, outcome }: Trial) => {
    attempts++;
    onTrial(outcome.deliveries);
    return failure !== undefined && bugOf(failure) === bug;
  };
  const failsIn = (scenario: Scenario) => {
    const trials = new Trials(scenario, subject.machine, subject.properties);
    return (tape: Tape) => isTheBug(trials.attempt(new TapeChoices(tape)));
  };
  const done = (scenario: Scenario, tape: Tape): Simplest => ({
    scenario,
    tape,
    foundPicks: found.length,
    attempts,
    complete: !shouldStop(),
  });
  const index = plannedRun(plan, number).scenario;
  if (!(subject instanceof GeneratedSubject)) {
    const scenario = subject.scenario(index);
    return done(scenario, shrinkTape(failsIn(scenario), found, { shouldStop }).tape);
  }

  /** A tape under which a simpler scenario still fails. */
  const tapeFor = (scenario: Scenario, tape: Tape): Tape | undefined => {
    const trials = new Trials(scenario, subject.machine, subject.properties);
    const tried = [canonical, new TapeChoices(tape)];
    if (tape.length > 0) for (let seed = 0; seed < freshTapes; seed++) tried.push(new RandomChoices(seed));
    for (const choices of tried) {
      const trial = trials.attempt(choices);
      if (isTheBug(trial)) return trial.tape;
    }
    return undefined;
  };
  let generated: Generated = subject.generate(index);
  let scenario = subject.read(generated, file);
  let tape = found;
  /** Takes the first simpler scenario that fails. Returns false when none does. */
  const simplify = (): boolean => {
    for (const next of subject.simpler(generated)) {
      if (shouldStop()) return false;
      const candidate = subject.read(next, file);
      const failing = tapeFor(candidate, tape);
      if (failing === undefined) continue;
      [generated, scenario, tape] = [next, candidate, failing];
      return true;
    }
    return false;
  };
  do {
    while (simplify());
    tape = shrinkTape(failsIn(scenario), tape, { shouldStop }).tape;
    // Under a simple tape a scenario may fail that did not under a long one.
  } while (tape.length > 0 && simplify());
  return done(scenario, tape);
}
