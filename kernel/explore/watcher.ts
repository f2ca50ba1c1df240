import { copyContext } from '../copy.ts';
import { invariant } from '../errors.ts';
import type { GlobalState } from '../global-state.ts';
import type { LockstepEvent, Probe } from '../message.ts';
import { type EntryKind, entries } from './journal.ts';
import {
  type Delivered,
  type Found,
  givenTo,
  judgedBy,
  lookedAt,
  memoryOf,
  type Observation,
  type Observer,
  type Pending,
} from './observer.ts';
import { transcriptOf } from './transcript.ts';

/** What looking at something did to the memory of an observer. */
export interface Seen {
  /** Number of the memory from now on. */
  readonly next: number;
  readonly found: Found | undefined;
  /** Keys of what was pending and came. */
  readonly met: readonly string[];
}

/** A state of the machine that is looked at. */
export interface LookedAtState {
  /** Stands for its actors. */
  readonly actors: number;
  /** Stands for all of it. */
  readonly number: number;
  /** True when somebody has read the messages of what `overheard` gave last. */
  readonly isRead: boolean;
  readonly state: GlobalState;
  /** The state for somebody of whom it is of interest whether he reads the messages. */
  readonly overheard: GlobalState;
}

interface Memory {
  readonly data: object;
  /** By what was looked at: message, a probe, or a name for the rest. */
  readonly steps: Map<unknown, Seen>;
  /** By the number of the actors of a global state: what is seen, or that it depends on the messages, too. */
  readonly actors: (Seen | typeof readsMessages | undefined)[];
  /** By the number of a global state. */
  readonly states: (Seen | undefined)[];
  pending: readonly Pending[] | undefined;
}

/** One observer with all its memories so far, each worked out once: to the checker it is an actor that only listens. */
export class Watcher {
  readonly observer: Observer;
  /** Its number among the observers. */
  readonly index: number;
  /** Agrees with other threads that a memory takes a step now; false when another one did so first. Absent where there are none. */
  agree: ((kind: EntryKind, memory: number, number: number) => boolean) | undefined;
  /** Agrees with other threads that a look at the present state leads from a memory to a new one, unless that is known by then. Absent where there are none. */
  agreeOnState: ((memory: number, isKnown: () => boolean) => void) | undefined;
  /** Is told why the sentence is not judged to the end. */
  onUnjudged: ((why: string) => void) | undefined;
  readonly #memories: Memory[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #types: ReadonlySet<string> | undefined;
  #isIdle = true;
  /** True when it names actors that are not there. */
  readonly #isOfNobody: boolean;

  constructor(observer: Observer, index: number, isOfNobody: boolean) {
    this.#isOfNobody = isOfNobody;
    this.observer = observer;
    this.index = index;
    this.#types = observer.watches && new Set(observer.watches);
  }

  /** True while it has been shown nothing: no message or probe that it watches, and no state that it asks for. */
  get isIdle(): boolean {
    return this.#isIdle || this.#isOfNobody || (this.observer.isIdle?.() ?? false);
  }

  /** Number of the memory before the first delivery. */
  begin(): number {
    return this.#numberOf(memoryOf(this.observer));
  }

  /** True when the observer looks at messages or probes of this type. */
  watches(type: string): boolean {
    return this.#types === undefined || this.#types.has(type);
  }

  // What is known is looked up apart from finding it out, which needs functions that remember what they are about.

  /** A message is delivered; `messageId` stands for it. */
  hear(memory: number, messageId: number, from: string, to: string, event: LockstepEvent): Seen {
    return (
      this.#memories[memory]!.steps.get(messageId) ??
      this.#see(memory, messageId, entries.hear, messageId, { kind: 'message', from, to, event })
    );
  }

  /** An actor shows something; one object always comes from one actor. `numberOf` gives the number that stands for it, where that matters. */
  look(memory: number, actor: string, probe: Probe, numberOf: (probe: Probe) => number): Seen {
    return this.#memories[memory]!.steps.get(probe) ?? this.#lookAnew(memory, actor, probe, numberOf);
  }

  #lookAnew(memory: number, actor: string, probe: Probe, numberOf: (probe: Probe) => number): Seen {
    return this.#see(memory, probe, entries.look, () => numberOf(probe), { kind: 'probe', actor, probe });
  }

  /**
   * The machine is in a state.
   *
   * Details: what a sentence says of a state depends on the actors alone as long as it does not read the messages under way; then it is asked once for all states with these actors.
   */
  lookAtState(memory: number, looked: LookedAtState, step: () => readonly Delivered[]): Seen {
    const { actors, states } = this.#memories[memory]!;
    const ofActors = actors[looked.actors];
    const known = ofActors === readsMessages ? states[looked.number] : ofActors;
    if (known !== undefined && this.#isFinal(known)) return known;
    return this.#lookAtStateAnew(memory, looked, step, ofActors === readsMessages);
  }

  /** `isRead`: the messages are known to be read in a state of these actors. */
  #lookAtStateAnew(
    memory: number,
    looked: LookedAtState,
    step: () => readonly Delivered[],
    isRead: boolean,
  ): Seen {
    if (!this.observer.judges) this.#isIdle = false;
    const { actors, states } = this.#memories[memory]!;
    const state = isRead ? looked.state : looked.overheard;
    const seen = this.#carryOut(
      memory,
      (changed, met) => this.observer.seeState?.(changed, state, met, step),
      (key) => this.agreeOnState?.(memory, () => this.#numbers.has(key)),
    );
    const reads = isRead || looked.isRead;
    if (reads) states[looked.number] = seen;
    if (!isRead) actors[looked.actors] = reads ? readsMessages : seen;
    return seen;
  }

  /** What is found may be told with the step that led to it, and another one may lead there. */
  #isFinal({ found }: Seen): boolean {
    return !found || (this.observer.reachable ?? false);
  }

  /** The clock moves on. */
  advance(memory: number, ticks: number): Seen {
    return this.#step(memory, `advance ${ticks}`, entries.advance, ticks, (data) =>
      this.observer.advance?.(data, ticks),
    );
  }

  /** A tick is over. */
  endOfTick(memory: number): Seen {
    return this.#step(memory, 'end of tick', entries.endOfTick, 0, (data) => this.observer.endOfTick?.(data));
  }

  /** Nothing will happen any more. */
  quiet(memory: number): Seen {
    return this.#step(memory, 'quiet', entries.quiet, 0, (data) => this.observer.atRest?.(data));
  }

  /** Nothing will happen any more, and this is how everything stands. Each such state is looked at once, so nothing is kept. */
  lookAtRest(memory: number, state: GlobalState): Found | undefined {
    this.#isIdle = false;
    return lookedAt(this.observer, () => this.observer.seeRest!(this.#copyOf(memory), state));
  }

  #copyOf(memory: number): object {
    return copyContext(this.memoryOf(memory), new Map(), false, `the memory of "${this.observer.sentence}"`);
  }

  /** What must still come, in a memory. */
  pendingIn(memory: number): readonly Pending[] {
    const known = this.#memories[memory]!;
    known.pending ??= this.observer.pending?.(known.data) ?? [];
    return known.pending;
  }

  /** Number of a memory after two actors have changed places. */
  exchanged(memory: number, by: { nameOf(name: string): string }): number {
    const { observer } = this;
    if (!observer.exchange) return memory;
    return this.#numberOf(observer.exchange(this.memoryOf(memory), (name) => by.nameOf(name)));
  }

  /** What it has been shown, and in which memory: a message by its number, or a probe. */
  *shown(): Generator<readonly [memory: number, what: number | Probe], void> {
    for (const [memory, { steps }] of this.#memories.entries())
      for (const what of steps.keys()) if (typeof what !== 'string') yield [memory, what as number | Probe];
  }

  /** True when it makes of something after an exchange of actors what it makes of that before it. Changes nothing. */
  isAlike(memory: number, look: Look, exchangedLook: Look, nameOf: (name: string) => string): boolean {
    const exchanged = (data: object) => this.observer.exchange?.(data, nameOf) ?? data;
    const answer = (given: object, looks: Look) => {
      const data = copyContext(given, new Map(), false, `the memory of "${this.observer.sentence}"`);
      return { isFound: lookedAt(this.observer, () => looks(data, () => {})) !== undefined, data };
    };
    const before = answer(this.memoryOf(memory), look);
    const after = answer(exchanged(this.memoryOf(memory)), exchangedLook);
    return (
      before.isFound === after.isFound && transcriptOf(exchanged(before.data)) === transcriptOf(after.data)
    );
  }

  /** A memory as data. */
  memoryOf(number: number): object {
    return this.#memories[number]!.data;
  }

  #see(
    memory: number,
    what: unknown,
    kind: EntryKind,
    number: number | (() => number),
    observation: Observation,
  ): Seen {
    if (this.#isIdle && judgedBy(this.observer, observation)) this.#isIdle = false;
    return this.#step(memory, what, kind, number, (data, met) =>
      this.observer.see(data, givenTo(this.observer, observation), met),
    );
  }

  #step(memory: number, what: unknown, kind: EntryKind, number: number | (() => number), look: Look): Seen {
    const { steps } = this.#memories[memory]!;
    const known = steps.get(what);
    if (known) return known;
    const mine = this.agree?.(kind, memory, typeof number === 'number' ? number : number()) ?? true;
    if (!mine) {
      const followed = steps.get(what);
      invariant(followed, `what "${this.observer.sentence}" sees was not followed`);
      return followed;
    }
    const seen = this.#carryOut(memory, look);
    steps.set(what, seen);
    return seen;
  }

  #carryOut(memory: number, look: Look, agreeOn: (key: string) => void = () => {}): Seen {
    const changed = this.#copyOf(memory);
    const told = new Set<string>();
    const found = lookedAt(this.observer, () => look(changed, (key) => told.add(key)));
    const unjudged = this.observer.abridge?.(changed);
    if (unjudged !== undefined) this.onUnjudged?.(unjudged);
    const next = this.#numberOf(changed, agreeOn);
    if (this.observer.pending && next !== memory) {
      const left = this.pendingIn(next).map(({ key }) => key);
      for (const { key } of this.pendingIn(memory)) if (!left.includes(key)) told.add(key);
    }
    return { next, found, met: [...told] };
  }

  #numberOf(data: object, agreeOn: (key: string) => void = () => {}): number {
    const key = transcriptOf(data);
    if (!this.#numbers.has(key)) agreeOn(key);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number =
      this.#memories.push({
        data,
        steps: new Map(),
        actors: [],
        states: [],
        pending: undefined,
      }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** What is seen of a state depends on the messages under way. */
const readsMessages = Symbol('reads messages');

type Look = (data: object, met: (key: string) => void) => Found | undefined;
