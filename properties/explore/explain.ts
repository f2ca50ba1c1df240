import { type Choices, canonical, type Tape, TapeChoices } from '../../kernel/choices.ts';
import { bugOf } from './bug.ts';
import { type Contrast, contrastOf, decisiveSwap, type Swap } from './contrast.ts';
import { concerns, happenedBefore } from './happened-before.ts';
import { type Decision, type History, historyOf, type Step } from './history.ts';
import { type NearestPassing, nearestPassing } from './nearest-passing.ts';
import { shrinkTape } from './shrink.ts';
import { faultsToTell, type StruckFault, stepsOfFaults } from './struck-fault.ts';
import { type Telling, tellingSteps } from './telling-steps.ts';
import { type ToldFailure, toldFailure } from './told-failure.ts';
import type { Trial, TrialOptions, Trials } from './trial.ts';

/** How a failure is explained. */
export interface ExplainOptions extends Pick<TrialOptions, 'until' | 'scheduled'> {
  /** Asked before each run; when it says so, the explanation is made of what is known by then. */
  readonly shouldStop?: () => boolean;
  /** Deliveries that the search for simpler and for passing tapes may take; 20,000,000 when absent. */
  readonly deliveriesMax?: number;
}

/** The first choice in which a failing and a passing run differ, and what follows from it. */
export interface FirstDifference {
  /** The choice as the failing run made it, and as the passing run did. */
  readonly here: Decision;
  readonly there: Decision;
  /** Two messages to one actor that came the other way round in the passing run. */
  readonly swap?: Swap;
}

/** Why a run failed. */
export interface Explanation {
  readonly failure: ToldFailure;
  /** The tape that was given. */
  readonly tape: Tape;
  /** The simplest tape found that fails in the same way; empty when first come, first served does. */
  readonly minimalTape: Tape;
  /** True when all is well first come, first served. */
  readonly canonicalPasses: boolean;
  /** The picks of the minimal tape that are not first come, first served, up to the failure. */
  readonly deviations: readonly Decision[];
  /** The nearest run in which all is well; absent when none was found. */
  readonly nearestPassing?: NearestPassing;
  readonly firstDifference?: FirstDifference;
  /** Of the faults that struck, those that may have led to the failure, in their order. */
  readonly faults: readonly StruckFault[];
  /** The run under the minimal tape. */
  readonly history: History;
  /** Everything that could have led to the failure, in its order; the last ones are where it was found. */
  readonly past: readonly Step[];
  /** Of these, the ones that tell most. */
  readonly telling: Telling;
  /** How the run differs from the nearest passing one. */
  readonly contrast?: Contrast;
  /** False for a machine that was built for one order of deliveries only. */
  readonly scheduled: boolean;
  /** Runs that the searches took, and whether they came to their end. */
  readonly attempts: number;
  readonly complete: boolean;
}

/** Deliveries that fit a screen. */
const tellingMax = 14;

/**
 * Explains why the run of a tape fails: the simplest such tape, the nearest one that passes, the choice and the messages that make the
 * difference (design, section 6). Undefined when the run does not fail.
 *
 * Details: a pure function of scenario and tape as long as nobody stops it. It takes as many runs as shrinking does.
 */
export function explainFailure(
  trials: Trials,
  tape: Tape,
  options: ExplainOptions = {},
): Explanation | undefined {
  const search = new Search(trials, options);
  const first = search.attempt(new TapeChoices(tape)).failure;
  if (!first) return undefined;
  const bug = bugOf(first);
  const fails = (one: Tape) => {
    const { failure } = search.attempt(new TapeChoices(one));
    return failure !== undefined && bugOf(failure) === bug;
  };
  const shouldStop = () => search.over;
  const minimalTape = shrinkTape(fails, tape, { shouldStop }).tape;

  const failing = historyOf(trials, minimalTape, search.options);
  const { decisions } = failing;
  const attempt = (choices: Choices) => search.attempt(choices);
  const nearest = search.reorders
    ? nearestPassing(minimalTape, { decisions, attempt, shouldStop })
    : undefined;
  const passing = nearest && historyOf(trials, nearest.tape, search.options);

  const failure = toldFailure(failing.trial.outcome)!;
  const last = anchors(failing, failure);
  const past = happenedBefore(failing.steps, new Set(last));
  const contrast = passing && contrastOf(failing, passing);
  const firstDifference =
    nearest && passing && differenceOf(failing, passing, nearest.position, contrast!, past, failure);
  // What is found later than during a delivery is not about the deliveries before it.
  const found = failure.verdict === 'violated' && failing.within === undefined ? [] : last;
  const actors = [...failure.actors, ...waitedFor(failing.trial)];
  const faults = faultsToTell(failing.faults, past, actors);
  const given = [
    ...new Set([
      ...stepsOfInterest(failing, firstDifference, found),
      ...stepsOfFaults(failing.steps, faults),
    ]),
  ];
  const clues = { given, actors, why: failure.why, contrast };
  return {
    failure,
    tape,
    minimalTape,
    canonicalPasses: minimalTape.length > 0 && !search.attempt(canonical).failure,
    deviations: failing.decisions.filter(({ pick }) => pick !== 0),
    ...(nearest && { nearestPassing: nearest }),
    ...(firstDifference && { firstDifference }),
    faults,
    history: failing,
    past: [...past].toReversed(),
    telling: tellingSteps(withoutRounds(failing, past), clues, tellingMax),
    ...(contrast && { contrast }),
    scheduled: search.reorders,
    attempts: search.attempts,
    complete: !search.over,
  };
}

/** Runs of a search, counted, with a limit. */
class Search {
  attempts = 0;
  readonly options: Pick<TrialOptions, 'until' | 'scheduled'>;
  readonly #trials: Trials;
  readonly #shouldStop: () => boolean;
  #deliveriesLeft: number;

  constructor(
    trials: Trials,
    { shouldStop = () => false, deliveriesMax = 20_000_000, ...options }: ExplainOptions,
  ) {
    this.#trials = trials;
    this.#shouldStop = shouldStop;
    this.#deliveriesLeft = deliveriesMax;
    this.options = options;
  }

  /** False for a machine that was built for one order only. */
  get reorders(): boolean {
    return this.options.scheduled ?? true;
  }

  get over(): boolean {
    return this.#deliveriesLeft <= 0 || this.#shouldStop();
  }

  attempt(choices: Choices): Trial {
    const trial = this.#trials.attempt(choices, this.options);
    this.attempts++;
    this.#deliveriesLeft -= trial.outcome.deliveries;
    return trial;
  }
}

/** The deliveries at which a failure was found. */
function anchors({ steps, within, trial }: History, { verdict, actors }: ToldFailure): readonly Step[] {
  const last = steps.at(-1);
  if (!last) return [];
  if (verdict === 'livelock') return [...new Set([...roundsOf(trial, steps).values(), last])];
  if (verdict === 'error' || within !== undefined) return [last];
  const named = [...actors, ...waitedFor(trial)];
  const latest = new Map<string, Step>();
  for (const step of steps) if (concerns(named, step.to)) latest.set(step.to, step);
  return latest.size > 0 ? [...latest.values()] : [last];
}

/** The messages that repeat in a livelock, by kind, each as it came first in the tick that does not end. */
function roundsOf({ outcome: { livelock } }: Trial, steps: readonly Step[]): ReadonlyMap<string, Step> {
  const kinds = new Set(livelock?.repeating.map(({ from, to, type }) => `${from} ${to} ${type}`));
  const first = new Map<string, Step>();
  for (const step of steps) {
    const kind = kindOf(step);
    if (step.message.due === livelock?.tick && kinds.has(kind) && !first.has(kind)) first.set(kind, step);
  }
  return first;
}

/** A past in which a livelock does not go round and round. */
function withoutRounds({ trial, steps }: History, past: ReadonlySet<Step>): ReadonlySet<Step> {
  const rounds = roundsOf(trial, steps);
  return rounds.size === 0 ? past : new Set([...past].filter((step) => !rounds.has(kindOf(step))));
}

const kindOf = ({ from, to, message }: Step): string => `${from} ${to} ${message.event.type}`;

/** Names of the actors that others wait for in the end: why they do not answer is the question. */
const waitedFor = ({ outcome }: Trial): readonly string[] =>
  outcome.deadlock?.waiting.flatMap(({ actor, on }) => [actor, ...on]) ?? [];

function differenceOf(
  failing: History,
  passing: History,
  position: number,
  contrast: Contrast,
  past: ReadonlySet<Step>,
  { actors }: ToldFailure,
): FirstDifference | undefined {
  const at = ({ decisions }: History) => decisions.find((decision) => decision.position === position);
  const [here, there] = [at(failing), at(passing)];
  if (!here || !there) return undefined;
  const swap = decisiveSwap(contrast, past, (actor) => concerns(actors, actor));
  // Where it was no delivery that was chosen, messages come the other way round as a consequence, nearly everywhere.
  const decides = swap && (here.candidates.length > 0 || concerns(actors, swap.first.to));
  return { here, there, ...(decides && { swap }) };
}

/** The deliveries that are told in any case. */
function stepsOfInterest(
  { steps }: History,
  difference: FirstDifference | undefined,
  last: readonly Step[],
): readonly Step[] {
  const bySeq = new Map(steps.map((step) => [step.message.seq, step]));
  const chosen =
    difference && [difference.here, difference.there].map(({ candidates, pick }) => candidates[pick]);
  const swapped = difference?.swap ? [difference.swap.first, difference.swap.second] : [];
  const found = [
    ...(chosen ?? []).map((message) => message && bySeq.get(message.seq)),
    ...swapped,
    ...last.slice(-4),
  ];
  return [...new Set(found.filter((step) => step !== undefined))];
}
