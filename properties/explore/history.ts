import { type Tape, TapeChoices } from '../../kernel/choices.ts';
import type { Address, Message, Probe } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import type { StruckFault } from './struck-fault.ts';
import type { Trial, TrialOptions, Trials } from './trial.ts';

/** One delivery of a run, as it can be told afterwards. */
export interface Step {
  /** Number of the delivery in the run, from 0. */
  readonly index: number;
  readonly message: Message;
  readonly from: string;
  readonly to: string;
  /** What the same message is called in another run of the scenario: sender, receiver, type, and how many such there were before it. */
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
  /** For such another choice, what was posted by the handling in which it was made, as far as it was delivered. */
  readonly posted: readonly Message[];
}

/** What happened in one run, delivery by delivery, up to its first violation; a message that could not be handled is the last one. */
export interface History {
  readonly trial: Trial;
  readonly steps: readonly Step[];
  /** The picks, those that are 0 where there are steps. */
  readonly decisions: readonly Decision[];
  /** Picks that were asked for in the whole run. */
  readonly picks: number;
  /** The faults that struck, in their order. */
  readonly faults: readonly StruckFault[];
  /** The delivery during which the first violation was found; absent when it was found at the end of a tick or of the run, or when there was none. */
  readonly within?: number;
  nameOf(address: Address): string;
}

/** Steps that are kept of a longer run: so many of the first ones, and at least so many of the last ones. */
const stepsKept = 200_000;

/** Carries a run out under a tape and keeps what happened. */
export function historyOf(trials: Trials, tape: Tape, options: TrialOptions = {}): History {
  const recorder = new Recorder(tape);
  const trial = trials.attempt(recorder.choices, { ...options, observe: (run) => recorder.attach(run) });
  return recorder.history(trial);
}

class Recorder {
  readonly choices: TapeChoices;
  readonly #steps: Step[] = [];
  #decisions: Decision[] = [];
  readonly #faults: StruckFault[] = [];
  readonly #states = new Map<Address, string>();
  readonly #counts = new Map<string, number>();
  #shown: Probe[] = [];
  #deliveries = 0;
  #violated = false;
  #settled = false;
  #within: number | undefined;
  #run: Run | undefined;

  constructor(tape: Tape) {
    this.choices = new NotingTape(tape, (decision, candidates) => {
      if (this.#settled) return;
      const [tick, index] = [this.#run?.now ?? 0, this.#deliveries];
      this.#decisions.push({ ...decision, candidates: [...candidates], posted: [], tick, index });
    });
  }

  attach(run: Run): void {
    this.#run = run;
    for (const { address, configuration } of run.parts) this.#states.set(address, configuration.name);
    run.probes$.subscribe(({ probe }) => this.#shown.push(probe));
    run.faults$.subscribe((fault) => {
      if (!this.#settled) this.#faults.push({ ...fault, index: this.#deliveries });
    });
    run.violations$.subscribe(() => {
      this.#violated = true;
    });
    run.ticks$.subscribe(() => {
      this.#settled = this.#violated;
    });
    run.messages$.subscribe(({ message, from, to, index }) => {
      this.#deliveries = index + 1;
      if (!this.#settled) this.#note(run, message, from, to, index);
      this.#shown = [];
      // What is found during a delivery is found before the delivery is shown.
      if (!this.#violated || this.#settled) return;
      this.#within = index;
      this.#settled = true;
    });
  }

  #note(run: Run, message: Message, from: string, to: string, index: number): void {
    const channel = `${from} ${to} ${message.event.type}`;
    const count = this.#counts.get(channel) ?? 0;
    this.#counts.set(channel, count + 1);
    const before = this.#states.get(message.to) ?? unborn;
    const after = stateAt(run, message.to);
    this.#states.set(message.to, after);
    this.#steps.push({
      index,
      message,
      from,
      to,
      key: `${channel} ${count}`,
      before,
      after,
      shown: this.#shown,
    });
    if (this.#steps.length === 3 * stepsKept) this.#forget();
  }

  /** Forgets the older half of the steps after the first ones, and the picks in between that are 0. */
  #forget(): void {
    const [first, end] = [this.#steps[stepsKept]!.index, this.#steps[2 * stepsKept]!.index];
    this.#steps.splice(stepsKept, stepsKept);
    this.#decisions = this.#decisions.filter(
      ({ pick, index }) => pick !== 0 || index < first || index >= end,
    );
  }

  #withPosted(decision: Decision): Decision {
    const during = this.#steps.find(({ index }) => index === decision.index);
    const posted = this.#steps.filter(({ message }) => message.cause === during?.message.seq);
    return { ...decision, posted: posted.map(({ message }) => message) };
  }

  history(trial: Trial): History {
    const { failure } = trial.outcome;
    if (failure && this.#run) {
      const { received, actor } = failure;
      this.#note(this.#run, received, this.#run.nameOf(received.from), actor, this.#deliveries);
    }
    return {
      trial,
      steps: this.#steps,
      decisions: this.#decisions.map((one) => (one.candidates.length > 0 ? one : this.#withPosted(one))),
      picks: this.choices.position,
      faults: this.#faults,
      ...(this.#within !== undefined && { within: this.#within }),
      nameOf: (address) => trial.run.nameOf(address),
    };
  }
}

/** State of an actor that has not come to life. */
const unborn = 'not there yet';

/** The state of the actor at an address, also of one to which a message failed because nobody is there. */
function stateAt(run: Run, address: Address): string {
  try {
    return run.part(address).configuration.name;
  } catch {
    return unborn;
  }
}

type NotedPick = Pick<Decision, 'position' | 'what' | 'count' | 'pick'>;

/** Feeds a tape and shows every pick with what it was chosen from. */
class NotingTape extends TapeChoices {
  readonly #note: (pick: NotedPick, candidates: readonly Message[]) => void;

  constructor(tape: Tape, note: (pick: NotedPick, candidates: readonly Message[]) => void) {
    super(tape);
    this.#note = note;
  }

  /** False, so that every pick is asked for. */
  override get canonical(): boolean {
    return false;
  }

  override pick(what: string, count: number, candidates: readonly Message[] = []): number {
    const position = this.position;
    const pick = super.pick(what, count);
    this.#note({ position, what, count, pick }, candidates);
    return pick;
  }
}
