import { type Found, failsItself, type Observer } from '../kernel/explore/observer.ts';
import type { GlobalState } from '../kernel/global-state.ts';
import type { RunListener } from '../kernel/listener.ts';
import type { Message, Probe } from '../kernel/message.ts';
import type { Round } from '../kernel/outcome.ts';
import { asLooked, isSampled, readOnlyCopy } from '../kernel/read-only.ts';
import type { Run } from '../kernel/run.ts';
import { Observing } from './observing.ts';
import { roundWords } from './round-words.ts';
import type { MessageObservation, ProbeObservation } from './temporal/pattern.ts';

/** One observer at work on the run. */
interface Watching {
  readonly observer: Observer;
  readonly observing: Observing;
  /** True once it has failed itself: it looks no further. */
  failed: boolean;
  /** While it is looked whether the run goes round, the keys of what has been pending ever since. */
  open: ReadonlySet<string> | undefined;
}

/**
 * Observers at work on one run: each is told of the types that it watches and of nothing else, and what nobody watches costs one look into a table.
 *
 * Details: what must have come some time is judged when the run has come to rest; in one that was cut short, or failed, what is missing proves nothing, and what some other run
 * shows is not asked of this one. Observations tell their tick, which those of the checker do not. An observer that throws is a finding of its own sentence.
 *
 * Gotchas: who watches a type hears of it before those who watch all.
 */
export class Observers implements RunListener {
  readonly #run: Run;
  readonly #watching: Watching[] = [];
  readonly #byTick: Watching[] = [];
  /** By type, those who are told of it, in their order. */
  readonly #ofMessages = new Map<string, readonly Watching[]>();
  readonly #ofProbes = new Map<string, readonly Watching[]>();
  /** What the one who looks just now has found: reported when it has looked. */
  readonly #found: Found[] = [];
  /** Those of whom something has been pending since it is looked whether the run goes round. */
  #seeking: readonly Watching[] = [];
  #state: { readonly tick: number; readonly state: GlobalState } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Lets one more observer look: at what actors showed while they started, then at the state before the first tick. Gotchas: add all before the first step. */
  add(observer: Observer): { readonly judged: boolean } {
    const { sentence, names = [], seeState, advance, endOfTick } = observer;
    let observing: Observing;
    let watching: Watching;
    try {
      observing = new Observing(
        observer,
        observer.keepsNothing ? (tick) => this.#stateAt(tick) : () => this.#run.presentState('copies'),
        (finding) => this.#found.push(finding),
        this.#run.zeroCopy,
        (key) => {
          if (watching.open?.has(key))
            watching.open = new Set([...watching.open].filter((one) => one !== key));
        },
      );
    } catch (error) {
      this.#tellFailure(sentence, error);
      return { judged: false };
    }
    watching = { observer, observing, failed: false, open: undefined };
    if (!this.#run.isAtStart) this.#look(watching, () => observing.state());
    this.#watching.push(watching);
    if (seeState ?? advance ?? endOfTick) this.#byTick.push(watching);
    // One that names nobody has judged nothing, whatever it has seen.
    return names.every((pattern) => this.#run.hasActorNamed(pattern)) ? observing : { judged: false };
  }

  started(): void {
    for (const one of this.#watching) this.#look(one, () => one.observing.state());
  }

  delivered(message: Message, to: string): void {
    const { event, due, from } = message;
    const audience = this.#ofMessages.get(event.type) ?? this.#audienceOf(event.type, this.#ofMessages, true);
    if (audience.length === 0) return;
    const observation: MessageObservation = {
      kind: 'message',
      from: this.#run.nameOf(from),
      to,
      event: isSampled(due) && !this.#run.zeroCopy ? readOnlyCopy(event) : event,
      tick: due,
    };
    for (let i = 0; i < audience.length; i++) {
      const one = audience[i]!;
      if (one.failed) continue;
      try {
        one.observing.message(observation);
      } catch (error) {
        this.#fail(one, error);
      }
      if (this.#found.length > 0) this.#report(one);
    }
  }

  shown(tick: number, actor: string, probe: Probe): void {
    const audience = this.#ofProbes.get(probe.type) ?? this.#audienceOf(probe.type, this.#ofProbes, false);
    if (audience.length === 0) return;
    const observation: ProbeObservation = { kind: 'probe', actor, probe, tick };
    for (let i = 0; i < audience.length; i++) {
      const one = audience[i]!;
      if (one.failed) continue;
      try {
        one.observing.probe(observation);
      } catch (error) {
        this.#fail(one, error);
      }
      if (this.#found.length > 0) this.#report(one);
    }
  }

  tickEnded(tick: number): void {
    for (const one of this.#byTick) this.#look(one, () => one.observing.endOfTick(tick));
    for (const one of this.#seeking) this.#look(one, () => this.#keepOpen(one));
    if (this.#seeking.length > 0) this.#seeking = this.#seeking.filter(({ open }) => open!.size > 0);
  }

  roundSought(begins: boolean): void {
    this.#seeking = this.#watching.filter(
      ({ observer: { pending, reachable }, failed }) => begins && pending && !reachable && !failed,
    );
    for (const one of this.#seeking) one.open = undefined;
    for (const one of this.#seeking) this.#look(one, () => this.#keepOpen(one));
  }

  /** Keeps of what is open what is pending now. */
  #keepOpen(one: Watching): void {
    const pending = one.observing.pending.map(({ key }) => key);
    one.open = new Set(one.open ? pending.filter((key) => one.open!.has(key)) : pending);
  }

  /**
   * The run is over, or left where it stands: what has not come when it has come to rest by itself, deadlocks included, never will, and a deadline has passed with the last tick that was carried
   * out, whether something happened in it or not.
   */
  end(): void {
    const { isAtRest, ended, asynchronous, carriedTo } = this.#run;
    const { round } = this.#run.outcome;
    if (round) for (const one of this.#seeking) this.#look(one, () => this.#waitsForEver(one, round));
    if (isAtRest) for (const one of this.#watching) this.#look(one, () => one.observing.atRest());
    else if (!ended && !asynchronous)
      for (const one of this.#watching) this.#look(one, () => one.observing.moveOn(carriedTo + 1));
  }

  /** What was pending all the way round may never come: one of it, since there may be thousands. */
  #waitsForEver({ observing, open }: Watching, { from }: Round): void {
    const waited = observing.pending.find(({ key }) => open!.has(key));
    if (waited)
      this.#found.push({ actors: waited.actors, why: `${waited.why}, ${roundWords(from, this.#run)}` });
  }

  #look(one: Watching, look: () => void): void {
    if (one.failed) return;
    try {
      look();
    } catch (error) {
      this.#fail(one, error);
    }
    if (this.#found.length > 0) this.#report(one);
  }

  #fail(one: Watching, error: unknown): void {
    one.failed = true;
    this.#report(one);
    this.#tellFailure(one.observer.sentence, error);
  }

  #report({ observer: { sentence } }: Watching): void {
    for (const { actors, why, property = sentence } of this.#found.splice(0))
      this.#run.report(actors, { property, why });
  }

  /** A run that a property cannot judge is a finding like any other, so that it is recorded and can be replayed. */
  #tellFailure(sentence: string, error: unknown): void {
    this.#run.report([], { property: sentence, why: failsItself(asLooked(error, sentence)).why });
  }

  /** Who is told messages of a step is told all of them. */
  #audienceOf(
    type: string,
    known: Map<string, readonly Watching[]>,
    isMessage: boolean,
  ): readonly Watching[] {
    const toldAll = ({ observer: { watches, tellsSteps } }: Watching) =>
      watches === undefined || (isMessage && tellsSteps === true);
    const audience = [
      ...this.#watching.filter((one) => !toldAll(one) && one.observer.watches!.includes(type)),
      ...this.#watching.filter(toldAll),
    ];
    known.set(type, audience);
    return audience;
  }

  /** The state at the end of a tick, the same for all who keep nothing of it. */
  #stateAt(tick: number): GlobalState {
    if (this.#state?.tick !== tick)
      this.#state = { tick, state: this.#run.presentState(isSampled(tick) ? 'readOnly' : 'live') };
    return this.#state!.state;
  }
}
