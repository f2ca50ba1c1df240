import { invariant } from '../errors.ts';

/** What an entry of a journal says was found out. The numbers that follow it are told here. */
export const entries = {
  /** Local state, message, budget state and tick, version of what is shared. */
  handling: 0,
  /** Observer, memory, message. */
  hear: 1,
  /** Observer, memory, number of what was shown. */
  look: 2,
  /** Observer, memory, ticks. */
  advance: 3,
  /** Observer, memory. */
  endOfTick: 4,
  /** Observer, memory. */
  quiet: 5,
  /** Who change places, local state, slot. */
  exchangeLocal: 6,
  /** Who change places, message. */
  exchangeMessageId: 7,
  /** Who change places, observer, memory. */
  exchangeMemory: 8,
  /** Observer, memory, how many words the state has; they are in the entries before. */
  lookAtState: 9,
  /** Four words of a state. */
  words: 10,
} as const;

/** Kind of an entry. */
export type EntryKind = (typeof entries)[keyof typeof entries];

/** Words of a state in one entry. */
const wordsAtOnce = 4;

/** Settles that something is found out now; false when another thread did so first, and it is known. */
export type Agree = (kind: EntryKind, one: number, two: number, three: number) => boolean;

/** Finds out what another thread has found out. */
export type FollowEntry = (
  kind: EntryKind,
  level: number,
  one: number,
  two: number,
  three: number,
  four: number,
  state: readonly number[],
) => void;

/** Words before the entries: the lock, and how many entries there are. */
const headWords = 2;
const entryWords = 6;
/** Entries of one exploration: 96 MiB, of which the system gives what is used. */
const entriesMax = 1 << 22;

/**
 * The order in which the threads of an exploration find things out, in memory that they share.
 *
 * Why: numbers for local states, message and memories are given when these are first met. When all threads work out the same things in the same order they give the
 * same numbers without ever exchanging a context, and a state of one is a state of all. There are few such things beside the states, and each follows from
 * numbers: this message in that local state.
 *
 * Details: each thread has a journal of its own over the same memory, and works out the entries of the others before it adds one. Waits for the others with `Atomics.wait`,
 * so not on the main thread of a browser.
 */
export class Journal {
  readonly #words: Int32Array;
  readonly #follow: FollowEntry;
  /** Entries that are worked out here. */
  #done = 0;
  /** Words of a state that came before the entry to which they belong. */
  #state: number[] = [];

  /** `memory` comes from `journalMemory`. */
  constructor(memory: SharedArrayBuffer, follow: FollowEntry) {
    this.#words = new Int32Array(memory);
    this.#follow = follow;
  }

  /**
   * Settles that something is found out now, after what the others found out before. When it returns true the caller has to work it out; else another thread did
   * so first, and it is known.
   */
  agree(kind: EntryKind, level: number, one: number, two: number, three: number, four = 0): boolean {
    const wanted = [kind, one, two, three, four];
    if (this.#followUpTo(Atomics.load(this.#words, 1), wanted)) return false;
    this.#lock();
    try {
      if (this.#followUpTo(Atomics.load(this.#words, 1), wanted)) return false;
      this.#write([kind, level, one, two, three, four]);
      Atomics.store(this.#words, 1, this.#done);
      return true;
    } finally {
      this.#unlock();
    }
  }

  /** Settles that a look at a state by an observer finds something out now, unless `isKnown` after what the others found out before. */
  agreeOnState(
    level: number,
    observer: number,
    memory: number,
    state: Uint32Array,
    at: number,
    length: number,
    isKnown: () => boolean,
  ): void {
    this.#lock();
    try {
      this.#followUpTo(Atomics.load(this.#words, 1), []);
      if (isKnown()) return;
      for (let i = 0; i < length; i += wordsAtOnce) {
        const part = Array.from({ length: wordsAtOnce }, (_, word) =>
          i + word < length ? state[at + i + word]! : 0,
        );
        this.#write([entries.words, level, ...part]);
      }
      this.#write([entries.lookAtState, level, observer, memory, length, 0]);
      Atomics.store(this.#words, 1, this.#done);
    } finally {
      this.#unlock();
    }
  }

  #write(entry: readonly number[]): void {
    invariant(this.#done < entriesMax, `threads share at most ${entriesMax} entries: use one thread`);
    this.#words.set(entry, headWords + entryWords * this.#done);
    this.#done++;
  }

  /** Works out what the others have found out so far. */
  catchUp(): void {
    this.#followUpTo(Atomics.load(this.#words, 1), []);
  }

  /** Returns true when one of the entries was the wanted one. */
  #followUpTo(count: number, [kind, one, two, three, four]: readonly number[]): boolean {
    const words = this.#words;
    let met = false;
    while (this.#done < count) {
      const at = headWords + entryWords * this.#done;
      const [first, second, third] = [words[at + 2]! >>> 0, words[at + 3]! >>> 0, words[at + 4]! >>> 0];
      const fourth = words[at + 5]! >>> 0;
      this.#done++;
      if (words[at] === entries.words) {
        this.#state.push(first, second, third, fourth);
        continue;
      }
      const state = this.#state;
      this.#state = [];
      this.#follow(words[at]! as EntryKind, words[at + 1]!, first, second, third, fourth, state);
      met ||= words[at] === kind && first === one && second === two && third === three && fourth === four;
    }
    return met;
  }

  #lock(): void {
    // 0: free, 1: taken, 2: taken and waited for.
    if (Atomics.compareExchange(this.#words, 0, 0, 1) === 0) return;
    while (Atomics.exchange(this.#words, 0, 2) !== 0) Atomics.wait(this.#words, 0, 2);
  }

  #unlock(): void {
    if (Atomics.exchange(this.#words, 0, 0) === 2) Atomics.notify(this.#words, 0, 1);
  }
}

/** Memory for the chronicles of the threads of one exploration. */
export const journalMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(4 * (headWords + entryWords * entriesMax));
