import type { Patch } from 'immer';
import { Subject } from 'rxjs';
import type { AnyActorRef, AnyStateMachine } from 'xstate';
import { type Actor, type ActorSnapshot, CompiledActor, InterpretedActor } from './actor.ts';
import { ActorHost } from './actor-host.ts';
import { doTheSame } from './alike.ts';
import { Calendar } from './calendar.ts';
import { type Choices, canonical } from './choices.ts';
import { type CompiledMachine, compile } from './compile.ts';
import { copyContext, ownInput } from './copy.ts';
import { type DeliveryOrder, DeliveryOrders } from './coverage-orders.ts';
import { findDeadlock } from './deadlock.ts';
import { defect, KernelError } from './errors.ts';
import type { FaultState, InjectedFault, Injection } from './faults.ts';
import { FaultInjector } from './faults-injector.ts';
import {
  GlobalState,
  type LocalState,
  type MadeOf,
  type MessageUnderWay,
  PresentState,
} from './global-state.ts';
import { Hasher } from './hash.ts';
import { InFlight, type NetworkState } from './in-flight.ts';
import { InnerActors } from './inner-actors.ts';
import { onlyKeys } from './known-keys.ts';
import type { RunListener } from './listener.ts';
import { findRepetition } from './livelock.ts';
import {
  type Address,
  type Message,
  type MessageContent,
  type Post,
  type Probe,
  type Report,
  WORLD,
} from './message.ts';
import { type NetworkDrop, NetworkRules, type NetworkSplit, networkSteps } from './network.ts';
import type { Deadlock, Failure, IdleMessage, Livelock, Outcome, Round, Violation } from './outcome.ts';
import { isSampled } from './read-only.ts';
import { emit } from './stream.ts';
import { type StateMode, TransitionCounts } from './tables.ts';
import { familySpan, type Wiring } from './wiring.ts';

/** How a run is carried out. None of this changes what happens in it, except `choices` and `faults`. */
export interface RunOptions {
  /** Where all picks come from; first come, first served when absent. */
  readonly choices?: Choices;
  /** `compiled`: from tables. `xstate`: interpreted by XState itself, the oracle. */
  readonly engine?: 'compiled' | 'xstate';
  /** `mutable` contexts are fastest; `immutable` ones are persistent data made by Immer. The engine `xstate` is always immutable. */
  readonly state?: StateMode;
  /** Emit the Immer patches of every delivery on `patches$` (immutable state only). */
  readonly patches?: boolean;
  /** Deliveries that one tick may have before it counts as a livelock. Default 1,000,000. */
  readonly deliveriesPerTickMax?: number;
  /** Count transitions and guard outcomes by state machine, and orders of deliveries. The engine `xstate` counts orders only. */
  readonly coverage?: boolean;
  /** What goes wrong on purpose, where the choices say so. */
  readonly faults?: readonly InjectedFault[];
  /** Steps after which a run of an asynchronous wiring is cut, since timers may go off for ever. Default 10,000. */
  readonly stepsMax?: number;
}

const runOptions = [
  'choices',
  'engine',
  'state',
  'patches',
  'deliveriesPerTickMax',
  'coverage',
  'faults',
  'stepsMax',
] as const satisfies readonly (keyof RunOptions)[];

/** A message that has just been delivered. */
export interface Delivery {
  readonly message: Message;
  /** Name of the receiver. */
  readonly to: string;
  /** Name of the sender, `world` for messages from the outside. */
  readonly from: string;
  /** Number of the delivery in the run, from 0. */
  readonly index: number;
}

/** A probe with its place. */
export interface Shown<P extends Probe = Probe> {
  readonly tick: number;
  readonly actor: string;
  readonly address: Address;
  readonly probe: P;
}

/** One pick, as it was made. */
export interface Pick {
  readonly tick: number;
  readonly what: string;
  readonly count: number;
  readonly pick: number;
}

/** What Immer changed in one delivery. */
export interface ContextPatches {
  readonly tick: number;
  readonly actor: string;
  readonly patches: readonly Patch[];
}

/** A run at one moment: everything its future depends on, independent of the run it was taken from. */
export interface RunSnapshot {
  readonly tick: number;
  /** Ticks carried out, as in `Outcome`. */
  readonly ticks: number;
  readonly seq: number;
  readonly deliveries: number;
  readonly deliveriesThisTick: number;
  readonly parts: readonly { readonly address: Address; readonly snapshot: ActorSnapshot }[];
  readonly messages: readonly Message[];
  readonly choices: unknown;
  readonly violations: readonly Violation[];
  /** Absent in a run without faults. */
  readonly faults?: FaultState;
  /** Absent in a clocked wiring. */
  readonly network?: NetworkState;
}

/**
 * A run of a machine: a pure function of its wiring and its choices.
 *
 * Details: take the next tick; while messages due in it are left, pick one channel among those that have a deliverable message and
 * deliver; then emit the end of the tick. It ends when the calendar is empty. In an asynchronous wiring a tick is one step: one message is delivered or lost, a timer
 * goes off, a party crashes or comes back; it ends when no step changes anything.
 *
 * Gotchas: subscribe to the streams before the first step; observers may read, never post.
 */
export class Run {
  // Streams are made when somebody asks for them: runs of a campaign have many actors and no subscribers.
  #messages$: Subject<Delivery> | undefined;
  #ticks$: Subject<number> | undefined;
  #violations$: Subject<Violation> | undefined;
  #reports$: Subject<Violation> | undefined;
  #faults$: Subject<Injection> | undefined;
  #patches$: Subject<ContextPatches> | undefined;
  readonly #wiring: Wiring;
  readonly #choices: Choices;
  readonly #engine: 'compiled' | 'xstate';
  /** Copies of what inputs hold. */
  readonly #inputs = new Map<object, unknown>();
  readonly #mode: StateMode;
  readonly #patches: boolean;
  readonly #budget: number;
  readonly #coverage: Map<string, TransitionCounts> | undefined;
  readonly #orders: DeliveryOrders | undefined;
  readonly #calendar = new Calendar();
  readonly #host: ActorHost;
  readonly #faults: FaultInjector | undefined;
  /** What is under way, in an asynchronous wiring. */
  readonly #inFlight: InFlight | undefined;
  readonly #stepsMax: number;
  readonly #statics: Actor[] = [];
  readonly #families: (Actor | undefined)[][];
  /** Of the static actors, by name; made when one is asked for by its name. */
  #addresses: Map<string, Address> | undefined;
  readonly #violations: Violation[] = [];
  readonly #recent: Message[] = [];
  /** Those of the listeners who hear of the start, of deliveries, and of ends of ticks. */
  #hearStart: readonly RunListener[] = [];
  #hearDeliveries: readonly RunListener[] = [];
  #hearTicks: readonly RunListener[] = [];
  #hearRounds: readonly RunListener[] = [];
  #watched = false;
  /** The last message that was delivered. */
  #handled: Message | undefined;
  #deliveries = 0;
  #inTick = 0;
  #ticks = 0;
  /** The last tick up to which nothing more is due, as far as that was asked for. */
  #idleTo = -1;
  #ended = false;
  #cut = false;
  #round: Round | undefined;
  #deadlock: Deadlock | undefined;
  #idle: readonly IdleMessage[] = [];
  #livelock: Livelock | undefined;
  #failure: Failure | undefined;

  constructor(wiring: Wiring, options: RunOptions = {}) {
    onlyKeys('options of a run', options, runOptions);
    this.#wiring = wiring;
    this.#choices = options.choices ?? canonical;
    this.#engine = options.engine ?? 'compiled';
    this.#mode = options.state ?? 'mutable';
    this.#patches = (options.patches ?? false) && this.#mode === 'immutable';
    this.#budget = options.deliveriesPerTickMax ?? 1_000_000;
    this.#coverage = options.coverage ? new Map() : undefined;
    this.#orders = options.coverage ? new DeliveryOrders((address) => this.#typeAt(address)) : undefined;
    this.#families = wiring.families.map(() => []);
    this.#stepsMax = options.stepsMax ?? 10_000;
    if (wiring.network)
      this.#inFlight = new InFlight(
        new NetworkRules(wiring.network, wiring.placements),
        wiring.shared.length > 0,
      );
    this.#host = new ActorHost(
      this,
      this.#calendar,
      this.#choices,
      this.#inFlight,
      wiring.speakers?.checked,
      InnerActors.of(wiring),
      wiring.zeroCopy,
    );
    if (this.#inFlight) refuseTimed(options.faults ?? []);
    this.#host.inner?.refuseCrashes(options.faults ?? []);
    if (options.faults?.length)
      this.#host.faults = new FaultInjector(options.faults, this.#host, wiring.speakers);
    this.#faults = this.#host.faults;
    wiring.complete.forEach((placement, address) => {
      this.#statics.push(this.#make(placement.name, address as Address, placement.machine, placement.input));
    });
    for (const post of wiring.boot) this.#host.send(WORLD, post.to, post.delay, post);
  }

  /** Every delivery, after it was handled. */
  get messages$(): Subject<Delivery> {
    this.#messages$ ??= new Subject();
    return this.#messages$;
  }
  /** The number of each tick that had messages, at its end. */
  get ticks$(): Subject<number> {
    this.#ticks$ ??= new Subject();
    return this.#ticks$;
  }
  /** What actors and properties report. */
  get violations$(): Subject<Violation> {
    this.#violations$ ??= new Subject();
    return this.#violations$;
  }
  /** What actors report of themselves; `violations$` has it, too. */
  get reports$(): Subject<Violation> {
    this.#reports$ ??= new Subject();
    return this.#reports$;
  }
  /** What actors show. */
  get probes$(): Subject<Shown> {
    return this.#host.probes$;
  }
  /** The picks, as they are made. */
  get picks$(): Subject<Pick> {
    return this.#host.picks$;
  }
  /** The picks that were made while the actors started, before anybody could subscribe. */
  get picksAtStart(): readonly Pick[] {
    return this.#host.pickedAtStart;
  }
  /** The faults that strike, and what comes of them. */
  get faults$(): Subject<Injection> {
    this.#faults$ ??= new Subject();
    return this.#faults$;
  }
  /** Immer's patches, when the run was asked for them. */
  get patches$(): Subject<ContextPatches> {
    this.#patches$ ??= new Subject();
    return this.#patches$;
  }

  /** Tells observers what actors showed while they started, and which faults struck. */
  #tellStart(): void {
    const shown = this.#host.shownAtStart ?? [];
    this.#host.shownAtStart = undefined;
    const { observed } = this.#host;
    for (const part of this.parts) part.observed = observed;
    this.#watched = observed;
    for (const one of shown) this.#host.tellShown(one.tick, one.actor, one.probe, one.address);
    for (const one of this.#host.struckAtStart.splice(0)) this.#host.tell(one);
    for (const listener of this.#hearStart) listener.started!();
  }

  /**
   * Lets a listener hear of the run from now on; returns what ends that. Probes are made while somebody listens to them.
   *
   * Use for judging many runs; `messages$`, `probes$` and `ticks$` tell the same to those who want streams. Gotchas: call it before the first step.
   */
  listen(listener: RunListener): () => void {
    const others = (list: readonly RunListener[]) => list.filter((one) => one !== listener);
    const host = this.#host;
    if (listener.started) this.#hearStart = [...this.#hearStart, listener];
    if (listener.delivered) this.#hearDeliveries = [...this.#hearDeliveries, listener];
    if (listener.tickEnded) this.#hearTicks = [...this.#hearTicks, listener];
    if (listener.roundSought) this.#hearRounds = [...this.#hearRounds, listener];
    if (listener.shown) host.listeners = [...host.listeners, listener];
    return () => {
      this.#hearStart = others(this.#hearStart);
      this.#hearDeliveries = others(this.#hearDeliveries);
      this.#hearTicks = others(this.#hearTicks);
      this.#hearRounds = others(this.#hearRounds);
      host.listeners = others(host.listeners);
    };
  }

  /** The present tick. */
  get now(): number {
    return this.#calendar.now;
  }

  /** What is under way: posted and not yet delivered, in the order of the calendar. */
  get pending(): readonly Message[] {
    return (this.#inFlight ?? this.#calendar).messages;
  }

  /** The last tick that is over: carried out, or one in which nothing was due; -1 before the first. */
  get carriedTo(): number {
    return Math.max(this.#ticks - 1, this.#idleTo);
  }

  /** The message that is being handled or, between deliveries, the last one that was; undefined before the first. */
  get handled(): Message | undefined {
    return this.#handled;
  }

  /** True while a message is being handled, until what its receiver shows has been told. */
  get isHandling(): boolean {
    return this.#host.cause >= 0;
  }

  /** True when it goes on no further: at rest, cut, or failed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True when it has come to rest by itself, deadlocks included: not failed, not cut, no tick without an end. What has not come never will. */
  get isAtRest(): boolean {
    return this.#ended && !this.#cut && !this.#failure && !this.#livelock;
  }

  /** True until what the actors showed while they started is told, which is when the first tick begins. */
  get isAtStart(): boolean {
    return this.#host.shownAtStart !== undefined;
  }

  /** True for a run of an asynchronous wiring. */
  get asynchronous(): boolean {
    return this.#inFlight !== undefined;
  }

  /** What is known so far; final once `ended`. */
  get outcome(): Outcome {
    const verdict = this.#failure
      ? 'error'
      : this.#livelock
        ? 'livelock'
        : this.#deadlock
          ? 'deadlock'
          : this.#violations.length > 0
            ? 'violated'
            : 'ok';
    return {
      verdict,
      ticks: this.#ticks,
      deliveries: this.#deliveries,
      violations: [...this.#violations],
      ...(this.#cut && { cut: true }),
      ...(this.#round && { round: this.#round }),
      ...(this.#deadlock && { deadlock: this.#deadlock }),
      ...(this.#idle.length > 0 && { idle: this.#idle }),
      ...(this.#livelock && { livelock: this.#livelock }),
      ...(this.#failure && { failure: this.#failure }),
      ...(this.#faults && { faults: this.#faults.tallies }),
    };
  }

  /** All actors that exist, in the order of their addresses. */
  get parts(): readonly Actor[] {
    return [
      ...this.#statics,
      ...this.#families.flatMap((members) => members.filter((member) => member !== undefined)),
    ];
  }

  /** The actor at an address or of a name. Errors: KRN005 when there is none. */
  part(which: Address | string): Actor {
    const found =
      typeof which === 'string' ? this.parts.find((part) => part.name === which) : this.#find(which);
    if (!found) throw new KernelError('KRN005', String(which), 'no actor is there');
    return found;
  }

  /** The actor at an address; undefined where there is none, or none yet. */
  partAt(address: Address): Actor | undefined {
    return this.#find(address);
  }

  /** The actor as XState knows it: an actor reference with snapshots and subscriptions. */
  actor(which: Address | string): AnyActorRef {
    return this.part(which).ref;
  }

  /** As `Wiring.hasActorAt`. */
  hasActorAt(address: Address): boolean {
    return this.#wiring.hasActorAt(address);
  }

  /** As `Wiring.hasActorNamed`. */
  hasActorNamed(pattern: string): boolean {
    return this.#wiring.hasActorNamed(pattern);
  }

  /** Name of the actor at an address, also of one that does not exist yet. */
  nameOf(address: Address): string {
    if (address < 0) return 'world';
    // While the actors start, those that come later are asked for, too.
    if (address < familySpan) return this.#wiring.placements[address]?.name ?? `address ${address}`;
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    return family ? `${family.name}[${address % familySpan}]` : `address ${address}`;
  }

  /** What a message says, with names in place of the addresses that the protocol tells of: for reports. */
  named({ to, event, due }: Message, nameOf = (address: Address) => this.nameOf(address)): MessageContent {
    return { event: this.#wiring.speakers?.namedEvent(to, event, nameOf) ?? event, due };
  }

  /** What an actor remembers, with names in place of the addresses that the protocol tells of: for reports. */
  namedContext({ address, context }: Actor): Readonly<Record<string, unknown>> {
    const nameOf = (one: Address) => this.nameOf(one);
    return this.#wiring.speakers?.namedMemory(address, context, nameOf) ?? context;
  }

  /** Transition counts by id of the state machine, when the run was asked for coverage. */
  get coverage(): ReadonlyMap<string, TransitionCounts> {
    return this.#coverage ?? new Map();
  }

  /** Which of two messages to the same receiver came first, when the run was asked for coverage. */
  get orders(): readonly DeliveryOrder[] {
    return this.#orders?.seen ?? [];
  }

  /** Reports a violation from the outside, as properties do. Returns it. */
  report(actors: readonly string[], report: Report): Violation {
    const violation = { property: report.property, tick: this.#calendar.now, actors, why: report.why };
    this.#violations.push(violation);
    if (this.#violations$?.observed) emit(this.#violations$, 'violations$', this.#calendar.now, violation);
    return violation;
  }

  /**
   * Carries out ticks until the run ends, or until everything due up to tick `last` was carried out, or until the tick that brings the deliveries
   * of this call to `deliveriesMax` is over.
   *
   * Details: may be called again to go on. Returns the outcome so far.
   */
  until(last = Number.MAX_SAFE_INTEGER, deliveriesMax = Number.MAX_SAFE_INTEGER): Outcome {
    const most = this.#deliveries + deliveriesMax;
    if (this.#inFlight) {
      const end = Math.min(last, this.#stepsMax - 1);
      while (!this.#ended && this.#ticks <= end && this.#deliveries < most) this.tick();
      if (!this.#ended && this.#ticks >= this.#stepsMax) this.cutOff();
      return this.outcome;
    }
    if (!this.#ended && this.#calendar.now <= last) this.#observe();
    while (!this.#ended && this.#calendar.now <= last && this.#deliveries < most) {
      if (this.#calendar.current.size > 0) this.tick();
      else {
        const next = this.#calendar.upcoming;
        if (next === undefined) this.#quiet();
        else if (next <= last) this.#calendar.advance(next);
        // What is left of a crashed actor reaches nobody: the run is at rest.
        else if (this.#faults && this.state.messages.length === 0) this.#quiet();
        else {
          this.#idleTo = Math.max(this.#idleTo, last);
          break;
        }
      }
    }
    return this.outcome;
  }

  /**
   * Posts a message from the outside, due `delay` ticks after the next tick that was not carried out yet; a run that had come to rest goes on.
   *
   * Use for a machine that is driven call by call. Details: what is posted so is no actor of the wiring, so no recording knows it. Errors: KRN005
   * for a run that failed or does not come to the end of a tick.
   */
  post<M extends Post>(message: M): void {
    if (this.#failure || this.#livelock)
      throw new KernelError('KRN005', 'world', `"${message.type}" was posted to a run that cannot go on`);
    const ahead = this.#ticks - this.#calendar.now;
    this.#ended = false;
    this.#deadlock = undefined;
    this.#idle = [];
    this.#host.send(WORLD, message.to, ahead + (message.delay ?? 0), message);
  }

  /** Runs to the end. */
  toEnd(): Outcome {
    return this.until();
  }

  /** Carries out the next tick that has messages. Returns false when there is none. */
  tick(): boolean {
    if (this.#ended) return false;
    if (this.#inFlight) return this.#step(this.#inFlight);
    this.#observe();
    if (this.#calendar.current.size === 0) {
      const next = this.#calendar.upcoming;
      if (next === undefined) {
        this.#quiet();
        return false;
      }
      this.#calendar.advance(next);
    }
    if (!this.#deliverAll()) return false;
    this.#inTick = 0;
    if (this.#recent.length > 0) this.#recent.length = 0;
    this.#ticks = this.#calendar.now + 1;
    return this.#tellTick();
  }

  /** Everything the future of this run depends on. Costs a copy of the contexts (mutable state) or of the memories' page tables (immutable state). */
  snapshot(): RunSnapshot {
    const seen = new Map<object, unknown>();
    const persistent = this.#persistent;
    return {
      tick: this.#calendar.now,
      ticks: this.#ticks,
      seq: this.#host.seq,
      deliveries: this.#deliveries,
      deliveriesThisTick: this.#inTick,
      parts: this.parts.map((part) => ({
        address: part.address,
        snapshot: {
          configuration: part.configuration,
          context: copyContext(part.context, seen, persistent, part.name),
          since: part.since,
        },
      })),
      messages: this.pending,
      choices: this.#choices.save(),
      violations: [...this.#violations],
      ...(this.#faults && { faults: this.#faults.save() }),
      ...(this.#inFlight && { network: this.#inFlight.save() }),
    };
  }

  /**
   * Makes a run that continues from a snapshot of a run of the same wiring.
   *
   * Details: the snapshot stays usable: any number of runs may continue from it. `choices` must be of the kind that the snapshot was taken
   * with and continues where that one was; absent, the run goes on first come, first served. To continue with other choices, restore
   * `{ ...snapshot, choices: others.save() }`. The engine may be another one. Errors: KRN010 for a snapshot of another wiring.
   *
   * Gotchas: a run that failed or ran into a livelock cannot be continued; its snapshot is for looking at.
   */
  static restore(wiring: Wiring, snapshot: RunSnapshot, options: RunOptions = {}): Run {
    const run = new Run(wiring, options);
    run.#load(snapshot);
    return run;
  }

  #load(snapshot: RunSnapshot): void {
    // Members come to life first: what they post and report when they do is in the snapshot already.
    const parts = snapshot.parts.map(({ address, snapshot: part }) => {
      const found = this.#find(address) ?? this.#born(address);
      if (!found) throw new KernelError('KRN010', `address ${address}`, 'the wiring has no such actor');
      return { found, part };
    });
    const known = new Set(parts.map(({ found }) => found));
    const missing = this.parts.find((one) => !known.has(one));
    if (missing) throw new KernelError('KRN010', missing.name, 'the snapshot does not know this actor');
    if (this.#faults) this.#faults.load(snapshot.faults);
    else if (snapshot.faults)
      throw new KernelError('KRN010', 'faults', 'the snapshot was taken in a run with faults');
    this.#calendar.clear(snapshot.tick);
    this.#host.clearTimers();
    this.#host.shownAtStart = [];
    this.#host.struckAtStart = [];
    if (this.#inFlight) this.#loadNetwork(this.#inFlight, snapshot);
    else
      for (const message of snapshot.messages) {
        if (message.timer && this.#faults?.isGone(message) !== true) this.#host.keepTimer(message);
        else this.#calendar.add(message);
      }
    this.#host.seq = snapshot.seq;
    this.#deliveries = snapshot.deliveries;
    this.#inTick = snapshot.deliveriesThisTick;
    this.#ticks = snapshot.ticks;
    this.#idleTo = -1;
    this.#violations.splice(0, this.#violations.length, ...snapshot.violations);
    this.#choices.load(snapshot.choices);
    const seen = new Map<object, unknown>();
    for (const { found, part } of parts) {
      found.load({ ...part, context: copyContext(part.context, seen, this.#persistent, found.name) });
    }
  }

  #loadNetwork(inFlight: InFlight, { ticks, messages, network }: RunSnapshot): void {
    if (!network)
      throw new KernelError('KRN010', 'network', 'the snapshot was taken in a run of a clocked wiring');
    inFlight.load(ticks, messages, network);
  }

  /** True where messages, probes and states are handed over as they are, as the wiring says. */
  get zeroCopy(): boolean {
    return this.#wiring.zeroCopy;
  }

  /** All actors and what is under way, as they are now: look, never touch. */
  get state(): GlobalState {
    return new GlobalState(this.localStates, this.messagesUnderWay);
  }

  /** What `state` gives, put together as it is asked for: for those who look while it is the present state, and at little of it. */
  presentState(of: MadeOf): GlobalState {
    return new PresentState(this, this.#wiring.zeroCopy ? 'live' : of);
  }

  /** All actors as they are now. */
  get localStates(): readonly LocalState[] {
    return this.parts.map((part) => this.#localState(part));
  }

  /** The actor of a name as it is now; undefined where there is none, or none yet. */
  localState(name: string): LocalState | undefined {
    this.#addresses ??= new Map(this.#statics.map((part) => [part.name, part.address]));
    const address = this.#addresses.get(name);
    const part = address === undefined ? this.parts.find((one) => one.name === name) : this.#statics[address];
    return part && this.#localState(part);
  }

  /** The actor at an address as it is now; undefined where there is none, or none yet. */
  localStateAt(address: Address): LocalState | undefined {
    const part = this.partAt(address);
    return part && this.#localState(part);
  }

  #localState({ name, address, configuration, context }: Actor): LocalState {
    const down = this.#inFlight?.down;
    return down?.has(address) || this.#faults?.isDown(address)
      ? { name, state: 'crashed', context: down?.get(address) ?? {}, waits: false }
      : { name, state: configuration.name, context, waits: configuration.waiting };
  }

  /** All messages that are posted and not delivered yet, and the timers that are set. */
  get messagesUnderWay(): readonly MessageUnderWay[] {
    return (this.#inFlight?.inOrder ?? this.#byTime())
      .filter((message) => !this.#faults?.isGone(message))
      .map(({ due, from, to, event }) => ({
        due: this.#inFlight ? 0 : due - this.#calendar.now,
        from: this.nameOf(from),
        to: this.nameOf(to),
        event,
      }));
  }

  #byTime(): readonly Message[] {
    return [...this.#calendar.messages].sort(
      (one, other) =>
        one.due - other.due || one.from - other.from || one.to - other.to || one.seq - other.seq,
    );
  }

  /** One hash over all actors and all messages under way: equal states have equal fingerprints, on every engine. */
  get fingerprint(): string {
    return this.#print(0);
  }

  /** As `fingerprint`, but of any tick: moments with equal ones go on alike. */
  get phase(): string {
    return this.#print(this.now);
  }

  #print(origin: number): string {
    const hasher = new Hasher();
    for (const [name, print] of Object.entries(this.fingerprints)) {
      hasher.string(name);
      hasher.string(print);
    }
    this.#faults?.hash(hasher);
    this.#inFlight?.hash(hasher);
    for (const message of this.#calendar.messages) {
      if (this.#faults?.isStale(message)) continue;
      hasher.number(message.due - origin);
      hasher.number(message.from);
      hasher.number(message.to);
      hasher.value(message.event);
    }
    return hasher.digest();
  }

  /** A hash for each actor, by name, so that a difference says which actor moved first. */
  get fingerprints(): Record<string, string> {
    const known = new Map<object, string>();
    return Object.fromEntries(
      this.parts.map((part) => {
        const hasher = new Hasher(known);
        hasher.string(part.configuration.name);
        hasher.value(part.context);
        return [part.name, hasher.digest()];
      }),
    );
  }

  get #persistent(): boolean {
    return this.#engine === 'xstate' || this.#mode === 'immutable';
  }

  /** Carries out one step of an asynchronous wiring. Returns false when there is none. */
  #step(inFlight: InFlight): boolean {
    const fifo = this.#choices.canonical;
    this.#calendar.now = this.#ticks;
    inFlight.now = this.#ticks;
    this.#observe();
    for (let done = false; !done; ) {
      const steps = inFlight.steps();
      const index = fifo || steps.length < 2 ? 0 : this.#host.choose('deliver', steps.length, steps);
      const message = steps[index];
      if (message === undefined || message.event.type === networkSteps.rest) {
        inFlight.rested = true;
        this.#quiet();
        return false;
      }
      this.#handled = message;
      this.#host.cause = message.seq >= 0 ? message.seq : -1;
      try {
        done = this.#carriesOut(inFlight, message);
      } catch (error) {
        this.#fail(this.nameOf(message.to), message, error);
        return false;
      } finally {
        this.#host.cause = -1;
      }
    }
    this.#ticks = this.#calendar.now + 1;
    if (!this.#tellTick()) return false;
    if (
      this.#wiring.boundary &&
      !this.#wiring.isInside(this.presentState(isSampled(this.#ticks) ? 'readOnly' : 'live'))
    )
      this.cutOff();
    return !this.#ended;
  }

  /** Carries out a step that can be next. Returns false when nothing came of it. */
  #carriesOut(inFlight: InFlight, message: Message): boolean {
    const { from, to, event } = message;
    if (message.seq < 0) {
      this.#ofNetwork(inFlight, message);
      return true;
    }
    const isHeard = this.#isHeard;
    if (isHeard) this.#host.hold();
    const part = this.#find(to) ?? this.#born(to);
    if (part === undefined) this.#refuseAddress(message);
    const before = inFlight.before(message, part);
    part.from = from;
    part.receive(this.#host.given(event));
    if (!inFlight.handled(message, part, before)) {
      this.#host.release();
      return false;
    }
    const index = this.#deliveries++;
    if (isHeard) this.#tell(message.in(this.#ticks), part.name, index);
    if (this.#patches && part instanceof CompiledActor) this.#emitPatches(part);
    return true;
  }

  /** A step of the network itself. */
  #ofNetwork(inFlight: InFlight, message: Message): void {
    const { to, event } = message;
    switch (event.type) {
      case networkSteps.drop: {
        const drop = event as NetworkDrop;
        const lost = inFlight.lose(to, drop);
        this.#tellNetwork('drop', lost ?? defect('a message is lost that is not under way'), 'lost');
        break;
      }
      case networkSteps.crash:
        inFlight.crash(to, copyContext(this.part(to).context, new Map(), false, this.nameOf(to)));
        this.#tellNetwork('crash', message, 'crashes');
        break;
      case networkSteps.recover: {
        const saved = inFlight.down.get(to)!;
        inFlight.down.delete(to);
        this.#restart(to, saved);
        this.#tellNetwork('restart', message, 'comes back');
        break;
      }
      case networkSteps.split:
        inFlight.split = (event as NetworkSplit).side;
        inFlight.splits++;
        this.#tellNetwork('split', message, `cut off: ${this.#namesOn(inFlight.split)}`);
        break;
      default:
        inFlight.split = 0;
        this.#tellNetwork('heal', message, 'whole again');
    }
  }

  #namesOn(side: number): string {
    return this.#statics
      .filter(({ address }) => ((side >>> address) & 1) === 1)
      .map(({ name }) => name)
      .join(', ');
  }

  #tellNetwork(kind: Injection['kind'], message: Message, what: string): void {
    if (!this.#faults$?.observed) return;
    const [from, to] = [this.nameOf(message.from), this.nameOf(message.to)];
    const tick = this.#calendar.now;
    emit(this.faults$, 'faults$', tick, { tick, fault: undefined, kind, from, to, message, what });
  }

  /** Tells the listeners that it is looked whether the state at hand comes again, or no longer. */
  seekRound(begins: boolean): void {
    this.#host.timeRead = false;
    for (const listener of this.#hearRounds) listener.roundSought!(begins);
  }

  /** True when an actor has read the time since then. */
  get hasReadTime(): boolean {
    return this.#host.timeRead;
  }

  /** Ends a run that could go on, and whose rest is not judged: in a round, where it goes round. */
  cutOff(round?: Round): void {
    this.#ended = true;
    this.#cut = true;
    this.#round = round;
  }

  /** Delivers until nothing is left in the present tick. Returns false when the run has failed or the tick does not come to its end. */
  #deliverAll(): boolean {
    const agenda = this.#calendar.current;
    const fifo = this.#choices.canonical;
    const orders = this.#orders;
    const inOrder = fifo && orders === undefined;
    const faults = this.#faults;
    const statics = this.#statics;
    const host = this.#host;
    let message: Message | undefined;
    try {
      while (agenda.size > 0 || host.within !== undefined) {
        const said = host.within;
        if (said !== undefined) {
          message = said;
          host.within = undefined;
        } else if (inOrder || agenda.size === 1) message = agenda.next();
        else {
          message = undefined;
          const heads = agenda.heads();
          const index = fifo || heads.length === 1 ? 0 : this.#host.choose('deliver', heads.length, heads);
          if (orders !== undefined) orders.see(heads, index);
          message = agenda.take(index);
        }
        this.#handled = message;
        // A member that comes to life may post: its birth is actor of the delivery.
        this.#host.cause = message.seq;
        if (faults !== undefined && said === undefined && !this.#arrives(message, faults)) continue;
        const isHeard = this.#isHeard;
        if (isHeard) host.hold();
        const part = statics[message.to] ?? this.#find(message.to) ?? this.#born(message.to);
        if (part === undefined) this.#refuseAddress(message);
        if (message.timer) host.wentOff(message);
        part.from = message.from;
        part.receive(host.given(message.event));
        const index = this.#deliveries++;
        if (isHeard) this.#tell(message, part.name, index);
        if (this.#patches && part instanceof CompiledActor) this.#emitPatches(part);
        if (++this.#inTick > this.#budget - recentMax) {
          this.#recent.push(message);
          if (this.#inTick >= this.#budget && (agenda.size > 0 || host.within !== undefined)) {
            this.#foundLivelock();
            return false;
          }
        }
      }
    } catch (error) {
      // A producer that picks what is not there is a defect of its own, of no actor.
      if (message === undefined) throw error;
      this.#fail(this.nameOf(message.to), message, error);
      return false;
    } finally {
      this.#host.cause = -1;
    }
    return true;
  }

  #refuseAddress({ from, to, event }: Message): never {
    throw new KernelError('KRN005', this.nameOf(from), `"${event.type}" was posted to address ${to}`);
  }

  /** The run ends within a tick: those before it have passed, whether something happened in them or not. */
  #breakOff(): void {
    this.#ticks = Math.max(this.#ticks, this.#calendar.now);
    this.#ended = true;
  }

  #foundLivelock(): void {
    this.#livelock = {
      tick: this.#calendar.now,
      budget: this.#budget,
      repeating: findRepetition(this.#recent, (address) => this.nameOf(address)),
    };
    this.#breakOff();
  }

  /** True for a message that its receiver is there to handle. A restart is carried out here. */
  #arrives(message: Message, faults: FaultInjector): boolean {
    const fate = faults.fateOf(message);
    if (fate !== 'restart') return fate === 'delivered';
    if (this.#isHeard) this.#host.hold();
    this.#restart(message.to);
    const index = this.#deliveries++;
    if (this.#isHeard) this.#tell(message, this.nameOf(message.to), index);
    return false;
  }

  /** True when somebody hears of deliveries. */
  get #isHeard(): boolean {
    return this.#hearDeliveries.length > 0 || this.#messages$?.observed === true;
  }

  /** Tells observers of a delivery, then what the receiver showed meanwhile: a message comes before what it brings about. */
  #tell(message: Message, to: string, index: number): void {
    for (const listener of this.#hearDeliveries) listener.delivered!(message, to, index);
    if (this.#messages$?.observed)
      emit(this.messages$, 'messages$', this.#calendar.now, {
        message,
        to,
        from: this.nameOf(message.from),
        index,
      });
    this.#host.release();
  }

  /** Tells observers that a tick is over. Returns false when one of them has failed. */
  #tellTick(): boolean {
    const { now } = this.#calendar;
    if (this.#hearTicks.length === 0 && !this.#ticks$?.observed) return true;
    try {
      for (const listener of this.#hearTicks) listener.tickEnded!(now);
      if (this.#ticks$?.observed) emit(this.ticks$, 'ticks$', now, now);
      return true;
    } catch (error) {
      this.#fail(this.nameOf(this.#handled!.to), this.#handled!, error);
      return false;
    }
  }

  #emitPatches(part: CompiledActor): void {
    const patches = part.state.patches;
    if (!patches || patches.length === 0) return;
    if (this.#patches$?.observed)
      emit(this.patches$, 'patches$', this.#calendar.now, {
        tick: this.#calendar.now,
        actor: part.name,
        patches: [...patches],
      });
    patches.length = 0;
  }

  #fail(actor: string, message: Message, thrown: unknown): void {
    this.#host.release();
    const error = coded(actor, `"${message.event.type}"`, thrown);
    this.#failure = {
      tick: this.#calendar.now,
      actor,
      event: message.event.type,
      message: error.message,
      error,
      received: message,
    };
    this.#breakOff();
  }

  #quiet(): void {
    if (this.#host.shownAtStart) this.#tellStart();
    this.#ended = true;
    const working = this.parts.filter(
      ({ address }) => !this.#faults?.isDown(address) && !this.#inFlight?.down.has(address),
    );
    this.#deadlock = findDeadlock(working, this.#calendar.now, (address) => this.nameOf(address));
    this.#idle = [...this.pending].map(({ from, to, event: { type } }) => ({
      from: this.nameOf(from),
      to: this.nameOf(to),
      type,
    }));
  }

  #find(address: Address): Actor | undefined {
    if (address < familySpan) return this.#statics[address];
    return this.#families[Math.floor(address / familySpan) - 1]?.[address % familySpan];
  }

  /** Brings a member of a family to life with the first message sent to it. */
  #born(address: Address): Actor | undefined {
    const number = Math.floor(address / familySpan) - 1;
    const family = this.#wiring.families[number];
    if (!family) return undefined;
    const index = address % familySpan;
    const { machine, input } = family.member(index);
    const part = this.#make(`${family.name}[${index}]`, address, machine, input);
    this.#families[number]![index] = part;
    return part;
  }

  /** Puts a new actor in the place of one that crashed; its context has what was saved. */
  #restart(address: Address, saved?: Record<string, unknown>): void {
    this.#host.forgetTimersOf(address);
    const placement = this.#wiring.placements[address];
    if (placement) {
      const { name, machine, input } = placement;
      // It begins with what it was given, not with what it had made of that.
      this.#statics[address] = this.#make(name, address, machine, input, saved, new Map());
    } else this.#born(address);
  }

  #make(
    name: string,
    address: Address,
    machine: AnyStateMachine,
    given: unknown,
    saved?: Record<string, unknown>,
    inputs = this.#inputs,
  ): Actor {
    const input = this.#wiring.zeroCopy ? given : ownInput(given, inputs);
    try {
      if (this.#engine === 'xstate')
        return new InterpretedActor(name, address, this.#host, machine, input, this.#calendar, saved);
      return new CompiledActor(
        name,
        address,
        this.#host,
        machine,
        input,
        this.#mode,
        this.#countsFor(compile(machine)),
        this.#calendar,
        this.#patches,
        saved,
      );
    } catch (error) {
      throw coded(name, 'its start', error);
    }
  }

  /** Different state machines of one id are counted apart, the later ones under the id with a mark. */
  #countsFor(machine: CompiledMachine): TransitionCounts | undefined {
    if (!this.#coverage) return undefined;
    let id = machine.machine.id;
    for (let known = this.#coverage.get(id); known; known = this.#coverage.get(id)) {
      if (doTheSame(known.machine.machine, machine.machine)) return known;
      id += "'";
    }
    const counts = new TransitionCounts(machine);
    this.#coverage.set(id, counts);
    return counts;
  }

  /** State machine id of the actor at an address, also of one that has not come to life. */
  #typeAt(address: Address): string {
    if (address < 0) return 'world';
    if (address < familySpan) return this.#wiring.placements[address]?.machine.id ?? `address ${address}`;
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    return family?.member(address % familySpan).machine.id ?? `address ${address}`;
  }

  #observe(): void {
    if (this.#host.shownAtStart) this.#tellStart();
    const watched = this.#host.observed;
    if (watched === this.#watched) return;
    this.#watched = watched;
    for (const part of this.parts) part.observed = watched;
  }
}

/** How many of the last deliveries a livelock report looks at. */
const recentMax = 256;

/** Faults that only a clocked wiring knows. Errors: KRN016. */
function refuseTimed(faults: readonly InjectedFault[]): void {
  const timed = faults.find(({ kind }) => kind === 'delay' || kind === 'reorder' || kind === 'crash');
  if (timed)
    throw new KernelError(
      'KRN016',
      'faults',
      `found a fault "${timed.kind}", which an asynchronous wiring does not have: say it with its network`,
    );
}

/** What an actor threw, as an entry of the catalogue. */
function coded(actor: string, during: string, thrown: unknown): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KernelError('KRN008', actor, `${during} threw: ${why}`, { cause: thrown });
}
