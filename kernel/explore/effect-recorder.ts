import { answersOf } from '../choices.ts';
import { detached, eventIn } from '../detached.ts';
import { verifyProbe, verifyReport, verifyTimer } from '../emitted.ts';
import { KernelError } from '../errors.ts';
import { type InnerActors, refuseWithin } from '../inner-actors.ts';
import type { Address, LockstepEvent, Post, Probe, Report } from '../message.ts';
import { attached, type Port } from '../port.ts';
import type { Speakers } from '../protocol/speakers.ts';
import type { Befallen } from './fault-branches.ts';

/** A post as it was put out. */
export interface Posted {
  readonly to: Address;
  readonly delay: number;
  readonly event: LockstepEvent;
  /** True for a timer, which has a channel of its own. */
  readonly timer?: boolean;
  /** Whom it comes from, where that is the actor that the one which posts it is inside of. */
  readonly from?: Address;
}

/** A timer that a handling set or, without `ticks`, cancelled. */
export interface TimerChange {
  readonly type: string;
  readonly ticks: number | undefined;
}

/** What a handling sees besides context and event. */
export interface Setting {
  readonly name: string;
  readonly self: Address;
  readonly from: Address;
  /** Gives the input of the actor. */
  readonly inputOf: () => unknown;
  /** The present tick, undefined where it is no part of a state. */
  readonly now: number | undefined;
  /** True where messages are handed over as they were posted, their envelope included. */
  readonly zeroCopy: boolean;
  /** True in an asynchronous wiring, which has no time. */
  readonly timeless: boolean;
  /** Which actors are inside others; undefined where none is. */
  readonly inner: InnerActors | undefined;
}

/** What a handling read of its envelope, as bits. */
export const reads = { nothing: 0, from: 1, now: 2 } as const;

/** Thrown by a handling that asks for the time where the tick is no part of a state: the exploration begins anew with it. */
export class ClockNeeded extends KernelError {
  constructor(actor: string) {
    super('KRN018', actor, 'it reads the time');
  }
}

/** Records the effects of a handling and what it read of its envelope, and passes its questions on. */
export class EffectRecorder implements Port {
  readonly posts: Posted[] = [];
  readonly timers: TimerChange[] = [];
  readonly reports: Report[] = [];
  readonly probes: Probe[] = [];
  /** What was read, of `reads`. */
  read: number = reads.nothing;
  /** Whether it has said something within the whole that the actor belongs to. */
  #saidWithin = false;
  readonly name: string;
  readonly self: Address;

  constructor(
    private readonly setting: Setting,
    private readonly ask: (count: number) => number,
    readonly observed: boolean,
    /** What faults make of a post, where there are some. */
    private readonly befall:
      | ((to: Address, delay: number, event: LockstepEvent) => readonly Befallen[])
      | undefined,
    private readonly speakers: Speakers | undefined,
  ) {
    this.name = setting.name;
    this.self = setting.self;
  }

  get input(): unknown {
    return this.setting.inputOf();
  }

  get from(): Address {
    this.read |= reads.from;
    return this.setting.from;
  }

  get now(): number {
    const { now, timeless } = this.setting;
    if (timeless) throw new KernelError('KRN015', 'now', 'there is no time');
    if (now === undefined) throw new ClockNeeded(this.name);
    this.read |= reads.now;
    return now;
  }

  post(message: Post): void {
    attached(this, 'post').send(message.to, message.delay, message);
  }

  send(to: Address, delay: number | undefined, message: Post): void {
    attached(this, 'send');
    if (delay !== undefined && (!Number.isSafeInteger(delay) || delay < 0))
      throw new KernelError('KRN006', this.name, `the delay of "${message.type}" is ${delay}`);
    if (!(to >= 0))
      throw new KernelError('KRN005', this.name, `"${message.type}" was posted to address ${to}`);
    if (delay !== undefined && delay > 0 && this.setting.timeless)
      throw new KernelError('KRN015', this.name, `the delay of "${message.type}" is ${delay}`);
    if (delay !== undefined && delay >= 2 ** 32)
      throw new KernelError('KRN012', this.name, `the delay of "${message.type}" is ${delay}`);
    this.speakers?.check(this.name, to, message);
    const { inner } = this.setting;
    const from = inner?.senderOf(this.self, to, delay ?? 0, message.type) ?? this.self;
    const isWithin = inner?.isWithin(from, to) ?? false;
    if (isWithin && this.#saidWithin) refuseWithin(this.name, message.type);
    this.#saidWithin ||= isWithin;
    const event = this.setting.zeroCopy ? detached(message, true) : eventIn(message, to, delay, true);
    if (this.befall && !isWithin) {
      for (const befallen of this.befall(to, delay ?? 0, event))
        this.#put(to, from, befallen.delay, befallen.event);
    } else this.#put(to, from, delay ?? 0, event);
  }

  #put(to: Address, from: Address, delay: number, event: LockstepEvent): void {
    this.posts.push(from === this.self ? { to, delay, event } : { to, from, delay, event });
  }

  setTimer(type: string, ticks = 1): void {
    attached(this, 'setTimer');
    verifyTimer(type);
    if (!Number.isSafeInteger(ticks) || ticks < 1)
      throw new KernelError('KRN006', this.name, `the timer "${type}" has ${ticks} ticks`);
    if (ticks >= 2 ** 32)
      throw new KernelError('KRN012', this.name, `the timer "${type}" has ${ticks} ticks`);
    this.setting.inner?.verifyOuter(this.self, `it sets the timer "${type}"`);
    this.speakers?.checkOwn(this.self, 'timer', type);
    this.timers.push({ type, ticks: this.setting.timeless ? 0 : ticks });
  }

  cancelTimer(type: string): void {
    attached(this, 'cancelTimer').timers.push({ type, ticks: undefined });
  }

  pick(what: string, count: number): number {
    if (count === 1) return 0;
    return attached(this, 'pick').ask(answersOf(`${this.name} ${what}`, count));
  }

  probe(probe: Probe): void {
    const { probes } = attached(this, 'probe');
    verifyProbe(probe);
    this.speakers?.checkOwn(this.self, 'probe', probe);
    probes.push(detached(probe, true));
  }

  report(report: Report): void {
    const { reports } = attached(this, 'report');
    verifyReport(report);
    reports.push(report);
  }
}
