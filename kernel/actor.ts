import { Subject } from 'rxjs';
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  createMachine,
  type StateValue,
  type Actor as XStateActor,
} from 'xstate';
import { type CompiledMachine, compile, refuseSpawn } from './compile.ts';
import { verifyProbe, verifyReport, verifyTimer } from './emitted.ts';
import { KernelError } from './errors.ts';
import { type Address, type LockstepEvent, type Post, type Probe, type Report, WORLD } from './message.ts';
import { attached, type Port, withPort } from './port.ts';
import type { CompiledSnapshot, Configuration, StateMode, TransitionCounts } from './tables.ts';
import { undraft } from './undraft.ts';

/** What a run does for its actors. */
export interface Host {
  /** True when somebody observes the probes of the run. */
  readonly observed: boolean;
  /** The present tick. Errors: KRN015 where there is no time. */
  readonly now: number;
  send(from: Address, to: Address, delay: number | undefined, post: Post): void;
  pick(part: Actor, what: string, count: number): number;
  show(part: Actor, probe: Probe): void;
  complain(part: Actor, report: Report): void;
  setTimer(part: Actor, type: string, ticks: number): void;
  cancelTimer(part: Actor, type: string): void;
}

/** A actor as snapshots keep it. */
export interface ActorSnapshot {
  readonly configuration: Configuration;
  readonly context: Record<string, unknown>;
  readonly since: number;
}

/**
 * The inbox of an actor: a stream of the events delivered to it.
 *
 * Details: the actor itself is the first reader and is called directly; others who subscribe see each event before the actor handles it. Nobody
 * else listening costs one test.
 */
export class Inbox extends Subject<LockstepEvent> {
  readonly #part: Actor;
  constructor(part: Actor) {
    super();
    this.#part = part;
  }
  override next(event: LockstepEvent): void {
    if (this.observed) super.next(event);
    this.#part.handle(event);
  }
}

/** One actor of a run: an address, an inbox, a state, and the way out for its posts. */
export abstract class Actor implements Port {
  #inbox: Inbox | undefined;
  /** The tick in which the present wait began or, of a actor that does not wait, in which it entered its configuration. */
  since = 0;
  /** True when somebody observes the probes of the run. */
  observed: boolean;
  /** Who posted the message that is handled, or that was handled last. */
  from: Address = WORLD;

  constructor(
    readonly name: string,
    readonly address: Address,
    protected readonly host: Host,
    /** True when recipes see drafts, which messages and probes must not hold. */
    readonly persistent: boolean,
    /** What it was placed with. */
    readonly input: unknown,
  ) {
    this.observed = host.observed;
  }

  /** The events delivered to it, as a stream; made when somebody first asks for it. */
  get inbox(): Inbox {
    this.#inbox ??= new Inbox(this);
    return this.#inbox;
  }

  /** Takes an event that is delivered to it. */
  receive(event: LockstepEvent): void {
    if (this.#inbox === undefined) this.handle(event);
    else this.#inbox.next(event);
  }

  abstract readonly configuration: Configuration;
  abstract readonly context: Record<string, unknown>;
  abstract readonly value: StateValue;
  abstract handle(event: LockstepEvent): void;
  abstract load(snapshot: ActorSnapshot): void;
  /** The actor as XState knows it, for inspectors and subscribers. */
  abstract readonly ref: AnyActorRef;

  get now(): number {
    return this.host.now;
  }
  get self(): Address {
    return this.address;
  }
  post(message: Post): void {
    attached(this, 'post').send(message.to, message.delay, message);
  }
  send(to: Address, delay: number | undefined, message: Post): void {
    const { host, address, persistent } = attached(this, 'send');
    host.send(address, to, delay, persistent ? undraft(message) : message);
  }
  pick(what: string, count: number): number {
    return count === 1 ? 0 : attached(this, 'pick').host.pick(this, what, count);
  }
  probe(probe: Probe): void {
    const { host } = attached(this, 'probe');
    verifyProbe(probe);
    host.show(this, this.persistent ? undraft(probe) : probe);
  }
  report(report: Report): void {
    const { host } = attached(this, 'report');
    verifyReport(report);
    host.complain(this, report);
  }
  setTimer(type: string, ticks = 1): void {
    const { host } = attached(this, 'setTimer');
    verifyTimer(type);
    host.setTimer(this, type, ticks);
  }
  cancelTimer(type: string): void {
    attached(this, 'cancelTimer').host.cancelTimer(this, type);
  }

  /** Notes that another configuration was entered. A wait goes on when only another region moved. */
  protected entered(after: Configuration, before: Configuration, now: number): void {
    if (after.waits === '' || after.waits !== before.waits) this.since = now;
  }

  /** The configuration of a snapshot, as one of this actor's state machine. Errors: KRN010 for a snapshot of another one. */
  protected configurationIn(machine: CompiledMachine, snapshot: ActorSnapshot): Configuration {
    const configuration = machine.configurationLike(snapshot.configuration);
    if (configuration) return configuration;
    throw new KernelError(
      'KRN010',
      this.name,
      `the snapshot is of another state machine than "${machine.machine.id}"`,
    );
  }

  /** The error for an event that no active state decides on. */
  protected undecided(event: LockstepEvent): KernelError {
    return new KernelError(
      'KRN004',
      this.name,
      `state "${this.configuration.name}" does not decide on "${event.type}"`,
    );
  }
}

/** A actor that runs from the tables of the compiler. */
export class CompiledActor extends Actor {
  readonly #machine: CompiledMachine;
  #state: CompiledSnapshot;
  #ref: AnyActorRef | undefined;
  readonly #counts: TransitionCounts | undefined;
  readonly #clock: { readonly now: number };

  constructor(
    name: string,
    address: Address,
    host: Host,
    machine: AnyStateMachine,
    input: unknown,
    mode: StateMode,
    counts: TransitionCounts | undefined,
    clock: { readonly now: number },
    patches: boolean,
    saved?: Record<string, unknown>,
  ) {
    super(name, address, host, mode === 'immutable', input);
    this.#machine = compile(machine);
    this.#counts = counts;
    this.#clock = clock;
    this.since = clock.now;
    this.#state = this.#machine.start(input, this, mode, counts, saved);
    if (counts !== undefined) counts.starts++;
    if (patches) this.#state.patches = [];
  }

  get configuration(): Configuration {
    return this.#state.configuration;
  }
  get context(): Record<string, unknown> {
    return this.#state.context;
  }
  get value(): StateValue {
    return this.#state.value;
  }
  /** The snapshot of the XState actor logic, changed in place. */
  get state(): CompiledSnapshot {
    return this.#state;
  }

  handle(event: LockstepEvent): void {
    if (this.#ref !== undefined) this.#ref.send(event);
    else this.#react(event);
  }

  #react(event: LockstepEvent): void {
    const state = this.#state;
    const before = state.configuration;
    if (!this.#machine.react(state, event, this, this.#counts)) throw this.undecided(event);
    if (state.configuration !== before) this.entered(state.configuration, before, this.#clock.now);
  }

  load(snapshot: ActorSnapshot): void {
    this.#state.configuration = this.configurationIn(this.#machine, snapshot);
    this.#state.context = snapshot.context;
    this.since = snapshot.since;
  }

  /** Made when somebody first asks for it; from then on deliveries go through its mailbox. */
  get ref(): AnyActorRef {
    if (this.#ref) return this.#ref;
    let failure: { readonly error: unknown } | undefined;
    const logic = {
      ...this.#machine.logic,
      getInitialSnapshot: () => this.#state,
      transition: (state: CompiledSnapshot, event: LockstepEvent) => {
        try {
          this.#react(event);
        } catch (error) {
          failure = { error };
        }
        return state;
      },
    };
    const actor = createActor(logic as unknown as AnyActorLogic, { id: this.name }).start();
    const send = actor.send;
    actor.send = (event) => {
      send(event);
      if (failure) {
        const { error } = failure;
        failure = undefined;
        throw error;
      }
    };
    this.#ref = actor;
    return actor;
  }
}

/** A actor that XState itself interprets: the oracle. */
export class InterpretedActor extends Actor {
  readonly #machine: AnyStateMachine;
  readonly #compiled: CompiledMachine;
  #actor: XStateActor<AnyStateMachine>;
  readonly #clock: { readonly now: number };
  #failure: { readonly error: unknown } | undefined;

  constructor(
    name: string,
    address: Address,
    host: Host,
    machine: AnyStateMachine,
    input: unknown,
    clock: { readonly now: number },
    saved?: Record<string, unknown>,
  ) {
    super(name, address, host, true, input);
    this.#machine = machine;
    this.#compiled = compile(machine);
    this.#clock = clock;
    this.since = clock.now;
    this.#actor = this.#start({ input }, saved ? withSaved(machine, saved) : machine);
  }

  #start(options: object, machine = this.#machine): XStateActor<AnyStateMachine> {
    return withPort(this, () => {
      const actor = createActor(machine, { id: this.name, ...options }) as XStateActor<AnyStateMachine>;
      actor.subscribe({
        error: (error) => {
          this.#failure = { error };
        },
      });
      actor.start();
      this.#rethrow();
      if (Object.keys(actor.getSnapshot().children).length > 0) refuseSpawn(this.#machine.id);
      return actor;
    });
  }

  get configuration(): Configuration {
    return this.#compiled.configurationOf(
      (this.#actor.getSnapshot() as unknown as { _nodes: Configuration['nodes'] })._nodes,
    );
  }
  get context(): Record<string, unknown> {
    return this.#actor.getSnapshot().context;
  }
  get value(): StateValue {
    return this.#actor.getSnapshot().value;
  }

  handle(event: LockstepEvent): void {
    const before = this.#actor.getSnapshot();
    const configuration = this.configuration;
    withPort(this, () => this.#actor.send(event));
    this.#rethrow();
    const after = this.#actor.getSnapshot();
    if (!this.#compiled.decides(configuration, event.type)) throw this.undecided(event);
    if (after !== before && this.configuration !== configuration)
      this.entered(this.configuration, configuration, this.#clock.now);
  }

  #rethrow(): void {
    if (!this.#failure) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  load(snapshot: ActorSnapshot): void {
    const { value } = this.configurationIn(this.#compiled, snapshot);
    // XState restores from a persisted snapshot: value and context; no entry action runs again.
    const persisted = this.#machine.resolveState({
      value,
      context: snapshot.context,
    });
    this.#actor = this.#start({ snapshot: persisted });
    this.since = snapshot.since;
  }

  get ref(): AnyActorRef {
    return this.#actor;
  }
}

/** The machine with a context that begins with what was saved. */
function withSaved(machine: AnyStateMachine, saved: Record<string, unknown>): AnyStateMachine {
  const { context } = machine.config as { context?: unknown };
  const begun = (args: unknown) => ({
    ...(typeof context === 'function' ? context(args) : context),
    ...saved,
  });
  return createMachine({ ...machine.config, context: begun } as never).provide(
    machine.implementations as never,
  );
}
