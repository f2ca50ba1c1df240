import { type Choices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { type Cause, CauseFinder, type Causes } from './causes.ts';
import { type Comparison, closeUpsOf, stepsToCompare } from './close-up.ts';
import { type Contrast, contrastOf } from './contrast.ts';
import { type FailureSummary, failureSummary } from './failure-summary.ts';
import { concerns, happenedBefore } from './happened-before.ts';
import { type History, historyOf, lastSentBy, type Step, sentOnlyWith, wholeHistoryOf } from './history.ts';
import { type KeptSince, keptSince } from './kept-since.ts';
import { type LastHeard, lastHeardOf } from './last-heard.ts';
import { refusalsIn } from './refusals.ts';
import { scopeOpening } from './scope-opening.ts';
import { shrinkTape } from './shrink.ts';
import { type Standing, standingOf } from './standing.ts';
import { faultsToTell, type StruckFault, stepsOfFaults } from './struck-fault.ts';
import { inOrder, type Telling, tellingMax, tellingSteps } from './telling-steps.ts';
import { type TrailEnd, trailEnds } from './trail-end.ts';
import type { Trial, TrialOptions, Trials } from './trial.ts';

/** How a failure is explained. */
export interface ExplainOptions extends Pick<TrialOptions, 'until' | 'scheduled'> {
  /** Asked before each run; when it says so, the explanation is made of what is known by then. */
  readonly shouldStop?: () => boolean;
  /** Called after each run of the search. */
  readonly onTrial?: (deliveries: number) => void;
  /** Deliveries that the search for simpler and for passing tapes may take; 5,000,000 when absent. */
  readonly deliveriesMax?: number;
}

/** A simpler run that fails in the same way. */
export interface Simplified {
  readonly tape: Tape;
  /** Picks of it that are not first come, first served, and how many it was asked for. */
  readonly deviations: number;
  readonly picks: number;
  /** What makes the difference in it, where nothing was found that does in the given run. */
  readonly cause?: Cause;
}

/** Why a run failed. */
export interface Explanation {
  readonly failure: FailureSummary;
  /** The tape that was given: all that is told is about its run. */
  readonly tape: Tape;
  /** Picks of the run that are not first come, first served, up to the failure. */
  readonly deviations: number;
  /** A simpler run with a failure of the same actors; absent when there is none. */
  readonly simplified?: Simplified;
  /** What makes the difference to runs in which all is well, each tried by running. */
  readonly causes: Causes;
  /** Of the faults that struck, those that may have led to the failure, in their order. */
  readonly faults: readonly StruckFault[];
  readonly history: History;
  /** Everything that could have led to the failure, in its order; the last ones are where it was found. */
  readonly past: readonly Step[];
  /** Of these, the ones that tell most. */
  readonly telling: Telling;
  /** The deliveries that the failure is about, from near. */
  readonly compared: readonly Comparison[];
  /** Where something was missed at the end of a tick or of the run: the last that was heard of what the finding names. */
  readonly lastHeard?: LastHeard;
  /** Where the state of the whole system is what is wrong: how everything stands then. */
  readonly standing?: Standing;
  /** In a deadlock: how far came what was sent last by those who wait, and by those they wait for. */
  readonly trailEnds: readonly TrailEnd[];
  /** What became of what was written down where these trails end. */
  readonly keptSince: readonly KeptSince[];
  /** Messages of the past that refuse something, or answer with an error. */
  readonly refusals: readonly Step[];
  /** How the run differs from the nearest passing one. */
  readonly contrast?: Contrast;
  /** False for a machine that was built for one order of deliveries only. */
  readonly scheduled: boolean;
  /** True for a run that goes round for ever. */
  readonly endless: boolean;
  /** Runs that the searches took, and whether they came to their end. */
  readonly attempts: number;
  readonly complete: boolean;
}

/** Trails of messages that are followed to their end. */
const trailsMax = 2;

/**
 * Explains why the run of a tape fails: what makes the difference to a run that passes, and the messages that led to the failure (design, section 6).
 * Undefined when the run does not fail.
 *
 * Details: a pure function of scenario and tape as long as nobody stops it. The run that is explained is the given one. A passing run is one that
 * came to its rest, or to the end that its scenario sets, or went several times as far as the failing one. It takes as many runs as shrinking does.
 */
export function explainFailure(
  trials: Trials,
  tape: Tape,
  options: ExplainOptions = {},
): Explanation | undefined {
  const search = new Search(trials, options);
  const first = historyOf(trials, new TapeChoices(tape), search.options);
  search.spend(first.trial);
  const failing = wholeHistoryOf(trials, first, search.options);
  const failure = failureSummary(failing.trial.outcome);
  if (!failure) return undefined;
  // A recording may end where the failure was found: what passes must go on behind that.
  const { isBounded, outcome } = failing.trial;
  const least = isBounded ? boundedDeliveriesMin : passingDeliveriesMin;
  const deliveriesMax = Math.max(least, passingShare * outcome.deliveries);
  const causesOf = (history: History): Causes =>
    new CauseFinder(history, {
      trials,
      options: {
        deliveriesMax,
        // What passes may come to states that are not explored.
        unbounded: true,
        // What never comes is not there in a run that is left before.
        ...(failure.verdict === 'violated' && { awaits: failure.what }),
        ...(options.scheduled !== undefined && { scheduled: options.scheduled }),
      },
      get over() {
        return search.over;
      },
      spend: (trial) => search.spend(trial),
    }).find();
  const causes: Causes = search.reorders ? causesOf(failing) : { causes: [], randomTried: 0 };
  const simpler = simplify(search, failing);
  const [cause] =
    simpler && causes.canonical && causes.causes.length === 0 ? causesOf(simpler.history).causes : [];
  const simplified = simpler && { ...simpler.told, ...(cause && { cause }) };

  const opening = scopeOpening(trials, failing, failure, search.options);
  const last = [...new Set([...(opening ? [opening] : []), ...anchors(failing, failure)])];
  const awaited = awaitedActors(failing.trial);
  const ends = trailEnds(failing.steps, lastSent(failing, awaited), failing.faults).slice(0, trailsMax);
  const since = keptSince(
    trials,
    failing,
    ends.map(({ end }) => end),
    search.options,
  );
  const ahead = [...ends.map(({ end }) => end), ...since.map(({ step }) => step)];
  const past = happenedBefore(failing.steps, new Set([...last, ...ahead]));
  const contrast = causes.passing && contrastOf(failing, causes.passing.history);
  // What is found later than during a delivery is not about the deliveries before it.
  const late = failure.verdict === 'violated' && failing.within === undefined;
  const found = late ? [] : last;
  const actors = [...failure.actors, ...waitedFor(failing.trial)];
  const faults = faultsToTell(failing.faults, past, actors);
  const lastHeard = late ? lastHeardOf(failing.steps, failure.why, failure.actors) : undefined;
  const given = [
    ...new Set([
      // Where room is scarce the delivery that failed stays.
      ...found.slice(-1),
      ...stepsOfCause(failing, causes.causes[0]),
      ...found.slice(-foundMax),
      ...(failure.verdict === 'error' ? toldLast(failing) : []),
      ...failing.steps.filter(({ index }) => failure.first && index === failing.within),
      ...(lastHeard ? [lastHeard.step] : []),
      ...(opening ? [opening] : []),
      ...ahead,
      ...stepsOfFaults(failing.steps, faults),
    ]),
  ];
  const { bookkeeping } = failing;
  const isBookkeeping = ({ message }: Step) => bookkeeping.has(message.to);
  const clues = { given, actors, why: failure.why, contrast, isBookkeeping };
  const telling = tellingSteps(withoutRounds(failing, past), clues, tellingMax);
  const near = stepsToCompare(
    failing,
    past,
    failure,
    awaited,
    telling.words,
    turnedBy(causes.causes[0]),
    lastHeard ? [lastHeard.step] : ends.map(({ end }) => end),
  );
  const closeUps = closeUpsOf(
    trials,
    failing,
    near.flatMap(({ step, earlier }) => (earlier ? [step, earlier] : [step])),
    search.options,
  );
  const compared = near.flatMap(({ step, earlier }): Comparison[] => {
    const [now, then] = [closeUps.get(step), earlier && closeUps.get(earlier)];
    return now ? [{ step: now, ...(then && { earlier: then }) }] : [];
  });
  const standing = standingOf(trials, failing, failure, search.options);
  return {
    failure,
    tape,
    deviations: failing.decisions.filter(({ pick }) => pick !== 0).length,
    ...(simplified && { simplified }),
    causes,
    faults,
    history: failing,
    past: [...past].toReversed(),
    telling,
    compared,
    ...(lastHeard && { lastHeard }),
    ...(standing && { standing }),
    trailEnds: ends,
    keptSince: since,
    refusals: refusalsIn(inOrder(past)),
    ...(contrast && { contrast }),
    scheduled: search.reorders,
    endless: trials.properties?.cycle !== undefined,
    attempts: search.attempts,
    complete: !search.over,
  };
}

/** How far a run is followed that must pass: so many deliveries at least, fewer where states without bound may come, and so many times those of the failing one. */
const [passingDeliveriesMin, boundedDeliveriesMin, passingShare] = [20_000, 2000, 4];
/** Deliveries at which the failure was found that are told in any case. */
const foundMax = 4;

/** The simplest tape under which the same actors fail in the same way, if it is simpler than that of the run. */
function simplify(
  search: Search,
  { trial: { tape, outcome } }: History,
): { readonly told: Simplified; readonly history: History } | undefined {
  const kind = kindOfFailure(outcome);
  const fails = (one: Tape) => kindOfFailure(search.attempt(new TapeChoices(one)).outcome) === kind;
  const shrunk = shrinkTape(fails, tape, { shouldStop: () => search.over }).tape;
  if (shrunk.length >= tape.length && notZero(shrunk) >= notZero(tape)) return undefined;
  const history = historyOf(search.trials, new TapeChoices(shrunk), search.options);
  return { told: { tape: shrunk, deviations: notZero(shrunk), picks: history.picks }, history };
}

const notZero = (tape: Tape): number => tape.filter((pick) => pick !== 0).length;

/** What two failures have in common when they are failures of the same actors. */
function kindOfFailure(outcome: Outcome): string | undefined {
  const told = failureSummary(outcome);
  if (!told) return undefined;
  const { verdict, what, actors } = told;
  return JSON.stringify([verdict, what, [...actors].sort()]);
}

/** Runs of a search, counted, with a limit. */
class Search {
  attempts = 0;
  readonly options: Pick<TrialOptions, 'until' | 'scheduled'>;
  readonly trials: Trials;
  readonly #shouldStop: () => boolean;
  readonly #onTrial: (deliveries: number) => void;
  #deliveriesLeft: number;

  constructor(
    trials: Trials,
    { shouldStop = () => false, onTrial = () => {}, deliveriesMax = 5_000_000, ...options }: ExplainOptions,
  ) {
    this.trials = trials;
    this.#shouldStop = shouldStop;
    this.#onTrial = onTrial;
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

  spend({ outcome }: Trial): void {
    this.attempts++;
    this.#deliveriesLeft -= outcome.deliveries;
    this.#onTrial(outcome.deliveries);
  }

  attempt(choices: Choices): Trial {
    const trial = this.trials.attempt(choices, this.options);
    this.spend(trial);
    return trial;
  }
}

/** The last messages that the actor of an error got from others. */
function toldLast({ steps }: History): readonly Step[] {
  const last = steps.at(-1)?.message;
  return steps
    .filter(({ message }) => message.to === last?.to && message.from !== message.to)
    .slice(-toldLastMax);
}

/** Messages that an actor got from others that are told of an error. */
const toldLastMax = 2;

/** The deliveries at which a failure was found. */
function anchors(history: History, { verdict, actors }: FailureSummary): readonly Step[] {
  const { steps, within, trial } = history;
  const last = steps.at(-1);
  if (!last) return [];
  if (verdict === 'livelock') return [...new Set([...roundsOf(trial, steps).values(), last])];
  const named = [...actors, ...waitedFor(trial)];
  // What is wrong with a state, and of nobody, everybody has come to.
  const isOfAll = verdict === 'violated' && named.length === 0 && within === undefined;
  const latest = new Map<string, Step>();
  for (const step of steps) if (isOfAll || concerns(named, step.to)) latest.set(step.to, step);
  const lasts = [...latest.values()].sort((one, other) => one.index - other.index);
  if (verdict === 'error' || within !== undefined) return [...new Set([...lasts, last])];
  return lasts.length > 0 ? lasts : [last];
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

/** Names of the actors that others wait for and that do not wait themselves: why they do not answer is the question. */
function awaitedActors({ outcome }: Trial): readonly string[] {
  const waiting = outcome.deadlock?.waiting ?? [];
  const stuck = new Set(waiting.map(({ actor }) => actor));
  return [...new Set(waiting.flatMap(({ on }) => on))].filter((name) => !stuck.has(name));
}

/** The last that those who wait, and those they wait for, sent to others. */
function lastSent({ trial, steps }: History, awaited: readonly string[]): readonly Step[] {
  const waiting = trial.outcome.deadlock?.waiting.map(({ actor }) => actor) ?? [];
  return [...waiting, ...awaited].flatMap((name) => lastSentBy(steps, name) ?? []);
}

/** Names of the actors that others wait for in the end: why they do not answer is the question. */
const waitedFor = ({ outcome }: Trial): readonly string[] =>
  outcome.deadlock?.waiting.flatMap(({ actor, on }) => [actor, ...on]) ?? [];

/** The deliveries of a failing run that a cause speaks of. */
function stepsOfCause({ steps }: History, cause: Cause | undefined): readonly Step[] {
  const bySeq = new Map(steps.map((step) => [step.message.seq, step]));
  return (cause?.parts ?? []).slice(0, partsTold).flatMap((part) => {
    if (part.kind === 'order') return [part.first, part.second];
    if (part.kind === 'again') return [part.again];
    if (part.kind === 'network') return [];
    const sent = sentOnlyWith(part.here, part.there);
    return (sent && bySeq.get(sent.seq)) ?? [];
  });
}

/** The later one of two messages whose order makes the difference. */
function turnedBy(cause: Cause | undefined): Step | undefined {
  const [part] = cause?.parts ?? [];
  return part?.kind === 'order' ? part.second : undefined;
}

/** Parts of a cause that are told. */
export const partsTold = 3;
