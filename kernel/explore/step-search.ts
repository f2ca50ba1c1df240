import { type NetworkRules, type NetworkSplit, networkSteps } from '../network.ts';
import { type Alternative, dropped, failed, still, unshared } from './alternative.ts';
import { budgetAt, type Layout, localAt, messagesAt, networkWords, versionAt } from './state-words.ts';
import type { Taken, TickCounts, TickListener } from './tick-search.ts';
import { changeTimers } from './timer-words.ts';
import type { TransitionCache } from './transition-cache.ts';
import { isIdle } from './transition-records.ts';

/** What a step does to the words of a network, where they are part of a state. */
interface NetworkChange {
  readonly losses?: number;
  readonly split?: number;
  readonly splits?: number;
  readonly downs?: number;
}

/**
 * Goes on from a state of an asynchronous wiring: takes each step that can be next, once.
 *
 * Details: a step delivers a message, lets a timer go off, or is one of the network (`networkSteps`). Equal messages are one. A delivery that changes nothing in its
 * receiver, and sends, shows and reports nothing, is no step, whatever it asked; in a `perChannel` network that does not duplicate it takes the message off its channel
 * (specification of protocols, 1).
 */
export class StepSearch {
  readonly counts: TickCounts = { transitions: 0, postponed: 0, merged: 0 };
  /** Nothing is inside a step. */
  readonly cutAt = undefined;
  /** It remembers no states inside a tick. */
  readonly bytes = 0;
  readonly #transitionCache: TransitionCache;
  readonly #layout: Layout;
  readonly #rules: NetworkRules;
  readonly #listener: TickListener;
  /** Message by which parties crash and come back, by slot. */
  readonly #crashes: readonly (number | undefined)[];
  readonly #recoveries: readonly (number | undefined)[];
  readonly #splits: readonly number[];
  readonly #heal: number;
  /** The state that is gone on from, and behind it the one that a step leads to. */
  #words = new Uint32Array(1 << 10);
  #length = 0;
  #stopped = true;
  #taken: Taken | undefined;
  /** True when some party did something in the present state. */
  #moved = false;

  constructor(transitionCache: TransitionCache, layout: Layout, rules: NetworkRules, listener: TickListener) {
    this.#transitionCache = transitionCache;
    this.#layout = layout;
    this.#rules = rules;
    this.#listener = listener;
    const { slots } = transitionCache;
    const toParty = (type: string) =>
      rules.mayCrash.map((may, slot) =>
        may ? slots.posted(-1, { to: slots.addressOf(slot), delay: 0, event: { type } })[1] : undefined,
      );
    this.#crashes = toParty(networkSteps.crash);
    this.#recoveries = rules.crashes?.recover ? toParty(networkSteps.recover) : [];
    const ofNetwork = (event: NetworkSplit | { readonly type: string }) =>
      slots.posted(-1, { to: slots.addressOf(0), delay: 0, event })[1];
    this.#splits = rules.sides.map((side) => ofNetwork({ type: networkSteps.split, side }));
    this.#heal = rules.splitsMax > 0 ? ofNetwork({ type: networkSteps.heal }) : -1;
  }

  /** Begins with a state. */
  begin(words: Uint32Array, at: number, length: number): void {
    this.#reserve(length);
    const own = this.#words;
    for (let i = 0; i < length; i++) own[i] = words[at + i]!;
    this.#length = length;
    this.#stopped = false;
    this.#transitionCache.tick = ++this.#transitionCache.searches;
  }

  /** Takes all steps. Returns true: the state has been gone on from. */
  go(_steps: number): boolean {
    if (this.#stopped) return true;
    this.#moved = false;
    this.#deliveries();
    const split = this.#network('split');
    if (!this.#moved && split === 0) this.#listener.rested?.(this.#words, this.#length);
    this.#ofNetwork(split);
    this.#stopped = true;
    return true;
  }

  /** Leaves the other steps alone. */
  stop(): void {
    this.#stopped = true;
  }

  /** The step that led to where the search stands. */
  get path(): readonly Taken[] {
    return this.#taken ? [this.#taken] : [];
  }

  #network(key: 'losses' | 'split' | 'splits' | 'downs'): number {
    const { network } = this.#layout;
    return network === undefined ? 0 : this.#words[network + networkWords.indexOf(key)]!;
  }

  #deliveries(): void {
    const { slots, channel, slotTo } = this.#transitionCache;
    const { ordered, lossesMax } = this.#rules;
    const first = messagesAt(this.#layout, this.#words, 0);
    const hasNetwork = this.#layout.network !== undefined;
    const mayLose = this.#network('losses') < lossesMax;
    for (let message = first; message < this.#length && !this.#stopped; message += 2) {
      const messageId = this.#words[message + 1]!;
      const timer = slots.timer[messageId]!;
      if (message > first) {
        const before = this.#words[message - 1]!;
        if (before === messageId || (ordered && !timer && channel[before] === channel[messageId])) continue;
      }
      if (mayLose && !timer && slots.senderOf(messageId) >= 0)
        this.#step(message, messageId, dropped, { losses: Number.isFinite(lossesMax) ? 1 : 0 });
      const slot = slotTo[messageId]!;
      if (hasNetwork && this.#isCut(slots.senderOf(messageId), slot)) continue;
      this.#deliver(message, messageId, slot, timer);
    }
  }

  #isCut(sender: number, receiver: number): boolean {
    const { slots } = this.#transitionCache;
    const split = this.#network('split');
    const local = localAt(this.#layout, this.#words, 0, receiver);
    return (
      this.#transitionCache.locals.at(local)?.crashed === true ||
      this.#rules.separates(split, slots.addressOf(sender), slots.addressOf(receiver))
    );
  }

  #deliver(message: number, messageId: number, slot: number, timer: boolean): void {
    const transitionCache = this.#transitionCache;
    const local = localAt(this.#layout, this.#words, 0, slot);
    // Nothing comes of it: an actor whose handling failed has ended the run.
    if (local === failed) return;
    const budgetState = budgetAt(this.#layout, this.#words, 0);
    const record = transitionCache.recordOf(local, messageId, budgetState, this.#versionFor(slot));
    const { records } = transitionCache;
    // By an answer to which nothing comes of it the message was not received, whatever comes of another answer.
    const mayIdle = timer || this.#rules.keepsIdle;
    // Of most messages nothing comes.
    if (mayIdle && !timer && records.isIdle(record)) return;
    const fired = timer ? messageId : undefined;
    for (const alternative of records.of(record).alternatives) {
      if (this.#stopped) return;
      if (mayIdle && isIdle(alternative, local) && this.#leavesTimers(alternative.timers, fired)) continue;
      this.#moved = true;
      this.#step(message, messageId, alternative, noChange, slot);
    }
  }

  /** True when the timers that are set are the same after a handling; `fired` is the one that went off. */
  #leavesTimers(changes: readonly number[], fired: number | undefined): boolean {
    if (changes.length === 0) return fired === undefined;
    let isFiredChanged = fired === undefined;
    for (let i = 0; i < changes.length; i += 2) {
      const messageId = changes[i + 1]!;
      isFiredChanged ||= messageId === fired;
      if (isLastChange(changes, i) && this.#isSet(messageId) !== changes[i]! >= 0) return false;
    }
    return isFiredChanged;
  }

  #isSet(timer: number): boolean {
    for (let i = messagesAt(this.#layout, this.#words, 0); i < this.#length; i += 2)
      if (this.#words[i + 1] === timer) return true;
    return false;
  }

  #ofNetwork(split: number): void {
    const { crashes, splitsMax } = this.#rules;
    if (crashes)
      this.#crashes.forEach((crash, slot) => {
        if (crash === undefined || this.#stopped) return;
        const local = localAt(this.#layout, this.#words, 0, slot);
        const recovery = this.#recoveries[slot];
        if (this.#transitionCache.locals.at(local)?.crashed) {
          if (recovery !== undefined) this.#toParty(recovery, slot, local, -1);
        } else if (local !== failed && this.#network('downs') < crashes.max)
          this.#toParty(crash, slot, local, 1);
      });
    if (this.#stopped) return;
    if (split !== 0) this.#step(-1, this.#heal, still, { split: -split });
    else if (this.#network('splits') < splitsMax)
      this.#splits.forEach((messageId, way) => {
        if (!this.#stopped) this.#step(-1, messageId, still, { split: this.#rules.sides[way]!, splits: 1 });
      });
  }

  #toParty(messageId: number, slot: number, local: number, downs: number): void {
    for (const alternative of this.#transitionCache.alternatives(local, messageId, 0, this.#versionFor(slot)))
      if (!this.#stopped) this.#step(-1, messageId, alternative, { downs }, slot);
  }

  /** Writes the state after a step behind the present one and tells of it. `message`: the place of what is delivered or lost, -1 for none. */
  #step(
    message: number,
    messageId: number,
    alternative: Alternative,
    change: NetworkChange,
    slot = -1,
  ): void {
    this.counts.transitions++;
    const { posts, timers, next, version } = alternative;
    const { header, clock, budget, network, shared } = this.#layout;
    const from = this.#length;
    this.#reserve(2 * from + slot + 1 + posts.length + timers.length);
    const words = this.#words;
    const before = words[0]!;
    const after = Math.max(before, slot + 1);
    for (let i = 0; i < header + before; i++) words[from + i] = words[i]!;
    for (let i = header + before; i < header + after; i++) words[from + i] = 0;
    words[from] = after;
    if (slot >= 0) words[from + header + slot] = next;
    if (version !== unshared) words[from + shared + this.#transitionCache.clusterOf(slot)] = version;
    if (clock !== undefined) words[from + clock] = words[from + clock]! + 1;
    if (budget !== undefined) words[from + budget] = words[from + budget]! + alternative.struck;
    if (network !== undefined)
      for (let index = 0; index < networkWords.length; index++)
        words[from + network + index] = words[from + network + index]! + (change[networkWords[index]!] ?? 0);
    const first = from + header + after;
    let to = first;
    const keeps =
      message < 0 || (this.#rules.duplicating && alternative !== dropped && !this.#isTimer(messageId));
    const downed = change.downs === 1 ? slot : -1;
    for (let i = header + before; i < from; i += 2) {
      if (i === message && !keeps) continue;
      // The timers of a party that goes down are not set any more.
      if (
        downed >= 0 &&
        this.#isTimer(words[i + 1]!) &&
        this.#transitionCache.slotTo[words[i + 1]!] === downed
      )
        continue;
      words[to++] = 0;
      words[to++] = words[i + 1]!;
    }
    for (let i = 0; i < posts.length; i += 2) to = this.#insert(first, to, posts[i + 1]!);
    if (timers.length > 0) to = changeTimers(words, first, to, timers, this.#transitionCache);
    this.#taken = { messageId, alternative };
    this.#listener.delivered(words, from, messageId, alternative);
    if (!this.#stopped && next !== failed) this.#listener.ended(words, from, to - from);
    this.#taken = undefined;
  }

  /** The version of what the actor of a slot shares, in the present state. */
  #versionFor(slot: number): number {
    return versionAt(this.#layout, this.#words, 0, this.#transitionCache.clusterOf(slot));
  }

  #isTimer(messageId: number): boolean {
    return this.#transitionCache.slots.timer[messageId]!;
  }

  /** Puts a message in its place among those from `first` to `end`. Returns the new end. */
  #insert(first: number, end: number, messageId: number): number {
    const words = this.#words;
    let to = end;
    while (to > first && this.#transitionCache.isBefore(messageId, words[to - 1]!)) to -= 2;
    if (this.#rules.duplicating && to > first && words[to - 1] === messageId) return end;
    words.copyWithin(to + 2, to, end);
    words[to] = 0;
    words[to + 1] = messageId;
    return end + 2;
  }

  #reserve(words: number): void {
    if (words <= this.#words.length) return;
    const longer = new Uint32Array(Math.max(words, 2 * this.#words.length));
    longer.set(this.#words);
    this.#words = longer;
  }
}

/** True when no later change is of the same timer. */
function isLastChange(changes: readonly number[], at: number): boolean {
  for (let i = at + 2; i < changes.length; i += 2) if (changes[i + 1] === changes[at + 1]) return false;
  return true;
}

const noChange: NetworkChange = {};
