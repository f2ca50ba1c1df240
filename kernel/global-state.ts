import { copyContext } from './copy.ts';
import { detached } from './detached.ts';
import { patternTest } from './faults-pattern.ts';
import type { LockstepEvent } from './message.ts';
import { readOnlyCopy } from './read-only.ts';

/** An actor in a state of its machine. */
export interface LocalState<Context = Readonly<Record<string, unknown>>> {
  readonly name: string;
  /** The active states, as reports write them. */
  readonly state: string;
  readonly context: Context;
  /** True when it is tagged as waiting. */
  readonly waits: boolean;
}

/** A message that is posted and not delivered yet, or a timer that is set. */
export interface MessageUnderWay {
  /** In how many ticks it is due; 0 in an asynchronous wiring. */
  readonly due: number;
  readonly from: string;
  readonly to: string;
  readonly event: LockstepEvent;
}

/** What can be asked of the state of a whole machine. */
abstract class StateView {
  abstract readonly actors: readonly LocalState[];
  abstract readonly messages: readonly MessageUnderWay[];

  /** The actor of a name. Errors: when there is none. */
  actor<Context = Readonly<Record<string, unknown>>>(name: string): LocalState<Context> {
    const found = this.find(name);
    if (!found)
      throw new Error(
        `found no actor "${name}" in this state\n  help: there are ${this.actors.map((one) => one.name).join(', ')}`,
      );
    // Who asks for an actor by its name knows what its context is.
    return found as LocalState<Context>;
  }

  /** The actors whose names match: `*` stands for any text without a dot, `**` for any text. */
  named<Context = Readonly<Record<string, unknown>>>(pattern: string): readonly LocalState<Context>[] {
    const matches = patternTest(pattern);
    return this.actors.filter(({ name }) => matches(name)) as readonly LocalState<Context>[];
  }

  /** The messages under way of a type. */
  underWay(type: string): readonly MessageUnderWay[] {
    return this.messages.filter(({ event }) => event.type === type);
  }

  protected find(name: string): LocalState | undefined {
    return this.actors.find((one) => one.name === name);
  }
}

/** The state of a whole machine: all actors that have come to life and all messages under way. Look, never touch. */
export class GlobalState extends StateView {
  readonly actors: readonly LocalState[];
  /**
   * In the order of due; of one channel and tick in the order of posting. Timers that are set are messages of an actor to itself.
   *
   * Gotchas: a network that keeps no order has none; then the order says nothing.
   */
  readonly messages: readonly MessageUnderWay[];

  constructor(actors: readonly LocalState[], messages: readonly MessageUnderWay[]) {
    super();
    this.actors = actors;
    this.messages = messages;
  }
}

/** Where a present state takes its parts from. */
export interface StateSource {
  readonly localStates: readonly LocalState[];
  readonly messagesUnderWay: readonly MessageUnderWay[];
  /** The actor of a name; undefined where there is none, or none yet. */
  localState(name: string): LocalState | undefined;
}

/** What a present state is made of: what is as it is in the run; copies, so that who asks may keep them; or copies that refuse to be changed. */
export type MadeOf = 'live' | 'copies' | 'readOnly';

/** A `GlobalState` of which only what is asked for is put together. Gotchas: ask at the moment that it is of; later it tells of another one. */
export class PresentState extends StateView {
  readonly #source: StateSource;
  readonly #copies: Map<string, LocalState> | undefined;
  #actors: readonly LocalState[] | undefined;
  #messages: readonly MessageUnderWay[] | undefined;

  readonly #isReadOnly: boolean;

  constructor(source: StateSource, of: MadeOf) {
    super();
    this.#source = source;
    this.#copies = of === 'live' ? undefined : new Map();
    this.#isReadOnly = of === 'readOnly';
  }

  get actors(): readonly LocalState[] {
    this.#actors ??= this.#source.localStates.map((one) => this.#shown(one));
    return this.#actors;
  }

  get messages(): readonly MessageUnderWay[] {
    this.#messages ??= this.#copies
      ? this.#source.messagesUnderWay.map((one) => ({
          ...one,
          event: this.#isReadOnly ? readOnlyCopy(one.event) : detached(one.event),
        }))
      : this.#source.messagesUnderWay;
    return this.#messages;
  }

  protected override find(name: string): LocalState | undefined {
    const found = this.#source.localState(name);
    return found && this.#shown(found);
  }

  /** One that was asked for before is the same one again. */
  #shown(one: LocalState): LocalState {
    if (!this.#copies) return one;
    const known = this.#copies.get(one.name);
    if (known) return known;
    const context = this.#isReadOnly
      ? readOnlyCopy(one.context)
      : copyContext(one.context, new Map(), false, one.name);
    const copy = { ...one, context };
    this.#copies.set(one.name, copy);
    return copy;
  }
}
