import type { GlobalState } from '../global-state.ts';
import type { Probe } from '../message.ts';
import { networkSteps } from '../network.ts';
import { type Alternative, dropped, failed, type Sight } from './alternative.ts';
import { globalStateAt, messagesIn, overheardStateAt } from './decode.ts';
import type { Footprints } from './footprints.ts';
import { type EntryKind, entries, type FindingOrder } from './journal.ts';
import {
  apart,
  type Delivered,
  type Found,
  givenTo,
  type Observation,
  type Observer,
  type Pending,
} from './observer.ts';
import { StateSet } from './state-set.ts';
import { type Layout, messagesAt } from './state-words.ts';
import { type TrailSets, Trails } from './trails.ts';
import { transcriptOf } from './transcript.ts';
import type { TransitionCache } from './transition-cache.ts';
import { type LookedAtState, type Seen, Watcher } from './watcher.ts';

/** Is told what an observer found, and whose it is. */
export type Tell = (found: Found, observer: Observer) => void;

/** Two actors that change places, as observers see it. */
export interface ShownExchange {
  nameOf(name: string): string;
  messageId(messageId: number): number;
  /** What an actor showed, as the other one shows it; undefined where that is not known. */
  probe(actor: string, probe: Probe): Probe | undefined;
}

/** Something that a sentence waits for, by its number. */
interface Obligation {
  readonly watcher: Watcher;
  readonly key: string;
}

/** The numbers that were given to what ticks did: plain data. */
export interface WatchedNumbers {
  readonly trails: readonly TrailSets[];
  readonly stepClasses: readonly (readonly [channel: number | string, number: number])[];
  readonly obligations: readonly { readonly observer: number; readonly key: string }[];
}

/** No step class. */
const none = -1;

/** All observers of an exploration, at work on states: the memory of each is a word in the header of a state. */
export class Watchers {
  readonly #all: readonly Watcher[];
  /** Those that look at the clock, and those that look at ends of ticks. */
  readonly #timing: readonly Watcher[];
  readonly #ending: readonly Watcher[];
  /** Those that look at the state of the machine, and those that wait for something. */
  readonly #stating: readonly Watcher[];
  readonly #resting: readonly Watcher[];
  readonly #expecting: readonly Watcher[];
  readonly #byType = new Map<string, readonly Watcher[]>();
  readonly #numberOf = (probe: Probe): number => this.#transitionCache.numberOf(probe);
  /** What actors showed while they started, which has no numbers, and who did. */
  readonly #shownAtStart = new Map<Probe, string>();
  /** What they look at, by which the steps are told apart that they may see in either order. */
  readonly footprints: Footprints;
  readonly #transitionCache: TransitionCache;
  readonly #layout: Layout;
  /** What ticks have done, where infinite runs are judged. */
  readonly trails = new Trails();
  /** Whether step classes are part of it: some sentence is judged under fairness. */
  readonly #tracksSteps: boolean;
  /** By channel: its number as a step class. */
  readonly #stepClasses = new Map<number | string, number>();
  readonly #obligations: Obligation[] = [];
  /** By observer and key. */
  readonly #obligationNumbers: Map<string, number>[];
  readonly #looked: Looked;
  /** True when something was found, or came that was waited for, since this was asked last. */
  #isTold = false;

  constructor(
    observers: readonly Observer[],
    footprints: Footprints,
    transitionCache: TransitionCache,
    layout: Layout,
    hasActor: (pattern: string) => boolean,
  ) {
    this.footprints = footprints;
    this.#all = observers.map(
      (observer, index) => new Watcher(observer, index, !(observer.names ?? []).every(hasActor)),
    );
    this.#timing = this.#all.filter(({ observer }) => observer.advance);
    this.#ending = this.#all.filter(({ observer }) => observer.endOfTick);
    this.#stating = this.#all.filter(({ observer }) => observer.seeState);
    this.#resting = this.#all.filter(({ observer }) => observer.seeRest);
    this.#expecting = this.#all.filter(({ observer }) => observer.pending);
    this.#tracksSteps = this.#expecting.some(({ observer }) => observer.fair);
    this.#obligationNumbers = observers.map(() => new Map());
    this.#transitionCache = transitionCache;
    this.#layout = layout;
    this.#looked = new Looked(transitionCache, layout);
  }

  /** Lets somebody be told of sentences that are not judged to the end, and why. */
  set onUnjudged(tell: (sentence: string, why: string) => void) {
    for (const watcher of this.#all) watcher.onUnjudged = (why) => tell(watcher.observer.sentence, why);
  }

  /** How many there are. */
  get count(): number {
    return this.#all.length;
  }

  /** True when some of them look at the state of the machine. */
  get asksForStates(): boolean {
    return this.#stating.length > 0;
  }

  /** True when some of them look at it, be it at its end alone. */
  get asksForSomeStates(): boolean {
    return this.asksForStates || this.#resting.length > 0;
  }

  /** Sentences of those that have been shown nothing. */
  get idle(): readonly string[] {
    return this.#all.filter(({ isIdle }) => isIdle).map(({ observer }) => observer.sentence);
  }

  /** Lets all observers agree with other threads on the order of what they see. */
  agreeBy(journal: FindingOrder, transitionCache: TransitionCache): void {
    for (const watcher of this.#all) {
      const { index } = watcher;
      watcher.agree = (kind, memory, number) =>
        journal.agree(kind, transitionCache.level, index, memory, number);
      watcher.agreeOnState = (memory, isKnown) => {
        const { words, at, length } = this.#looked.place;
        journal.agreeOnState(transitionCache.level, index, memory, words, at, length, isKnown);
      };
    }
  }

  /** Sees what another thread has shown an observer. */
  follow(kind: EntryKind, observer: number, memory: number, number: number, state: readonly number[]): void {
    const watcher = this.#all[observer]!;
    const { agree, agreeOnState } = watcher;
    watcher.agree = undefined;
    watcher.agreeOnState = undefined;
    const transitionCache = this.#transitionCache;
    if (kind === entries.hear)
      watcher.hear(
        memory,
        number,
        transitionCache.slots.senderName(number),
        transitionCache.slots.receiverOf(number).name,
        transitionCache.slots.eventOf(number),
      );
    else if (kind === entries.look) {
      const { actor, probe } = transitionCache.probeOf(number);
      watcher.look(memory, actor, probe, () => number);
    } else if (kind === entries.advance) watcher.advance(memory, number);
    else if (kind === entries.endOfTick) watcher.endOfTick(memory);
    else if (kind === entries.lookAtState) {
      // In the middle of such a look, as it may be, what is looked at stays.
      const looked = this.#looked.another();
      looked.begin(Uint32Array.from(state), 0, number);
      watcher.lookAtState(memory, looked, () => []);
    } else watcher.quiet(memory);
    watcher.agree = agree;
    watcher.agreeOnState = agreeOnState;
  }

  /** What ticks did, by the numbers given to it. */
  get numbers(): WatchedNumbers {
    return {
      trails: this.trails.sets,
      stepClasses: [...this.#stepClasses],
      obligations: this.#obligations.map(({ watcher, key }) => ({ observer: watcher.index, key })),
    };
  }

  /** Gives what ticks did these numbers, before there is any. */
  restore({ trails, stepClasses, obligations }: WatchedNumbers): void {
    this.trails.restore(trails);
    for (const [channel, number] of stepClasses) this.#stepClasses.set(channel, number);
    for (const { observer, key } of obligations) this.#obligationOf(this.#all[observer]!, key);
  }

  /** The memories before anything happened. */
  begin(): readonly number[] {
    return this.#all.map((watcher) => watcher.begin());
  }

  /** An actor shows something while it starts. */
  showAtStart(words: Uint32Array, at: number, actor: string, probe: Probe, tell: Tell): void {
    this.#shownAtStart.set(probe, actor);
    this.show(words, at, actor, probe, tell);
  }

  /** An actor shows something. */
  show(words: Uint32Array, at: number, actor: string, probe: Probe, tell: Tell): void {
    for (const watcher of this.#watching(probe.type))
      this.#apply(
        watcher,
        words,
        at,
        tell,
        watcher.look(words[at + 1 + watcher.index]!, actor, probe, this.#numberOf),
      );
  }

  /**
   * A delivery led to the state at `at`: its probes, then the message.
   *
   * Details: of a handling that failed only what was shown before is seen, and forgotten again: what others do meanwhile has nothing to do with it.
   */
  deliver(words: Uint32Array, at: number, messageId: number, alternative: Alternative, tell: Tell): void {
    const { trail, begun } = this.#layout;
    if (begun !== undefined) this.#countStep(words, at, begun, tell);
    const stepClass =
      trail !== undefined && this.#tracksSteps && alternative !== dropped
        ? this.#stepClassOf(messageId)
        : none;
    if (stepClass !== none) words[at + trail!] = this.trails.take(words[at + trail!]!, stepClass);
    if (alternative.footprint.length === 0 || alternative.lost) return;
    if (alternative.sight?.messageId !== messageId) alternative.sight = this.#sightOf(messageId, alternative);
    const { sight } = alternative;
    if (alternative.next !== failed && this.#passes(sight, words, at)) return;
    const { slots } = this.#transitionCache;
    const event = slots.eventOf(messageId);
    const to = slots.receiverOf(messageId).name;
    const { probes } = alternative;
    if (alternative.next === failed) {
      const memories = words.slice(at + 1, at + 1 + this.count);
      for (const probe of probes) this.show(words, at, to, probe, tell);
      words.set(memories, at + 1);
      return;
    }
    const before = sight.observers.map((observer) => words[at + 1 + observer]!);
    this.#isTold = false;
    for (const watcher of this.#watching(event.type)) {
      const memory = words[at + 1 + watcher.index]!;
      const seen = watcher.hear(memory, messageId, slots.senderName(messageId), to, event);
      this.#apply(watcher, words, at, tell, seen);
    }
    for (const probe of probes) this.show(words, at, to, probe, tell);
    if (!this.#isTold)
      for (const [index, observer] of sight.observers.entries())
        sight.next[index]![before[index]!] = words[at + 1 + observer]!;
  }

  /** A step of an asynchronous wiring is a tick, the first one tick 0. */
  #countStep(words: Uint32Array, at: number, begun: number, tell: Tell): void {
    if (words[at + begun] === 1) this.advance(words, at, 1, tell);
    words[at + begun] = 1;
  }

  /** What observers make of a message, when nothing is found out yet. */
  #sightOf(messageId: number, { probes }: Alternative): Sight {
    const types = [this.#transitionCache.slots.eventOf(messageId), ...probes].map(({ type }) => type);
    const observers = this.#all.filter((one) => types.some((type) => one.watches(type)));
    return { messageId, observers: observers.map(({ index }) => index), next: observers.map(() => []) };
  }

  /** Takes the memories in the state at `at` on to those behind a message. Returns false where they are not all known. */
  #passes({ observers, next }: Sight, words: Uint32Array, at: number): boolean {
    for (let i = 0; i < observers.length; i++)
      if (next[i]![words[at + 1 + observers[i]!]!] === undefined) return false;
    for (let i = 0; i < observers.length; i++) {
      const place = at + 1 + observers[i]!;
      words[place] = next[i]![words[place]!]!;
    }
    return true;
  }

  /** Those that look at messages and probes of a type. */
  #watching(type: string): readonly Watcher[] {
    let watching = this.#byType.get(type);
    if (watching === undefined) {
      watching = this.#all.filter((watcher) => watcher.watches(type));
      this.#byType.set(type, watching);
    }
    return watching;
  }

  /** The clock moves on. */
  advance(words: Uint32Array, at: number, ticks: number, tell: Tell): void {
    for (const watcher of this.#timing)
      this.#apply(watcher, words, at, tell, watcher.advance(words[at + 1 + watcher.index]!, ticks));
  }

  /** A tick is over. */
  endOfTick(
    words: Uint32Array,
    at: number,
    length: number,
    step: () => readonly Delivered[],
    tell: Tell,
  ): void {
    for (const watcher of this.#ending)
      this.#apply(watcher, words, at, tell, watcher.endOfTick(words[at + 1 + watcher.index]!));
    this.lookAtState(words, at, length, step, tell);
  }

  /** The machine is in this state, before its first tick or at the end of one, to which `step` led. */
  lookAtState(
    words: Uint32Array,
    at: number,
    length: number,
    step: () => readonly Delivered[],
    tell: Tell,
  ): void {
    if (this.#stating.length === 0) return;
    const looked = this.looked(words, at, length);
    for (const watcher of this.#stating)
      this.#apply(
        watcher,
        words,
        at,
        tell,
        watcher.lookAtState(words[at + 1 + watcher.index]!, looked, step),
      );
  }

  /** Nothing will happen any more. */
  quiet(words: Uint32Array, at: number, tell: Tell): void {
    for (const watcher of this.#all)
      this.#apply(watcher, words, at, tell, watcher.quiet(words[at + 1 + watcher.index]!));
  }

  /** Nothing will happen any more in this state: of those who look at how everything stands then. */
  lookAtRest(words: Uint32Array, at: number, length: number, tell: Tell): void {
    if (this.#resting.length === 0) return;
    const { state } = this.looked(words, at, length);
    for (const watcher of this.#resting) {
      const found = watcher.lookAtRest(words[at + 1 + watcher.index]!, state);
      if (found) for (const one of apart(found)) tell(one, watcher.observer);
    }
  }

  /** True when some sentence waits for something, so that infinite runs may contradict it. */
  get expects(): boolean {
    return this.#expecting.length > 0;
  }

  /** Numbers of what the observers wait for in the state at `at`. */
  pendingAt(words: Uint32Array, at: number): readonly number[] {
    return this.#expecting.flatMap((watcher) =>
      watcher.pendingIn(words[at + 1 + watcher.index]!).map(({ key }) => this.#obligationOf(watcher, key)),
    );
  }

  /** The observers that wait for something in the state at `at`. */
  waitingAt(words: Uint32Array, at: number): readonly Observer[] {
    return this.#expecting
      .filter((watcher) => watcher.pendingIn(words[at + 1 + watcher.index]!).length > 0)
      .map(({ observer }) => observer);
  }

  /** Who waits for something, and the words for it in a state in which it is pending. */
  describe(obligation: number, words: Uint32Array, at: number): { observer: Observer; pending: Pending } {
    const { watcher, key } = this.#obligations[obligation]!;
    const pending = watcher.pendingIn(words[at + 1 + watcher.index]!).find((one) => one.key === key)!;
    return { observer: watcher.observer, pending };
  }

  /** Who waits for something. */
  whoWaitsFor(obligation: number): Observer {
    return this.#obligations[obligation]!.watcher.observer;
  }

  /** Number of the memory of an observer after two actors have changed places. */
  exchanged(observer: number, memory: number, by: { nameOf(name: string): string }): number {
    return this.#all[observer]!.exchanged(memory, by);
  }

  /** The sentence of an observer that says something else of a state than of the one that actors who have changed places make of it; undefined when there is none. */
  apartOnState(
    words: Uint32Array,
    at: number,
    length: number,
    exchangedWords: Uint32Array,
    nameOf: (name: string) => string,
  ): string | undefined {
    if (!this.asksForSomeStates) return undefined;
    const state = globalStateAt(this.#transitionCache, this.#layout, words, at, length);
    const exchanged = globalStateAt(this.#transitionCache, this.#layout, exchangedWords, 0, length);
    const lookAt = (observer: Observer, seen: GlobalState) => (data: object, met: (key: string) => void) =>
      observer.seeState?.(data, seen, met) ?? observer.seeRest?.(data, seen);
    return [...new Set([...this.#stating, ...this.#resting])].find(
      (one) =>
        !one.isAlike(
          words[at + 1 + one.index]!,
          lookAt(one.observer, state),
          lookAt(one.observer, exchanged),
          nameOf,
        ),
    )?.observer.sentence;
  }

  /** As `apartOnState`, of all messages and probes that observers have been shown; those of which it is not known what an exchange makes of them are left out. */
  apartOnShown(exchange: ShownExchange): string | undefined {
    const { slots } = this.#transitionCache;
    const message = (id: number): Observation => ({
      kind: 'message',
      from: slots.senderName(id),
      to: slots.receiverOf(id).name,
      event: slots.eventOf(id),
    });
    const exchanged = (what: number | Probe): readonly [Observation, Observation | undefined] => {
      if (typeof what === 'number') return [message(what), message(exchange.messageId(what))];
      const actor = this.#shownAtStart.get(what) ?? this.#transitionCache.probeOf(this.#numberOf(what)).actor;
      const probe = exchange.probe(actor, what);
      return [
        { kind: 'probe', actor, probe: what },
        probe && { kind: 'probe', actor: exchange.nameOf(actor), probe },
      ];
    };
    for (const one of this.#all)
      for (const [memory, what] of one.shown()) {
        const [before, after] = exchanged(what);
        if (!after) continue;
        const seeing = (observation: Observation) => (data: object, met: (key: string) => void) =>
          one.observer.see(data, givenTo(one.observer, observation), met);
        if (!one.isAlike(memory, seeing(before), seeing(after), (name) => exchange.nameOf(name)))
          return one.observer.sentence;
      }
    return undefined;
  }

  /** What a memory is, as a text that does not depend on numbers. */
  memoryText(observer: number, memory: number): string {
    return transcriptOf(this.#all[observer]!.memoryOf(memory));
  }

  /** The memories in the state at `at`, as data. */
  memories(words: Uint32Array, at: number): readonly object[] {
    return this.#all.map((watcher, index) => watcher.memoryOf(words[at + 1 + index]!));
  }

  #apply(watcher: Watcher, words: Uint32Array, at: number, tell: Tell, seen: Seen): void {
    words[at + 1 + watcher.index] = seen.next;
    this.#isTold ||= seen.met.length > 0 || seen.found !== undefined;
    if (seen.met.length > 0) this.#meet(words, at, watcher, seen.met);
    if (seen.found) for (const one of apart(seen.found)) tell(one, watcher.observer);
  }

  #meet(words: Uint32Array, at: number, watcher: Watcher, keys: readonly string[]): void {
    const { trail } = this.#layout;
    if (trail === undefined) return;
    for (const key of keys)
      words[at + trail] = this.trails.meet(words[at + trail]!, this.#obligationOf(watcher, key));
  }

  #obligationOf(watcher: Watcher, key: string): number {
    const numbers = this.#obligationNumbers[watcher.index]!;
    let number = numbers.get(key);
    if (number === undefined) {
      number = this.#obligations.push({ watcher, key }) - 1;
      numbers.set(key, number);
    }
    return number;
  }

  /** The channel of a message, or the timer; none for what a network need not do: crash a party, bring it back, split. */
  #stepClassOf(messageId: number): number {
    const { slots, channel } = this.#transitionCache;
    const { type } = slots.eventOf(messageId);
    const optional: readonly string[] = [networkSteps.crash, networkSteps.recover, networkSteps.split];
    const isOutside = slots.senderOf(messageId) < 0;
    if (isOutside && optional.includes(type)) return none;
    // A split heals, whatever comes from the outside to the party of the same address.
    const own = slots.timer[messageId] || (isOutside && type === networkSteps.heal);
    const key = own ? `${channel[messageId]} ${type}` : channel[messageId]!;
    let number = this.#stepClasses.get(key);
    if (number === undefined) {
      number = this.#stepClasses.size;
      this.#stepClasses.set(key, number);
    }
    return number;
  }

  /** The state that observers have just looked at in `lookAtState`, for who looks at it after them; as `looked`. */
  lookedAgain(words: Uint32Array, at: number, length: number): LookedAtState {
    return this.#stating.length === 0 ? this.looked(words, at, length) : this.#looked;
  }

  /** The state at `at` for whoever looks at it, whatever observers remember in it. Valid as long as the words are, up to the next call. */
  looked(words: Uint32Array, at: number, length: number): LookedAtState {
    this.#looked.begin(words, at, length);
    return this.#looked;
  }
}

/** A state that is looked at, numbered as far as that is asked for. */
class Looked implements LookedAtState {
  readonly #transitionCache: TransitionCache;
  readonly #layout: Layout;
  /** Actors of global states; and global states without what observers remember of them. */
  readonly #actors: StateSet;
  readonly #bare: StateSet;
  #words: Uint32Array = new Uint32Array(0);
  #at = 0;
  #length = 0;
  #number = -1;
  #messages: GlobalState['messages'] | undefined;
  /** Its own and enumerable, so that it is copied, compared and written as any other; one for all states, which so have one shape. */
  readonly #overheard: PropertyDescriptor = {
    enumerable: true,
    get: () => {
      this.isRead = true;
      this.#messages ??= messagesIn(this.#transitionCache, this.#layout, this.#words, this.#at, this.#length);
      return this.#messages;
    },
  };
  actors = -1;
  isRead = false;

  constructor(
    transitionCache: TransitionCache,
    layout: Layout,
    actors: StateSet = new StateSet(),
    bare: StateSet = new StateSet(),
  ) {
    this.#transitionCache = transitionCache;
    this.#layout = layout;
    this.#actors = actors;
    this.#bare = bare;
  }

  /** For another state, with the same numbers. */
  another(): Looked {
    return new Looked(this.#transitionCache, this.#layout, this.#actors, this.#bare);
  }

  /** Where the state is. */
  get place(): { readonly words: Uint32Array; readonly at: number; readonly length: number } {
    return { words: this.#words, at: this.#at, length: this.#length };
  }

  begin(words: Uint32Array, at: number, length: number): void {
    this.#words = words;
    this.#at = at;
    this.#length = length;
    this.#number = -1;
    const { shared } = this.#layout;
    const number = this.#actors.add(words, at + shared, messagesAt(this.#layout, words, at) - at - shared);
    this.actors = number < 0 ? ~number : number;
  }

  get number(): number {
    if (this.#number < 0) this.#number = this.#numberWhole();
    return this.#number;
  }

  get state(): GlobalState {
    return globalStateAt(this.#transitionCache, this.#layout, this.#words, this.#at, this.#length);
  }

  get overheard(): GlobalState {
    this.isRead = false;
    this.#messages = undefined;
    return overheardStateAt(this.#transitionCache, this.#layout, this.#words, this.#at, this.#overheard);
  }

  /** Number of the words without the header, but with what is shared, and with how many local states there are. */
  #numberWhole(): number {
    const { shared } = this.#layout;
    const key = this.#words.slice(this.#at + shared - 1, this.#at + this.#length);
    key[0] = this.#words[this.#at]!;
    const number = this.#bare.add(key, 0, key.length);
    return number < 0 ? ~number : number;
  }
}
