import { firstDifference } from '../difference.ts';
import { invariant, KernelError } from '../errors.ts';
import type { Address } from '../message.ts';
import type { NetworkRules } from '../network.ts';
import { failed, unshared } from './alternative.ts';
import { type Agree, type EntryKind, entries } from './journal.ts';
import { type Layout, localAt, messagesAt, networkWords } from './state-words.ts';
import type { Exchange, Exchanged, Symmetry } from './symmetry.ts';
import { transcriptOf } from './transcript.ts';
import type { TransitionCache } from './transition-cache.ts';
import type { Watchers } from './watchers.ts';

/** Two actors that change places, with what that was found to make of local states and message. */
interface Swap extends Exchange {
  /** Its number. */
  readonly order: number;
  readonly one: number;
  readonly other: number;
  nameOf(name: string): string;
  /** How a network is split after it. */
  split(split: number): number;
  /** By local state, and by message; undefined where nobody asked yet. */
  readonly locals: (number | undefined)[];
  readonly messageIds: (number | undefined)[];
  /** By observer, then by memory. */
  readonly memories: readonly (number | undefined)[][];
}

/** Which states are exchanged to ask again those who look at states: the first 500, and one of 64 after them. */
const [lookedFirst, lookedEach] = [500, 64];

/**
 * Exchanges the actors of a symmetry in states, and picks one state for all that differ in nothing else.
 *
 * Details: the one that is picked is the least that exchanges of two lead to, one after the other; states are compared by what they hold, not by its numbers: local states, messages, how the network is split, memories. It is always a state that
 * differs in the places of actors only, so nothing is lost; where each of the actors is by itself, and lists of them are sorted, it is the same for all of a class.
 */
export class SymmetryReduction {
  /** Ends of ticks for which another state stands. */
  exchanged = 0;
  /** Agrees with other threads that what an exchange makes of something is found out now; absent where there are none. */
  agree: Agree | undefined;
  readonly #symmetry: Symmetry;
  readonly #transitionCache: TransitionCache;
  readonly #watchers: Watchers;
  readonly #layout: Layout;
  readonly #network: NetworkRules | undefined;
  /** Place of the word that says how the network is split; undefined where it never is. */
  readonly #splitAt: number | undefined;
  /** The first party that is not exchanged; the first of all where there is none. */
  readonly #onlooker: number;
  readonly #slots: readonly number[];
  readonly #swaps: readonly Swap[];
  /** Those of neighbours: one after the other they exchange everybody. */
  readonly #neighbours: readonly Swap[];
  readonly #isInside: ((words: Uint32Array, at: number, length: number) => boolean) | undefined;
  /** Whether somebody is asked about states. */
  readonly #isAsked: boolean;
  #looked = 0;
  #best = new Uint32Array(1 << 8);
  #other = new Uint32Array(1 << 8);

  /** Errors: KRN013 for actors that are not there or have different state machines. */
  constructor(
    symmetry: Symmetry,
    transitionCache: TransitionCache,
    watchers: Watchers,
    layout: Layout,
    network: NetworkRules | undefined,
    /** The boundary of the exploration, where it has one. */
    isInside?: (words: Uint32Array, at: number, length: number) => boolean,
  ) {
    this.#symmetry = symmetry;
    this.#transitionCache = transitionCache;
    this.#watchers = watchers;
    this.#layout = layout;
    this.#network = network;
    this.#splitAt =
      network && network.splitsMax > 0 && layout.network !== undefined
        ? layout.network + networkWords.indexOf('split')
        : undefined;
    this.#slots = symmetry.actors.map((name) => transitionCache.slots.named(name));
    const exchanged = new Set<number>(this.#slots.map((slot) => transitionCache.slots.addressOf(slot)));
    let onlooker = 0;
    while (exchanged.has(onlooker)) onlooker++;
    this.#onlooker = onlooker < (network?.parties ?? 0) ? onlooker : 0;
    const swaps: Swap[] = [];
    for (let other = 1; other < this.#slots.length; other++)
      for (let one = 0; one < other; one++) swaps.push(this.#swapOf(swaps.length, one, other));
    this.#swaps = swaps;
    this.#neighbours = swaps.filter(({ one, other }) => other === one + 1);
    this.#isInside = isInside;
    this.#isAsked = isInside !== undefined || watchers.asksForSomeStates;
  }

  /** The state that stands for the one at `at`, of the same length. Valid until the next call. */
  canonical(words: Uint32Array, at: number, length: number): Uint32Array {
    if (this.#isAsked && (this.#looked++ < lookedFirst || this.#looked % lookedEach === 0))
      this.#verifyAnswers(words, at, length);
    if (this.#lessen(words, at, length)) this.exchanged++;
    return this.#best;
  }

  /** True when no other state stands for this one. */
  stands(words: Uint32Array): boolean {
    return !this.#lessen(words, 0, words.length);
  }

  /** Makes the least of a state that exchanges lead to. Returns whether that is another one. */
  #lessen(words: Uint32Array, at: number, length: number): boolean {
    if (length > this.#best.length) {
      this.#best = new Uint32Array(2 * length);
      this.#other = new Uint32Array(2 * length);
    }
    for (let i = 0; i < length; i++) this.#best[i] = words[at + i]!;
    let changed = false;
    for (let better = true; better; ) {
      better = false;
      for (const swap of this.#swaps) {
        this.#write(swap, this.#best, length, this.#other);
        if (!this.#isLess(this.#other, this.#best, length)) continue;
        [this.#best, this.#other] = [this.#other, this.#best];
        better = true;
        changed = true;
      }
    }
    return changed;
  }

  /**
   * Makes sure that the machine does after an exchange what it does before it, exchanged: of everything that was met, whoever is exchanged.
   *
   * Errors: KRN013 when it does not, so that states that stand for others prove nothing.
   */
  verify(): void {
    this.#verifyShown();
    const open = [...this.#transitionCache.met()];
    const known = new Set(open.map((one) => one.join(' ')));
    for (const [local, messageId, budgetState] of open) {
      const ways = this.#spelled(local, messageId, budgetState, undefined);
      // What an exchange leads to is looked at, too.
      for (const swap of this.#neighbours) {
        const [there, letter] = [this.#local(swap, local, messageId), this.#messageId(swap, messageId)];
        if (this.#spelled(there, letter, budgetState, swap) !== ways)
          this.#refuse(
            swap,
            messageId,
            this.#ends(local, messageId, budgetState),
            this.#ends(there, letter, budgetState, swap),
          );
        const key = `${there} ${letter} ${budgetState}`;
        if (known.has(key)) continue;
        known.add(key);
        open.push([there, letter, budgetState]);
      }
    }
  }

  /** Makes sure that who looks at a state says of it what is said of the state after an exchange. Errors: KRN013. */
  #verifyAnswers(words: Uint32Array, at: number, length: number): void {
    const state = words.slice(at, at + length);
    const exchanged = new Uint32Array(length);
    for (const swap of this.#neighbours) {
      this.#write(swap, state, length, exchanged);
      const apart =
        this.#watchers.apartOnState(state, 0, length, exchanged, (name) => swap.nameOf(name)) ??
        (this.#isInside?.(state, 0, length) === this.#isInside?.(exchanged, 0, length)
          ? undefined
          : 'the boundary of the exploration');
      if (apart !== undefined) this.#refuseApart(swap, apart);
    }
  }

  /** Makes sure that observers make of what they were shown what they make of it after an exchange. Errors: KRN013. */
  #verifyShown(): void {
    for (const swap of this.#neighbours) {
      const apart = this.#watchers.apartOnShown({
        nameOf: (name) => swap.nameOf(name),
        messageId: (id) => this.#messageId(swap, id),
        probe: (actor, probe) => this.#symmetry.exchangeShown?.(probe, swap, actor),
      });
      if (apart !== undefined) this.#refuseApart(swap, apart);
    }
  }

  #refuseApart(swap: Swap, apart: string): never {
    throw this.#error(
      swap,
      `exchanged, they get another answer from "${apart}", which tells one from the other, or remembers who without saying so (exchange)`,
    );
  }

  /**
   * Makes sure that an exchange makes of each first state another first state. Errors: KRN013.
   *
   * Details: what observers remember does not count. It follows the order in which the actors were started, and the other order, of which it tells
   * the same with the actors exchanged, would lead to the states that these stand for.
   */
  verifyFirst(states: readonly Uint32Array[]): void {
    const machineOf = (words: Uint32Array): string =>
      words
        .slice()
        .fill(0, 1, 1 + this.#watchers.count)
        .join();
    const known = new Set(states.map(machineOf));
    for (const words of states)
      for (const swap of this.#swaps) {
        const there = new Uint32Array(words.length);
        this.#write(swap, words, words.length, there);
        if (!known.has(machineOf(there)))
          throw this.#error(swap, `they do not start alike: ${this.#unlikeStart(there, words)}`);
      }
  }

  /** What of a first state an exchange changes; `there` is the state after it. */
  #unlikeStart(there: Uint32Array, words: Uint32Array): string {
    const { slots } = this.#transitionCache;
    for (let slot = 0; slot < words[0]!; slot++) {
      const [before, after] = [words, there].map((state) =>
        this.#transitionCache.localStateOf(localAt(this.#layout, state, 0, slot), unshared),
      );
      const difference = firstDifference(after, before)?.replace(/^it\.(context\.)?/, '');
      if (difference) return `exchanged, in ${slots.of(slot).name} ${difference}`;
    }
    return 'exchanged, other messages are under way';
  }

  /** `ends` are those of a message as it is, `exchangedEnds` those after an exchange, exchanged back. */
  #refuse(swap: Swap, messageId: number, ends: readonly object[], exchangedEnds: readonly object[]): never {
    const { slots } = this.#transitionCache;
    const missingIn = (some: readonly object[], others: readonly object[]) => {
      const known = new Set(others.map(transcriptOf));
      return some.find((one) => !known.has(transcriptOf(one)));
    };
    const [mine, theirs] = [missingIn(ends, exchangedEnds), missingIn(exchangedEnds, ends)];
    const difference = mine && theirs && firstDifference(theirs, mine)?.replace('it.', '');
    throw this.#error(
      swap,
      `exchanged, ${slots.receiverOf(messageId).name} does something else with "${slots.eventOf(messageId).type}"${difference ? `: ${difference}` : ''}`,
    );
  }

  /** What can come of a message, as data; exchanged back where `swap` is given. */
  #ends(local: number, messageId: number, budgetState: number, swap?: Swap): readonly object[] {
    const { slots } = this.#transitionCache;
    return this.#transitionCache
      .alternatives(local, messageId, budgetState, unshared)
      .filter(({ next, lost }) => next > failed && !lost)
      .map(({ next, posts }) => {
        const { state, context } = this.#transitionCache.localStateOf(
          swap ? this.#local(swap, next, messageId) : next,
          unshared,
        );
        const sent = posts
          .filter((_, i) => i % 2 === 1)
          .map((post) => (swap ? this.#messageId(swap, post) : post))
          .map((post) => ({ ...slots.eventOf(post), to: slots.receiverOf(post).name }));
        return {
          state,
          ...context,
          sends: sent.sort((a, b) => (transcriptOf(a) < transcriptOf(b) ? -1 : 1)),
        };
      });
  }

  #error({ one, other }: Swap, what: string): KernelError {
    const { actors } = this.#symmetry;
    return new KernelError('KRN013', `${actors[one]} and ${actors[other]}`, what);
  }

  /** What can come of a message, in an order that does not depend on picks; exchanged back where `swap` is given. */
  #spelled(local: number, messageId: number, budgetState: number, swap: Swap | undefined): string {
    const ways = this.#transitionCache
      .alternatives(local, messageId, budgetState, unshared)
      .map((alternative) => {
        const { next, posts, timers, reports, failure, struck, lost, clears } = alternative;
        const back = swap ? this.#local(swap, next, messageId) : next;
        const messageIds: [number, number][] = [];
        for (let i = 0; i < posts.length; i += 2)
          messageIds.push([posts[i]!, swap ? this.#messageId(swap, posts[i + 1]!) : posts[i + 1]!]);
        const transitionCache = this.#transitionCache;
        messageIds.sort(
          ([due, a], [otherDue, b]) =>
            due - otherDue || Number(transitionCache.isBefore(b, a)) - Number(transitionCache.isBefore(a, b)),
        );
        const set = timers.map((word, at) => (at % 2 === 1 && swap ? this.#messageId(swap, word) : word));
        return `${back} ${messageIds.join()} ${set.join()} ${reports.length} ${failure?.code ?? ''} ${struck} ${lost} ${clears}`;
      });
    return [...new Set(ways)].sort().join(';');
  }

  #swapOf(order: number, one: number, other: number): Swap {
    const { actors } = this.#symmetry;
    const [first, second] = [this.#slots[one]!, this.#slots[other]!].map((slot) =>
      this.#transitionCache.slots.addressOf(slot),
    );
    const swap: Swap = {
      order,
      one,
      other,
      address: (address: Address) => (address === first ? second! : address === second ? first! : address),
      index: (index) => (index === one ? other : index === other ? one : index),
      nameOf: (name) =>
        name === actors[one] ? actors[other]! : name === actors[other] ? actors[one]! : name,
      split: (split) => this.#network!.exchanged(split, first!, second!),
      locals: [0, 1],
      messageIds: [],
      memories: Array.from({ length: this.#watchers.count }, () => []),
    };
    if (!this.#transitionCache.sameMachine(this.#slots[one]!, this.#slots[other]!))
      throw this.#error(swap, 'they have different state machines');
    return swap;
  }

  #slot({ one, other }: Swap, slot: number): number {
    const [first, second] = [this.#slots[one]!, this.#slots[other]!];
    return slot === first ? second : slot === second ? first : slot;
  }

  /** A local state after an exchange; `messageId` is some message for its actor. */
  #local(swap: Swap, local: number, messageId: number): number {
    return this.#localAt(swap, local, this.#transitionCache.slotTo[messageId]!);
  }

  #localAt(swap: Swap, local: number, slot: number): number {
    return (
      swap.locals[local] ?? this.#found(swap.locals, local, entries.exchangeLocal, swap.order, local, slot)
    );
  }

  #messageId(swap: Swap, messageId: number): number {
    return (
      swap.messageIds[messageId] ??
      this.#found(swap.messageIds, messageId, entries.exchangeMessageId, swap.order, messageId, 0)
    );
  }

  #memory(swap: Swap, observer: number, memory: number): number {
    const memories = swap.memories[observer]!;
    return (
      memories[memory] ?? this.#found(memories, memory, entries.exchangeMemory, swap.order, observer, memory)
    );
  }

  /** Finds something out, here or by following another thread. */
  #found(
    list: readonly (number | undefined)[],
    index: number,
    ...[kind, one, two, three]: Parameters<Agree>
  ): number {
    if (this.agree?.(kind, one, two, three) ?? true) this.follow(kind, one, two, three);
    const found = list[index];
    invariant(found !== undefined, 'what an exchange makes of a part of a state was not followed');
    return found;
  }

  /** Finds out what an exchange makes of a local state, message or a memory. */
  follow(kind: EntryKind, order: number, two: number, three: number): void {
    const swap = this.#swaps[order]!;
    const exchange = (of: Exchanged) => (data: Record<string, unknown>) =>
      this.#symmetry.exchange(data, swap, of);
    const transitionCache = this.#transitionCache;
    if (kind === entries.exchangeLocal) {
      const actor = transitionCache.slots.of(three).name;
      const of = exchange({ actor, isEvent: false });
      swap.locals[two] = transitionCache.exchangedLocal(two, this.#slot(swap, three), of);
    } else if (kind === entries.exchangeMessageId) {
      const actor = transitionCache.slots.receiverOf(two).name;
      const of = exchange({ actor, isEvent: true });
      swap.messageIds[two] = transitionCache.exchangedMessageId(two, (slot) => this.#slot(swap, slot), of);
    } else swap.memories[two]![three] = this.#watchers.exchanged(two, three, swap);
  }

  /** Writes a state after an exchange to the beginning of `to`. */
  #write(swap: Swap, from: Uint32Array, length: number, to: Uint32Array): void {
    const { header } = this.#layout;
    for (let i = 0; i < header; i++) to[i] = from[i]!;
    for (let index = 0; index < this.#watchers.count; index++)
      to[1 + index] = this.#memory(swap, index, from[1 + index]!);
    if (this.#splitAt !== undefined) to[this.#splitAt] = swap.split(from[this.#splitAt]!);
    const count = from[0]!;
    for (let slot = 0; slot < count; slot++)
      to[header + this.#slot(swap, slot)] = this.#localAt(swap, from[header + slot]!, slot);
    const transitionCache = this.#transitionCache;
    const first = messagesAt(this.#layout, from, 0);
    for (let i = first; i < length; i += 2) {
      const due = from[i]!;
      const messageId = this.#messageId(swap, from[i + 1]!);
      // Few are under way, and most in order already.
      let at = i;
      while (
        at > first &&
        (to[at - 2]! > due || (to[at - 2] === due && transitionCache.isBefore(messageId, to[at - 1]!)))
      ) {
        to[at] = to[at - 2]!;
        to[at + 1] = to[at - 1]!;
        at -= 2;
      }
      to[at] = due;
      to[at + 1] = messageId;
    }
  }

  /** Who is cut off, seen from a party that stays where it is: seen from one that changes places, whole halves would change with it. */
  #cutOff(split: number): number {
    return this.#network!.cutOffFrom(split, this.#onlooker);
  }

  /** Compares two states of one length by what they hold. */
  #isLess(one: Uint32Array, other: Uint32Array, length: number): boolean {
    const transitionCache = this.#transitionCache;
    const { header } = this.#layout;
    const first = messagesAt(this.#layout, one, 0);
    for (let i = header; i < first; i++)
      if (one[i] !== other[i])
        return transitionCache.locals.textOf(one[i]!) < transitionCache.locals.textOf(other[i]!);
    for (let i = first; i < length; i += 2) {
      if (one[i] !== other[i]) return one[i]! < other[i]!;
      const [messageId, otherMessageId] = [one[i + 1]!, other[i + 1]!];
      if (messageId === otherMessageId) continue;
      const [channel, otherChannel] = [
        transitionCache.channel[messageId]!,
        transitionCache.channel[otherMessageId]!,
      ];
      if (channel !== otherChannel) return channel < otherChannel;
      return transitionCache.letterText(messageId) < transitionCache.letterText(otherMessageId);
    }
    const split = this.#splitAt;
    if (split !== undefined && one[split] !== other[split])
      return this.#cutOff(one[split]!) < this.#cutOff(other[split]!);
    for (let i = 1; i < header; i++)
      if (one[i] !== other[i])
        return this.#watchers.memoryText(i - 1, one[i]!) < this.#watchers.memoryText(i - 1, other[i]!);
    return false;
  }
}
