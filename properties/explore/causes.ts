import { type Choices, canonical, RandomChoices, type Tape } from '../../kernel/choices.ts';
import {
  type AcrossChange,
  type AgainChange,
  acrossChanges,
  type Change,
  differencesOf,
  type NetworkChange,
  nameOfChange,
  nearbyChanges,
  networkChanges,
  type OrderChange,
  overtakings,
  precedents,
  repetitions,
} from './change.ts';
import { differsOnlyIn } from './consequences.ts';
import { Effects, MeaningChoices } from './follow-meaning.ts';
import { type Decision, type History, historyOf, type NetworkStep, type Step } from './history.ts';
import { isFault, kindOfFault } from './identities.ts';
import type { Trial, TrialOptions, Trials } from './trial.ts';

/** Two messages, to one actor or, where nothing else makes the difference, to two, that came the other way round in the passing run. */
export interface OrderCause {
  readonly kind: 'order';
  readonly first: Step;
  readonly second: Step;
  /** True when the first one does not come at all in the passing run: a timer that the other one cancels, a message that is refused behind it. */
  readonly gone?: true;
}

/** A question that was answered otherwise in the passing run; whether a fault strikes is one, too. */
export interface AnswerCause {
  readonly kind: 'answer';
  readonly here: Decision;
  readonly there: Decision;
}

/** What a duplicating network delivered again, or a timer that went off, and in the passing run when nothing else was left, or not at all. */
export interface AgainCause {
  readonly kind: 'again';
  readonly again: Step;
}

/** What an asynchronous network did, and does not do in the passing run. */
export interface NetworkCause {
  readonly kind: 'network';
  readonly step: NetworkStep;
}

/** One thing in which a failing and a passing run differ. */
export type CausePart = OrderCause | AnswerCause | AgainCause | NetworkCause;

/**
 * Why a run fails and another one does not: with these things otherwise, and all else meaning the same, the run passes. None of them can be
 * left out.
 */
export interface Cause {
  readonly parts: readonly CausePart[];
  readonly passing: Passing;
  /** Of several parts: for each the tape of a run in which it alone is left as it was, and which does not pass. */
  readonly needed: readonly Tape[];
}

/** A run in which all is well. */
export interface Passing {
  readonly history: History;
  /** Its picks, without trailing zeros. */
  readonly tape: Tape;
  /** True when it came to its rest; else it went on as far as the scenario or the limit of deliveries lets it. */
  readonly rested: boolean;
}

/** What was found about the schedules of a scenario. */
export interface Causes {
  /** Each of them alone makes the difference; the one nearest to the failure first. */
  readonly causes: readonly Cause[];
  /** The run in which all is served first come, first served, when it passes. */
  readonly canonical?: Passing;
  /** True when that run neither fails nor comes as far as the failing one. */
  readonly cut?: true;
  /** True when some run was left while it still waited: it neither passes nor fails. */
  readonly waits?: true;
  /** Any run that passes, nearest first: that of a cause, the canonical one, a random one. */
  readonly passing?: Passing;
  /** Random schedules that were tried because nothing nearer passes. */
  readonly randomTried: number;
}

/** Random schedules that are tried when nothing near the failing run passes: of a long run, and of one that takes no time. */
const [randomSeeds, randomSeedsShort] = [32, 128];
/** Deliveries up to which a run takes no time. */
const shortMax = 500;
/** Deliveries up to which runs are followed at least that wait for what may never come, and how many times those of the failing run. */
const [waitingMin, waitingShare] = [2000, 4];
/** Single changes of a long run that are tried when first come, first served and some random schedules fail, too. */
const [nearbyHopeless, probesMax] = [40, 6];
/** Single changes that are tried: of those that make the canonical run, and of all others. */
const [undoneMax, nearbyMax] = [64, 500];
/** Changes of which a minimal set is looked for. */
const setMax = 2000;
/** Causes that are told. */
const causesMax = 3;
/** Of the messages that a message passed, how many of the nearest are tried to be the only ones. */
const passedTried = 8;
/** How often a run is carried out again because it became known what its answers come to. */
const correctionsMax = 12;

/** The delivery from which on what a part of a cause changes can be seen. */
export const indexOfPart = (part: CausePart): number => {
  if (part.kind === 'answer') return part.here.index;
  if (part.kind === 'network') return part.step.index;
  return (part.kind === 'order' ? part.second : part.again).index;
};

/** Runs of a search, counted, with a limit. */
export interface Budget {
  readonly over: boolean;
  spend(trial: Trial): void;
}

/** What a search for causes needs. */
export interface CauseSearch extends Budget {
  readonly trials: Trials;
  /** How far runs are followed that must pass. */
  readonly options: TrialOptions;
}

/** Finds what makes the difference between a failing run and passing ones. Every cause that it gives was tried by running. */
export class CauseFinder {
  readonly #effects = new Effects();
  readonly #failing: History;
  readonly #search: CauseSearch;
  /** The deliveries of the failing run, with those that are late. */
  readonly #all: readonly Step[];
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #bySeq: ReadonlyMap<number, Step>;
  /** How far runs are followed, and whether they take no time. */
  #options: TrialOptions;
  #isShort: boolean;

  constructor(failing: History, search: CauseSearch) {
    this.#failing = failing;
    this.#search = search;
    this.#options = search.options;
    this.#isShort = failing.trial.outcome.deliveries <= shortMax;
    this.#all = [...failing.steps, ...failing.late];
    this.#steps = new Map(this.#all.map((step) => [step.key, step]));
    this.#bySeq = new Map(this.#all.map((step) => [step.message.seq, step]));
    this.#effects.learn(failing);
  }

  /** Looks at single changes back to the canonical run, then at all single changes, then at sets of changes to a passing run. */
  find(): Causes {
    const served = this.#carryOut(canonical);
    const first = this.#passingOf(served);
    const cut = !first && !served.trial.failure;
    const { waits } = served.trial;
    // Runs that wait without end take as long as they are followed.
    if (waits) {
      const { deliveriesMax = waitingMin } = this.#options;
      const most = Math.max(waitingMin, waitingShare * this.#failing.trial.outcome.deliveries);
      this.#options = { ...this.#options, deliveriesMax: Math.min(deliveriesMax, most) };
      this.#isShort = false;
    }
    const known = {
      randomTried: 0,
      ...(first && { canonical: first }),
      ...(waits ? { waits } : cut && { cut }),
    };
    // What following the run by its meaning cannot repeat, nothing can be said about by changing it.
    const again = this.#with([]).trial;
    const repeated = again.failure !== undefined || again.waits === true;
    if (first && repeated) {
      const back = this.#latestFirst([
        ...differencesOf(this.#failing, served),
        ...overtakings(this.#failing, served),
        ...repetitions(this.#failing),
        ...networkChanges(this.#failing),
      ]).slice(0, undoneMax);
      const causes = this.#singles(back, causesMax);
      if (causes.length > 0) return { ...known, causes, passing: causes[0]!.passing };
    }
    const most = first || this.#isShort || this.#probe() ? nearbyMax : nearbyHopeless;
    const near = repeated ? this.#singles(nearbyChanges(this.#failing).slice(0, most), 1) : [];
    // The latest turn says most: what comes before it was as it is in runs that pass.
    const begin = near.length > 0 ? Math.max(...near[0]!.parts.map(indexOfPart)) : -1;
    const later = acrossChanges(this.#failing).filter(({ held }) => this.#steps.get(held)!.index > begin);
    const across = repeated ? this.#singles(later, 1) : [];
    const [single] = across.length > 0 ? across : near;
    if (single) return { ...known, causes: [single], passing: single.passing };
    if (first) {
      const cause = repeated ? (this.#smallestSet(served) ?? this.#preceded(served)) : undefined;
      return { ...known, causes: cause ? [cause] : [], passing: cause?.passing ?? first };
    }
    return { ...known, ...this.#random(repeated) };
  }

  /** True when one of a few random schedules passes. */
  #probe(): boolean {
    for (let seed = 0; seed < probesMax && !this.#search.over; seed++)
      if (this.#passingOf(this.#carryOut(new RandomChoices(seed)))) return true;
    return false;
  }

  #random(repeated: boolean): Causes {
    let randomTried = 0;
    for (
      ;
      randomTried < (this.#isShort ? randomSeedsShort : randomSeeds) && !this.#search.over;
      randomTried++
    ) {
      const history = this.#carryOut(new RandomChoices(randomTried));
      const passing = this.#passingOf(history);
      if (!passing) continue;
      const cause = repeated ? (this.#smallestSet(history) ?? this.#preceded(history)) : undefined;
      return { causes: cause ? [cause] : [], passing: cause?.passing ?? passing, randomTried };
    }
    return { causes: [], randomTried };
  }

  /** The single changes under which the run passes. */
  #singles(changes: readonly Change[], max: number): readonly Cause[] {
    const causes: Cause[] = [];
    for (const change of changes) {
      if (causes.length === max || this.#search.over) break;
      const cause = this.#nearest([change]);
      // Moving either one of two messages past the other says the same.
      if (cause && !causes.some((one) => nameOfCause(one) === nameOfCause(cause))) causes.push(cause);
    }
    return causes;
  }

  /** The fewest of the changes to a passing run that are enough: leaving any of them out, the run does not pass (Zeller, Hildebrandt 2002). */
  #smallestSet(passing: History): Cause | undefined {
    const turned = differencesOf(this.#failing, passing);
    const gone = [
      ...overtakings(this.#failing, passing),
      ...repetitions(this.#failing),
      ...networkChanges(this.#failing),
    ];
    const sets = [turned, ...(gone.length > 0 ? [[...turned, ...gone]] : [])];
    let all: readonly Change[] = [];
    let whole: Passing | undefined;
    for (all of sets) {
      whole = all.length <= setMax ? this.#passingOf(this.#with(all)) : undefined;
      if (whole) break;
    }
    if (!whole) return undefined;
    const { history } = whole;
    // A message that moves without passing another one says nothing that could be told.
    const told = all.filter((change) => this.#partOf(change, history));
    let kept = this.#passingOf(this.#with(told)) ? told : all;
    for (let parts = 2; kept.length > 1 && !this.#search.over; ) {
      const size = Math.ceil(kept.length / parts);
      const groups = Array.from({ length: Math.ceil(kept.length / size) }, (_, at) =>
        kept.slice(at * size, (at + 1) * size),
      );
      const smaller =
        groups.find((group) => this.#passingOf(this.#with(group))) ??
        groups
          .map((group) => kept.filter((change) => !group.includes(change)))
          .find((rest) => rest.length > 0 && this.#passingOf(this.#with(rest)));
      if (smaller) {
        parts = Math.max(2, Math.min(parts - 1, smaller.length));
        kept = smaller;
      } else if (size === 1) break;
      else parts = Math.min(kept.length, 2 * parts);
    }
    return this.#search.over ? undefined : this.#nearest(kept);
  }

  /** A message that came before one that the failing run ended too early for. */
  #preceded(passing: History): Cause | undefined {
    return this.#singles(
      precedents(this.#failing, passing, (step, from) => this.#ledTo(from, step)).slice(0, undoneMax),
      1,
    )[0];
  }

  /** These changes as a cause, when the run passes under them and does indeed differ in what they say. */
  #causeOf(changes: readonly Change[]): Cause | undefined {
    const passing = this.#passingOf(this.#with(changes));
    if (!passing) return undefined;
    const parts = changes.map((change) => this.#partOf(change, passing.history));
    if (!parts.every((part) => part !== undefined) || this.#usesUp(parts, passing.history)) return undefined;
    if (!differsOnlyIn(parts, this.#failing, passing.history)) return undefined;
    if (parts.length === 1) return { parts, passing, needed: [] };
    const left = changes.map((change) => this.#with(changes.filter((one) => one !== change)));
    if (left.some(({ trial }) => !trial.failure)) return undefined;
    return { parts, passing, needed: left.map(({ trial }) => trial.tape) };
  }

  /** These changes as a cause; of one message that passed several ones, that with which it passes the fewest of them. */
  #nearest(changes: readonly Change[]): Cause | undefined {
    const cause = this.#causeOf(changes);
    const [change] = changes;
    const step = change?.kind === 'order' && changes.length === 1 ? this.#steps.get(change.moved) : undefined;
    if (!cause || !step) return cause;
    const passed = this.#passedBy(step, cause.passing.history);
    const where = step.index > (passed[0]?.index ?? 0) ? 'before' : 'after';
    for (const { key } of passed.slice(0, Math.min(passed.length - 1, passedTried))) {
      if (this.#search.over) break;
      const nearer = this.#causeOf([{ kind: 'order', moved: step.key, where, other: key }]);
      if (nearer) return nearer;
    }
    return cause;
  }

  /**
   * True when a fault that strikes in the passing run only leaves none for one that struck in the failing run: that one is then gone, too, and not
   * all else is the same. How often faults of a kind strike may be limited.
   */
  #usesUp(parts: readonly CausePart[], passing: History): boolean {
    const kinds = new Set(
      parts.flatMap((part) =>
        part.kind === 'answer' && part.here.pick === 0 && isFault(part.here.what)
          ? [kindOfFault(part.here.what)]
          : [],
      ),
    );
    if (kinds.size === 0) return false;
    const asked = new Set([...passing.decisions, ...passing.after.decisions].map((one) => one.question?.key));
    return this.#failing.decisions.some(
      ({ what, pick, question }) =>
        question && pick > 0 && isFault(what) && kinds.has(kindOfFault(what)) && !asked.has(question.key),
    );
  }

  #partOf(change: Change, passing: History): CausePart | undefined {
    if (change.kind === 'order') return this.#turned(change, passing);
    if (change.kind === 'across') return this.#across(change, passing);
    if (change.kind === 'again') return this.#left(change, passing);
    if (change.kind === 'network') return this.#notTaken(change, passing);
    const asked = ({ decisions }: History) =>
      decisions.find(({ question }) => question?.key === change.question);
    const [here, there] = [asked(this.#failing), asked(passing)];
    if (!here?.question || !there?.question) return undefined;
    const otherwise = here.pick !== there.pick || here.question.effect !== there.question.effect;
    return otherwise ? { kind: 'answer', here, there } : undefined;
  }

  /** A message that was held back until another one had come. */
  #across({ held, until }: AcrossChange, passing: History): OrderCause | undefined {
    const first = this.#steps.get(held);
    const later = passing.steps.find(({ key }) => key === until);
    // What the failing run does not know stands behind its end.
    const known = this.#steps.get(until);
    const isOther = !known || (first && this.#ledTo(first, known));
    const second = isOther ? later && { ...later, index: this.#all.length + later.index } : known;
    const [there, before] = [held, until].map((name) => passing.steps.findIndex(({ key }) => key === name));
    return first && second && before! >= 0 && before! < there! ? { kind: 'order', first, second } : undefined;
  }

  /** What the network did, where it does not do it in the passing run. */
  #notTaken({ step: key }: NetworkChange, passing: History): NetworkCause | undefined {
    const step = this.#failing.network.find((one) => one.key === key);
    return step && !passing.network.some((one) => one.key === key) ? { kind: 'network', step } : undefined;
  }

  /** What came again, where its receiver gets more before it in the passing run, or does not get it. */
  #left({ again: key }: AgainChange, passing: History): AgainCause | undefined {
    const again = this.#steps.get(key);
    if (!again) return undefined;
    const before = (steps: readonly Step[]): number =>
      steps.filter(({ to }) => to === again.to).findIndex((one) => one.key === key);
    const there = before(passing.steps);
    // A run that goes on for ever may leave it for ever: that it passes so far says nothing about it.
    if (there < 0 && !passing.trial.run.isAtRest) return undefined;
    return there < 0 || there > before(this.#failing.steps) ? { kind: 'again', again } : undefined;
  }

  /** The pair of messages that a change of order turned round: the moved one and the nearest one that it passed. */
  #turned({ moved, where, other: passedBy }: OrderChange, passing: History): OrderCause | undefined {
    const places = new Map(passing.steps.map(({ key, index }) => [key, index]));
    const place = places.get(moved);
    const step = this.#steps.get(moved);
    if (!step || place === undefined) return undefined;
    const gone = this.#steps.get(passedBy);
    // The order of two that both come behind the failure has no part in it.
    const isBehind = gone && this.#failing.late.includes(gone) && this.#failing.late.includes(step);
    const isAbsent = !places.has(passedBy) && gone && !isBehind && !this.#ledTo(gone, step);
    if (where === 'before' && isAbsent && gone.index < step.index) {
      const turned = { kind: 'order', first: gone, second: step } as const;
      if (!isUnderWay(passing, gone)) return { ...turned, gone: true };
      // What is still under way where the passing run was cut comes later; without time it may have been left there for ever.
      return passing.trial.run.asynchronous ? undefined : turned;
    }
    const passed = this.#passedBy(step, passing);
    // Of several that it passed the one that its place is named after, or else the nearest.
    const other = passed.find(({ key }) => key === passedBy) ?? passed[0];
    if (!other) return undefined;
    const [first, second] = other.index < step.index ? [other, step] : [step, other];
    // What comes behind a crash of its receiver, or is lost in it, is parted from what came before by that.
    const isParted = this.#failing.network.some(
      ({ index, fault: { kind, message } }) =>
        kind === 'crash' && message.to === first.message.to && first.index < index && index <= second.index,
    );
    if (isParted) return undefined;
    return { kind: 'order', first, second };
  }

  /** The messages to its receiver that a message passed, in one direction or the other, the nearest first. */
  #passedBy(step: Step, passing: History): readonly Step[] {
    const places = new Map(passing.steps.map(({ key, index }) => [key, index]));
    const place = places.get(step.key);
    if (place === undefined) return [];
    const isLate = this.#failing.late.includes(step);
    return (
      this.#all
        .filter(({ message, key }) => message.to === step.message.to && places.has(key))
        .filter((one) => one.index < step.index !== places.get(one.key)! < place && one !== step)
        // What was sent because a message came is another one where it comes before that.
        .filter((one) => !this.#ledTo(step, one) && !this.#ledTo(one, step))
        // The order of two that both come behind the failure has no part in it.
        .filter((one) => !isLate || !this.#failing.late.includes(one))
        .sort((one, other) => Math.abs(one.index - step.index) - Math.abs(other.index - step.index))
    );
  }

  /** True when a message was sent because another one came, or because of what that led to. */
  #ledTo({ message: { seq } }: Step, { message }: Step): boolean {
    for (let { cause } = message; ; cause = this.#bySeq.get(cause)!.message.cause) {
      if (cause === seq) return true;
      if (!this.#bySeq.has(cause)) return false;
    }
  }

  /**
   * A run as a passing one: undefined when it fails, still waits, or was cut before it could have come to what the failing one came to.
   *
   * Details: without time a step is one delivery.
   */
  #passingOf(history: History): Passing | undefined {
    const { failure, waits, tape, run, outcome } = history.trial;
    if (failure || waits) return undefined;
    const rested = run.ended && !outcome.cut;
    const { steps } = this.#failing;
    const far = run.asynchronous
      ? outcome.deliveries > steps.length
      : run.now >= (steps.at(-1)?.message.due ?? 0);
    return rested || far ? { history, tape, rested } : undefined;
  }

  #with(changes: readonly Change[]): History {
    for (let corrections = 0; ; corrections++) {
      const choices = new MeaningChoices(this.#failing, changes, this.#effects);
      const history = this.#carryOut(choices, choices);
      this.#effects.learn(history);
      if (corrections === correctionsMax || this.#search.over || choices.isContent(history)) return history;
    }
  }

  #carryOut(choices: Choices, following?: MeaningChoices): History {
    const history = historyOf(this.#search.trials, choices, this.#options, (run) => following?.follow(run));
    this.#search.spend(history.trial);
    return history;
  }

  #latestFirst(changes: readonly Change[]): readonly Change[] {
    const decisions = new Map(
      this.#failing.decisions.flatMap((one) => (one.question ? [[one.question.key, one.index]] : [])),
    );
    const placeOf = (change: Change): number =>
      change.kind === 'answer'
        ? (decisions.get(change.question) ?? 0)
        : change.kind === 'network'
          ? (this.#failing.network.find(({ key }) => key === change.step)?.index ?? 0)
          : (this.#steps.get(keyOf(change))?.index ?? 0);
    const once = new Map(changes.map((change) => [nameOfChange(change), change]));
    return [...once.values()].sort((one, other) => placeOf(other) - placeOf(one));
  }
}

/** True where a message like that of a step has not been delivered by the end of a run. */
const isUnderWay = ({ trial }: History, { message: { from, to, event } }: Step): boolean =>
  [...trial.run.pending].some((one) => one.from === from && one.to === to && one.event.type === event.type);

/** The message that a change moves, holds back or leaves for the end. */
const keyOf = (change: OrderChange | AcrossChange | AgainChange): string =>
  change.kind === 'order' ? change.moved : change.kind === 'across' ? change.held : change.again;

/** Two causes of one name say the same. */
const nameOfCause = ({ parts }: Cause): string => parts.map(nameOfPart).join('; ');

function nameOfPart(part: CausePart): string {
  switch (part.kind) {
    case 'order':
      return `${part.first.key} before ${part.second.key}`;
    case 'answer':
      return `${part.here.question?.key} ${part.there.pick}`;
    case 'again':
      return part.again.key;
    case 'network':
      return part.step.key;
  }
}
