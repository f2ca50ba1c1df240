import type { KernelError } from '../errors.ts';
import type { Probe, Report } from '../message.ts';
import { reads } from './effect-recorder.ts';
import type { Footprint } from './footprints.ts';

/** The local state of a member that has not come to life, and of an address where nobody is. */
export const unborn = 0;
/** The local state of an actor whose handling failed: from then on it takes everything and does nothing. */
export const failed = 1;

/** The version of what an actor shares that shares nothing; of what comes of a handling: it changed nothing that is shared. */
export const unshared = 0;

/** The list of nothing: most lists of an alternative are empty, and one for all is at hand when many alternatives are looked up. */
export const nothing: readonly never[] = [];

/** A list, or the one of nothing. */
export const kept = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? nothing : list);

/** One way in which an actor can handle a message. */
export interface Alternative {
  /** The local state it leads to. */
  readonly next: number;
  /** The version of what it shares that it leads to, `unshared` where it changed nothing of that. */
  readonly version: number;
  /** What is posted: pairs of delay and message, in the order of delay, then channel, then posting. */
  readonly posts: readonly number[];
  /** Timers that it sets and cancels, in order: in how many ticks, or -1 to cancel, and the message of the timer. Empty for most. */
  readonly timers: readonly number[];
  /** The answers to the questions of choice that lead here, those with one answer left out. */
  readonly picks: readonly number[];
  readonly reports: readonly Report[];
  /** What is shown; empty when nobody observes. */
  readonly probes: readonly Probe[];
  /** What observers look at, of the message and of what is shown. */
  readonly footprint: Footprint;
  /** What faults that struck add to the budget state. */
  readonly struck: number;
  /** True when the message is lost: its receiver crashes in front of it, or has crashed. */
  readonly lost: boolean;
  /** True when what the receiver has sent to itself is lost, too. */
  readonly clears: boolean;
  /** Why the handling failed. */
  readonly failure: KernelError | undefined;
  /** What observers make of it, as far as that was found out. */
  sight: Sight | undefined;
}

/** What observers make of a message and of what is shown where it comes, while nothing is told of it. */
export interface Sight {
  readonly messageId: number;
  /** The observers that look at any of it, and for each by its memory the memory that it leads to. */
  readonly observers: readonly number[];
  readonly next: readonly (number | undefined)[][];
}

/** Alternatives that were worked out, and what questions about all of them are answered with. */
export interface Known {
  readonly alternatives: readonly Alternative[];
  /** What observers look at in any of them. */
  readonly footprint: Footprint;
  /** True when a fault with a budget may strike. */
  readonly struck: boolean;
  /** True when one of them changes what actors share. */
  readonly writes: boolean;
  /** The level of the exploration in which they were first needed. */
  readonly since: number;
}

/** Sums up alternatives that were first needed in a level. */
export const knownFrom = (alternatives: readonly Alternative[], since: number): Known => ({
  alternatives,
  footprint:
    alternatives.length === 1
      ? alternatives[0]!.footprint
      : kept([...new Set(alternatives.flatMap(({ footprint }) => footprint))]),
  struck: alternatives.some(({ struck }) => struck > 0),
  writes: alternatives.some(({ version }) => version !== unshared),
  since,
});

/** The records of what is known of a letter in a local state and a budget state, by what its steps read of their envelopes; 0 for none. */
export class KnownVariants {
  /** What was read so far, of `reads`. */
  #read = 0;
  /** What is known wherever a message comes from and whenever, as long as nothing was read. */
  only = 0;
  /** Where something was read. */
  #variants: Map<number, number> | undefined;

  /** What is known where a message comes from this slot in this tick. */
  at(sender: number, now: number): number {
    return this.#read === 0 ? this.only : (this.#variants!.get(this.#key(sender, now)) ?? 0);
  }

  /** Keeps the record of what was worked out, in which `read` was read. What others are known by is dropped when more was read than ever before, and worked out again: then it returns false. */
  set(sender: number, now: number, read: number, record: number): boolean {
    const isMore = (read & ~this.#read) !== 0;
    const drops = isMore && (this.only !== 0 || this.#variants !== undefined);
    if (isMore) {
      this.#read |= read;
      this.only = 0;
      this.#variants = new Map();
    }
    if (this.#read === 0) this.only = record;
    else this.#variants!.set(this.#key(sender, now), record);
    return !drops;
  }

  #key(sender: number, now: number): number {
    const from = (this.#read & reads.from) === 0 ? 0 : sender + 1;
    return (this.#read & reads.now) === 0 ? from : from + now * sendersMax;
  }
}

/** Senders that one actor has at most, in a key. */
const sendersMax = 2 ** 21;

/** A step in which no actor does anything. */
export const still: Alternative = {
  next: unborn,
  version: unshared,
  posts: nothing,
  timers: nothing,
  picks: nothing,
  reports: nothing,
  probes: nothing,
  footprint: nothing,
  struck: 0,
  lost: false,
  clears: false,
  failure: undefined,
  sight: undefined,
};

/** The step of an asynchronous network that loses a message. */
export const dropped: Alternative = { ...still };

/** What comes of any message for an actor whose handling failed: nothing. */
export const absorbed: Known = knownFrom([{ ...still, next: failed }], -1);
