import { Subject } from 'rxjs';
import type { Actor, Host } from './actor.ts';
import type { Calendar } from './calendar.ts';
import { answersOf, type Choices } from './choices.ts';
import { detached, eventIn } from './detached.ts';
import { defect, KernelError } from './errors.ts';
import type { Injection } from './faults.ts';
import type { FaultHost, FaultInjector } from './faults-injector.ts';
import type { InFlight } from './in-flight.ts';
import { type InnerActors, refuseWithin } from './inner-actors.ts';
import type { RunListener } from './listener.ts';
import { type Address, type LockstepEvent, Message, type Post, type Probe, type Report } from './message.ts';
import type { Speakers } from './protocol/speakers.ts';
import type { Pick, Run, Shown } from './run.ts';
import { emit } from './stream.ts';
import { familySpan } from './wiring.ts';

/**
 * What the actors of a run do to the world around them: messages into the calendar, picks from the choices, probes and reports to observers.
 *
 * Details: one class with methods, and not functions made for each run, so that the engine of the computer calls the same text for all runs.
 */
export class ActorHost implements Host, FaultHost {
  /** Messages posted so far: the number of the next one. */
  seq = 0;
  /** Number of the message that is being handled, -1 outside of deliveries. */
  cause = -1;
  /** What stands between posts and the calendar, in a run with faults. */
  faults: FaultInjector | undefined = undefined;
  readonly calendar: Calendar;
  /** What actors show while they start, before anybody can listen: told before the first tick. Undefined from then on. */
  shownAtStart: Shown[] | undefined = [];
  /** Faults that struck while they did. */
  struckAtStart: Injection[] = [];
  /** What was picked while the actors started, when nobody can have subscribed yet. */
  readonly pickedAtStart: Pick[] = [];
  /** Those who hear of probes besides the stream. */
  listeners: readonly RunListener[] = [];
  /** What is under way in an asynchronous wiring. */
  readonly inFlight: InFlight | undefined;
  /** Which actors are inside others; undefined where none is. */
  readonly inner: InnerActors | undefined;
  /** What an actor of a whole has said to another one of it, which is delivered next. */
  within: Message | undefined = undefined;
  /** Set when an actor reads the time. */
  timeRead = false;
  /** Timers that are set, by actor and type, in a clocked wiring. */
  readonly #timers = new Map<Address, Map<string, Message>>();
  readonly #run: Run;
  readonly #speakers: Speakers | undefined;
  readonly #choices: Choices;
  readonly #zeroCopy: boolean;
  #probes$: Subject<Shown> | undefined;
  /** True while what is shown is held back. */
  #holds = false;
  readonly #held: Shown[] = [];
  #picks$: Subject<Pick> | undefined;

  constructor(
    run: Run,
    calendar: Calendar,
    choices: Choices,
    inFlight: InFlight | undefined,
    speakers: Speakers | undefined,
    inner: InnerActors | undefined,
    zeroCopy: boolean,
  ) {
    this.#run = run;
    this.#zeroCopy = zeroCopy;
    this.inner = inner;
    this.#speakers = speakers;
    this.calendar = calendar;
    this.inFlight = inFlight;
    this.#choices = choices;
  }

  /** What actors show. */
  get probes$(): Subject<Shown> {
    this.#probes$ ??= new Subject();
    return this.#probes$;
  }

  /** The picks, as they are made. */
  get picks$(): Subject<Pick> {
    this.#picks$ ??= new Subject();
    return this.#picks$;
  }

  get observed(): boolean {
    // Whether something is shown decides there whether a message was received, and must not depend on who looks.
    return (
      this.inFlight !== undefined ||
      this.shownAtStart !== undefined ||
      this.listeners.length > 0 ||
      this.#probes$?.observed === true
    );
  }

  get now(): number {
    if (this.inFlight) throw new KernelError('KRN015', 'now', 'there is no time');
    this.timeRead = true;
    return this.calendar.now;
  }

  /** Posts a message. Errors: KRN005 for an address that is none, KRN006 for a delay that is none, KRN015 for a delay where there is no time. */
  send(from: Address, to: Address, delay: number | undefined, post: Post): void {
    // What is rare is done elsewhere: V8 puts a short function into its caller.
    let due = this.calendar.now;
    if (delay !== undefined && delay !== 0) {
      due += delay;
      const isDelay = delay > 0 && Number.isSafeInteger(delay) && Number.isSafeInteger(due);
      if (!isDelay || this.inFlight !== undefined) this.#refuseDelay(from, delay, post);
    }
    if (!(to >= 0))
      throw new KernelError('KRN005', this.#run.nameOf(from), `"${post.type}" was posted to address ${to}`);
    if (this.#speakers !== undefined) this.#speakers.check(this.#run.nameOf(from), to, post);
    const event = this.#zeroCopy ? post : eventIn(post, to, delay);
    // Only members of families are inside others.
    if (this.inner !== undefined && (from >= familySpan || to >= familySpan))
      this.#sendInner(this.inner, from, to, due, event);
    else this.#put(new Message(this.seq++, due, from, to, this.cause, event));
  }

  #refuseDelay(from: Address, delay: number, { type }: Post): never {
    const found = `the delay of "${type}"`;
    const isTicks = Number.isSafeInteger(delay) && delay > 0;
    throw new KernelError(
      isTicks && this.inFlight ? 'KRN015' : 'KRN006',
      this.#run.nameOf(from),
      isTicks && !this.inFlight ? `${found} leads beyond the last tick` : `${found} is ${delay}`,
    );
  }

  /** Posts a message from or to an actor inside another one. */
  #sendInner(inner: InnerActors, from: Address, to: Address, due: number, event: LockstepEvent): void {
    const { now } = this.calendar;
    if (due === now && inner.isWithin(from, to)) {
      if (this.cause < 0 || this.within !== undefined) refuseWithin(this.#run.nameOf(from), event.type);
      this.within = new Message(this.seq++, due, from, to, this.cause, event);
      return;
    }
    const sender = inner.senderOf(from, to, due - now, event.type);
    this.#put(new Message(this.seq++, due, sender, to, this.cause, event));
  }

  #put(message: Message): void {
    if (this.inFlight !== undefined) this.inFlight.effects++;
    if (this.faults !== undefined) this.faults.send(message);
    else this.add(message);
  }

  /** Puts a message into the calendar, or under way. */
  add(message: Message): void {
    (this.inFlight ?? this.calendar).add(message);
  }

  /** Sets a timer, unless it is set. Errors: KRN006 for ticks that are no whole number from 1. */
  setTimer({ name, address }: Actor, type: string, ticks: number): void {
    if (!Number.isSafeInteger(ticks) || ticks < 1)
      throw new KernelError('KRN006', name, `the timer "${type}" has ${ticks} ticks`);
    const { calendar, inFlight } = this;
    this.inner?.verifyOuter(address, `it sets the timer "${type}"`);
    this.#speakers?.checkOwn(address, 'timer', type);
    if (inFlight?.isSet(address, type) || this.#timers.get(address)?.has(type)) return;
    const due = inFlight ? 0 : calendar.now + ticks;
    const timer = new Message(this.seq++, due, address, address, this.cause, { type }, true);
    if (inFlight) inFlight.add(timer);
    else this.keepTimer(timer);
  }

  /** Puts a timer into the calendar. */
  keepTimer(timer: Message): void {
    const timers = this.#timers.get(timer.to) ?? new Map<string, Message>();
    this.#timers.set(timer.to, timers.set(timer.event.type, timer));
    this.calendar.add(timer);
  }

  /** Cancels a timer that is set. */
  cancelTimer({ address }: Actor, type: string): void {
    this.inFlight?.cancel(address, type);
    const timer = this.#timers.get(address)?.get(type);
    if (timer === undefined) return;
    this.wentOff(timer);
    this.calendar.remove(timer);
  }

  /** A timer is not set any more. */
  wentOff({ to, event }: Message): void {
    this.#timers.get(to)?.delete(event.type);
  }

  /** Forgets the timers of an actor that begins anew; those that are still in the calendar reach nobody. */
  forgetTimersOf(address: Address): void {
    this.#timers.delete(address);
  }

  /** Forgets all timers. */
  clearTimers(): void {
    this.#timers.clear();
  }

  pick(part: Actor, what: string, count: number): number {
    const whole = `${part.name} ${what}`;
    const answers = answersOf(whole, count);
    const tried = this.inFlight?.answer(answers);
    if (tried !== undefined) {
      this.inFlight!.answered(answers, tried);
      return tried;
    }
    const pick = this.choose(whole, answers);
    this.inFlight?.answered(answers, pick);
    return pick;
  }

  /** Asks for a pick and shows it. */
  choose(what: string, count: number, candidates?: readonly Message[]): number {
    const pick = this.#choices.pick(what, count, candidates);
    if (!(Number.isInteger(pick) && pick >= 0 && pick < count))
      defect(`picked ${pick} of ${count} for "${what}"`);
    const tick = this.calendar.now;
    if (this.#picks$?.observed) emit(this.#picks$, 'picks$', tick, { tick, what, count, pick });
    if (this.shownAtStart !== undefined) this.pickedAtStart.push({ tick, what, count, pick });
    return pick;
  }

  nextSeq(): number {
    return this.seq++;
  }

  nameOf(address: Address): string {
    return this.#run.nameOf(address);
  }

  hasActorAt(address: Address): boolean {
    return this.#run.hasActorAt(address);
  }

  tell(injection: Injection): void {
    if (this.shownAtStart !== undefined) this.struckAtStart.push(injection);
    else emit(this.#run.faults$, 'faults$', this.calendar.now, injection);
  }

  /** An event for who receives it: a value of its own. */
  given(event: LockstepEvent): LockstepEvent {
    return this.#zeroCopy ? event : detached(event);
  }

  show(part: Actor, shown: Probe): void {
    const probe = this.#zeroCopy ? shown : detached(shown);
    const tick = this.calendar.now;
    const { name, address } = part;
    this.#speakers?.checkOwn(address, 'probe', shown);
    if (this.inFlight) this.inFlight.effects++;
    if (this.shownAtStart) this.shownAtStart.push({ tick, actor: name, address, probe });
    else if (this.#holds) this.#held.push({ tick, actor: name, address, probe });
    else this.tellShown(tick, name, probe, address);
  }

  /** Holds back what is shown from now on until it is released: a message is told before what its receiver shows. */
  hold(): void {
    this.#holds = true;
  }

  /** Tells observers what was held back. */
  release(): void {
    this.#holds = false;
    if (this.#held.length === 0) return;
    for (const one of this.#held.splice(0)) this.tellShown(one.tick, one.actor, one.probe, one.address);
  }

  /** Tells observers of a probe. */
  tellShown(tick: number, actor: string, probe: Probe, address: Address): void {
    for (const listener of this.listeners) listener.shown!(tick, actor, probe, address);
    if (this.#probes$?.observed) emit(this.#probes$, 'probes$', tick, { tick, actor, address, probe });
  }

  complain(part: Actor, report: Report): void {
    if (this.inFlight) this.inFlight.effects++;
    const violation = this.#run.report([part.name], report);
    emit(this.#run.reports$, 'reports$', violation.tick, violation);
  }
}
