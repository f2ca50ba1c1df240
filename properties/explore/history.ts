import { type Choices, TapeChoices } from '../../kernel/choices.ts';
import { hashOf } from '../../kernel/hash.ts';
import type { Address, Message, MessageContent, Probe } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { Identities, isOfNetwork } from './identities.ts';
import type { StruckFault } from './struck-fault.ts';
import type { Trial, TrialOptions, Trials } from './trial.ts';

/** One delivery of a run, as it can be told afterwards. */
export interface Step {
  /** Number of the delivery in the run, from 0. */
  readonly index: number;
  readonly message: Message;
  readonly from: string;
  readonly to: string;
  /** What the same message is called in another run of the scenario. */
  readonly key: string;
  /** States of the receiver, before and after. */
  readonly before: string;
  readonly after: string;
  /** What the receiver showed to observers meanwhile. */
  readonly shown: readonly Probe[];
}

/** One pick of a tape where it was asked for. */
export interface Decision {
  /** Place in the tape, from 0. */
  readonly position: number;
  readonly tick: number;
  readonly what: string;
  readonly count: number;
  readonly pick: number;
  /** Deliveries before it. */
  readonly index: number;
  /** The messages it was chosen from, oldest first; empty when the choice was about something else than which message is next. */
  readonly candidates: readonly Message[];
  /** For such another choice: what the same question is called in another run, the situation in which it was asked, and what came of it. */
  readonly question?: Question;
}

/** A choice that is not about which message is next. */
export interface Question {
  /** What the same question is called in another run of the scenario. */
  readonly key: string;
  /** Hash of who asked what in which state: the same answer has the same effect there. */
  readonly situation: string;
  /** What was posted by the handling in which it was asked. */
  readonly posted: readonly Message[];
  /** Hash of what that handling posted, showed and led to; and one that looks at receivers and types only. */
  readonly effect: string;
  readonly kind: string;
}

/** What happened in one run, delivery by delivery, up to its first violation; a message that could not be handled is the last one. */
export interface History {
  readonly trial: Trial;
  readonly steps: readonly Step[];
  /**
   * Messages that were due by the tick of the failure, or under way then in an asynchronous network, and came later or not at all: in their order, and with unknown states.
   */
  readonly late: readonly Step[];
  /** What came in later ticks, where the run went on: deliveries with unknown states, and picks. */
  readonly after: { readonly steps: readonly Step[]; readonly decisions: readonly Decision[] };
  /** Steps of an asynchronous network up to the failure, in their order. */
  readonly network: readonly NetworkStep[];
  /** Names of what could have been next in an asynchronous network and never came, such as timers that were cancelled. */
  readonly passedOver: ReadonlySet<string>;
  /** The picks up to the failure, those that are 0 where there are steps. */
  readonly decisions: readonly Decision[];
  /** Picks that were asked for in the whole run. */
  readonly picks: number;
  /** The faults that struck, in their order. */
  readonly faults: readonly StruckFault[];
  /** The delivery during which the first violation was found; absent when it was found at the end of a tick or of the run, or when there was none. */
  readonly within?: number;
  /** Addresses of actors that only drive the others, as their state machines declare. */
  readonly bookkeeping: ReadonlySet<Address>;
  nameOf(address: Address): string;
  /** A message whose event has names in place of the addresses that the protocol tells of. */
  named(message: Message, nameOf: (address: Address) => string): MessageContent;
}

/** Of what came of an actor at others, what it sent last. */
export function lastSentBy(steps: readonly Step[], actor: string): Step | undefined {
  let last: Step | undefined;
  for (const step of steps)
    if (step.from === actor && step.to !== actor && step.message.seq > (last?.message.seq ?? -1)) last = step;
  return last;
}

/**
 * What was sent to others with an answer to a question, and not with another one: the first such message; undefined where nothing of the kind was sent, as when a fault
 * takes a message away.
 *
 * Details: what an actor reminds itself of does not tell answers apart.
 */
export function sentOnlyWith(answer: Decision, other: Decision): Message | undefined {
  const sent = ({ question }: Decision) => (question?.posted ?? []).filter(({ from, to }) => from !== to);
  const nameOf = ({ to, event }: Message) => hashOf([to, event]);
  const theirs = sent(other).map(nameOf);
  return sent(answer).find((message) => {
    const at = theirs.indexOf(nameOf(message));
    if (at >= 0) theirs.splice(at, 1);
    return at < 0;
  });
}

/** A step of an asynchronous network: it loses a message, stops a party. */
export interface NetworkStep {
  /** Its name, as `Step.key`. */
  readonly key: string;
  /** Deliveries before it. */
  readonly index: number;
  /** What it did. */
  readonly fault: StruckFault;
}

/** True where the violation is at the very end: nothing will happen any more. */
export const isAtRest = ({ trial, within, steps }: History): boolean =>
  within === undefined && trial.outcome.deliveries <= (steps.at(-1)?.index ?? -1) + 1 && trial.run.isAtRest;

/** Steps that are kept of a longer run: so many of the first ones, and at least so many of the last ones. */
const stepsKept = 200_000;

/**
 * Carries out again the run of a tape that comes to something worse than what it violates before, and keeps what happened to its end: an actor that waits in a deadlock has gone on behind a
 * violation.
 */
export function wholeHistoryOf(trials: Trials, history: History, options: TrialOptions = {}): History {
  const { verdict, violations } = history.trial.outcome;
  if (verdict === 'violated' || violations.length === 0) return history;
  return carriedOut(trials, new Recorder(new TapeChoices(history.trial.tape), false), options);
}

/** Carries a run out under choices and keeps what happened. `follow` is called before its first step. */
export function historyOf(
  trials: Trials,
  choices: Choices,
  options: TrialOptions = {},
  follow?: (run: Run) => void,
): History {
  return carriedOut(trials, new Recorder(choices, true), options, follow);
}

function carriedOut(
  trials: Trials,
  recorder: Recorder,
  options: TrialOptions,
  follow?: (run: Run) => void,
): History {
  const trial = trials.attempt(recorder.choices, {
    ...options,
    observe: (run, { assembly }) => {
      recorder.attach(run, assembly.wiring);
      follow?.(run);
    },
  });
  return recorder.history(trial);
}

interface NotedDecision {
  readonly decision: Decision;
  readonly asked: Asked | undefined;
}

/** A question as it was asked: what came of it is known later. */
type Asked = Pick<Question, 'key' | 'situation'> & { readonly during?: number };

class Recorder {
  readonly choices: NotedChoices;
  readonly #identities = new Identities();
  readonly #steps: Step[] = [];
  readonly #late: Step[] = [];
  readonly #after: Step[] = [];
  #decisions: NotedDecision[] = [];
  readonly #decisionsAfter: NotedDecision[] = [];
  readonly #faults: StruckFault[] = [];
  readonly #network: NetworkStep[] = [];
  /** Name of the step of the network that is being taken. */
  #networkKey: string | undefined;
  readonly #states = new Map<Address, string>();
  /** Messages by the handlings that posted them, of handlings in which something was asked. */
  readonly #posted = new Map<number, Message[]>();
  readonly #bookkeeping = new Set<Address>();
  /** What the receiver of the last message has shown, and what was shown since. */
  #shownLast: Probe[] = [];
  #shown: Probe[] = [];
  #deliveries = 0;
  /** Number of the last message that was told. */
  #told = -1;
  #violated = false;
  readonly #settles: boolean;
  #settled = false;
  /** Numbers of the messages that were under way in an asynchronous network when the failure was found. */
  #underWay: ReadonlySet<number> = new Set();
  /** Names of what could have been next. */
  readonly #offered = new Set<string>();
  #within: number | undefined;
  #run: Run | undefined;

  /** `settles`: what comes behind a violation is kept apart. */
  constructor(choices: Choices, settles: boolean) {
    this.#settles = settles;
    this.choices = new NotedChoices(choices, (decision, candidates) => {
      if (this.#settled && candidates.length > 0) return;
      const [tick, index] = [this.#run?.now ?? 0, this.#deliveries];
      if (this.#run?.asynchronous) {
        for (const one of candidates) this.#offered.add(this.#identities.ofMessage(one));
        this.#takesNetworkStep(candidates[decision.pick]);
      }
      const asked = candidates.length === 0 ? this.#asked(decision) : undefined;
      const list = this.#settled ? this.#decisionsAfter : this.#decisions;
      list.push({ decision: { ...decision, candidates: [...candidates], tick, index }, asked });
    });
  }

  #takesNetworkStep(taken: Message | undefined): void {
    this.#networkKey = undefined;
    if (!taken || !isOfNetwork(taken.event.type)) return;
    this.#networkKey = this.#identities.ofMessage(taken);
    this.#identities.delivered(taken);
    this.#offered.delete(this.#networkKey);
  }

  #asked({ what, count }: NotedPick): Asked {
    const during = this.#run?.handled;
    const key = this.#identities.ofQuestion(what, during);
    if (!during || !this.#run) return { key, situation: `${what} ${count}` };
    if (!this.#posted.has(during.seq)) this.#posted.set(during.seq, []);
    return { key, situation: situationOf(this.#run, what, count), during: during.seq };
  }

  attach(run: Run, wiring: Wiring): void {
    this.#run = run;
    this.#identities.follow(run);
    for (const [address, placement] of wiring.placements.entries())
      if (placement?.machine.config.meta?.bookkeeping === true) this.#bookkeeping.add(address as Address);
    for (const { address, configuration } of run.parts) this.#states.set(address, configuration.name);
    run.probes$.subscribe(({ probe }) => {
      if (this.#isTold(run)) this.#shownLast.push(probe);
      else this.#shown.push(probe);
    });
    run.faults$.subscribe((fault) => {
      if (this.#settled) return;
      // No message tells that a party of a network comes back.
      if (fault.kind === 'restart') this.#states.set(fault.message.to, stateAt(run, fault.message.to));
      const struck = { ...fault, index: this.#deliveries };
      this.#faults.push(struck);
      if (fault.fault === undefined && this.#networkKey !== undefined)
        this.#network.push({
          key: this.#networkKey,
          index: struck.index,
          fault: struck,
        });
    });
    run.violations$.subscribe(() => {
      this.#violated = true;
      // What is found of something shown is found when its message has been told.
      if (this.#settled || !this.#isTold(run)) return;
      this.#within ??= this.#deliveries - 1;
      this.#settle(run);
    });
    run.ticks$.subscribe(() => {
      if (this.#violated && !this.#settled) this.#settle(run);
    });
    run.messages$.subscribe(({ message, from, to, index }) => {
      this.#deliveries = index + 1;
      this.#told = message.seq;
      this.#posted.get(message.cause)?.push(message);
      if (!this.#settled) this.#note(run, message, from, to, index);
      else this.#noteLater(message, index);
      // What is found during a delivery, and of the message itself, is found before the delivery is told.
      if (!this.#violated || this.#settled) return;
      this.#within ??= index;
      this.#settle(run);
    });
  }

  /** True while a message is handled of which the run has told already. */
  #isTold(run: Run): boolean {
    return run.isHandling && this.#told === run.handled?.seq;
  }

  #settle(run: Run): void {
    if (!this.#settles && !run.ended) return;
    this.#settled = true;
    if (run.asynchronous) this.#underWay = new Set([...run.pending].map(({ seq }) => seq));
  }

  #note(run: Run, message: Message, from: string, to: string, index: number): void {
    const key = this.#identities.ofMessage(message);
    this.#identities.delivered(message);
    const before = this.#states.get(message.to) ?? unborn;
    const after = stateAt(run, message.to);
    this.#states.set(message.to, after);
    this.#shownLast = this.#shown;
    this.#shown = [];
    this.#steps.push({ index, message, from, to, key, before, after, shown: this.#shownLast });
    if (this.#steps.length === 3 * stepsKept) this.#forget();
  }

  #noteLater(message: Message, index: number): void {
    const key = this.#identities.ofMessage(message);
    this.#identities.delivered(message);
    const [from, to] = [this.#run?.nameOf(message.from) ?? '', this.#run?.nameOf(message.to) ?? ''];
    const isLate = message.due <= (this.#steps.at(-1)?.message.due ?? 0) || this.#underWay.has(message.seq);
    const list = isLate ? this.#late : this.#after;
    if (list.length < stepsKept)
      list.push({ index, message, from, to, key, before: unborn, after: unborn, shown: [] });
  }

  /** Forgets the older half of the steps after the first ones, and the picks in between that are 0. */
  #forget(): void {
    const [first, end] = [this.#steps[stepsKept]!.index, this.#steps[2 * stepsKept]!.index];
    this.#steps.splice(stepsKept, stepsKept);
    this.#decisions = this.#decisions.filter(
      ({ decision: { pick, index } }) => pick !== 0 || index < first || index >= end,
    );
  }

  #withEffect(decision: Decision, asked: Asked, steps: ReadonlyMap<number, Step>): Decision {
    const { key, situation } = asked;
    const during = asked.during === undefined ? undefined : steps.get(asked.during);
    const posted = (asked.during !== undefined && this.#posted.get(asked.during)) || [];
    const way = posted.map(({ to, event }) => ({ to, type: event.type }));
    const data = posted.map(({ to, event }) => ({ to, event }));
    const kind = hashOf([way, during?.after ?? '']);
    const effect = hashOf([data, during?.after ?? '', during?.shown ?? []]);
    return { ...decision, question: { key, situation, posted, effect, kind } };
  }

  history(trial: Trial): History {
    const { failure } = trial.outcome;
    if (failure && this.#run) {
      const { actor, tick } = failure;
      // Without time a message is due when it is delivered, which this one was not.
      const received = this.#run.asynchronous ? failure.received.in(tick) : failure.received;
      this.#note(this.#run, received, this.#run.nameOf(received.from), actor, this.#deliveries);
    }
    if (this.#posted.size > 0)
      for (const message of trial.run.pending) this.#posted.get(message.cause)?.push(message);
    const { asynchronous, now, pending } = trial.run;
    const isCut = trial.outcome.failure || trial.outcome.livelock;
    // A run that ended where it failed would have come to them.
    if (asynchronous && (isCut || (trial.run.isAtRest && !this.#settled))) this.#settle(trial.run);
    const isOwed = ({ seq, due }: Message) => (asynchronous ? this.#underWay.has(seq) : isCut && due <= now);
    for (const message of pending)
      if (isOwed(message)) this.#noteLater(message, this.#deliveries + 1 + this.#late.length);
    const all = [...this.#steps, ...this.#late, ...this.#after];
    const steps = new Map(all.map((step) => [step.message.seq, step]));
    for (const { key } of all) this.#offered.delete(key);
    const finished = ({ decision, asked }: NotedDecision) =>
      asked ? this.#withEffect(decision, asked, steps) : decision;
    return {
      trial,
      steps: this.#steps,
      late: this.#late,
      after: { steps: this.#after, decisions: this.#decisionsAfter.map(finished) },
      network: this.#network,
      passedOver: this.#offered,
      decisions: this.#decisions.map(finished),
      picks: this.choices.position,
      faults: this.#faults,
      ...(this.#within !== undefined && { within: this.#within }),
      bookkeeping: this.#bookkeeping,
      nameOf: (address) => trial.run.nameOf(address),
      named: (message, nameOf) => trial.run.named(message, nameOf),
    };
  }
}

/** Names who asks what, in which state, and what it is handling. */
export function situationOf(run: Run, what: string, count: number): string {
  const message = run.handled;
  if (!message) return `${what} ${count}`;
  const asked = run.partAt(message.to);
  // A member of a family that is just being made is not there yet.
  return asked
    ? hashOf([what, count, asked.configuration.name, asked.context, message.event, message.from])
    : hashOf([what, count, message.to, message.event, message.from]);
}

/** State of an actor that has not come to life. */
const unborn = 'not there yet';

/** The state of the actor at an address, also of one to which a message failed because nobody is there. */
const stateAt = (run: Run, address: Address): string => run.partAt(address)?.configuration.name ?? unborn;

type NotedPick = Pick<Decision, 'position' | 'what' | 'count' | 'pick'>;

/** Shows every pick of other choices with what it was chosen from. */
class NotedChoices implements Choices {
  /** False, so that every pick is asked for. */
  readonly canonical = false;
  /** Picks that were asked for. */
  position = 0;
  readonly #source: Choices;
  readonly #note: (pick: NotedPick, candidates: readonly Message[]) => void;

  constructor(source: Choices, note: (pick: NotedPick, candidates: readonly Message[]) => void) {
    this.#source = source;
    this.#note = note;
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    const pick = this.#source.pick(what, count, candidates);
    this.#note({ position: this.position, what, count, pick }, candidates ?? []);
    this.position++;
    return pick;
  }

  save(): unknown {
    return { position: this.position, source: this.#source.save() };
  }

  load(saved: unknown): void {
    const { position, source } = saved as { position: number; source: unknown };
    this.position = position;
    this.#source.load(source);
  }
}
