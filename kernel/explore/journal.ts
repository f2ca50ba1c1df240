import { invariant } from '../errors.ts';
import { WordList } from './word-list.ts';

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

/** Hears in which order an exploration finds things out, before each is worked out. */
export interface FindingOrder {
  /**
   * Settles that something is found out now. When it returns true the caller has to work it out; else it is known by now.
   *
   * Details: with `find` that does so, while nobody finds out anything else: it gives what came of it as words, for `published`, or nothing where these do not say all.
   */
  agree(
    kind: EntryKind,
    level: number,
    one: number,
    two: number,
    three: number,
    four?: number,
    find?: () => readonly number[] | undefined,
  ): boolean;
  /** Works out what the others have found out so far. Absent where there are none. */
  catchUp?(): void;
  /** Settles that a look at a state by an observer finds something out now, unless `isKnown` by now. */
  agreeOnState(
    level: number,
    observer: number,
    memory: number,
    state: Uint32Array,
    at: number,
    length: number,
    isKnown: () => boolean,
  ): void;
  /** What came of the entry that is followed, where whoever was the first has told it. */
  readonly published?: Int32Array | undefined;
  /** Tells the others something as words. Absent where nobody asks. */
  share?(words: readonly number[]): void;
  /** What another one has shared, in order, each once: of what it relies on all is followed. Undefined when there is nothing more by now. */
  nextShared?(): Uint32Array | undefined;
}

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

/** Words before the entries: how many entries have a writer, how many are written, how many words of results and of what is shared are taken, and how many threads sleep until more is written. */
const head = { claimed: 0, published: 1, told: 2, shared: 3, asleep: 4 } as const;
const headWords = 5;
/** Writing an entry takes less time than going to sleep: so often a thread looks before it does. */
const looksAtOnce = 1 << 15;
/** Words of an entry: its kind, the level, and four numbers. */
export const entryWords = 6;
/** Entries of one exploration: 96 MiB, of which the system gives what is used. */
const entriesMax = 1 << 22;
/** Behind an entry in shared memory: the place of what came of it, 0 as long as that is not told. */
const entryWordsShared = entryWords + 1;
/** Words of results, and of what is shared besides, 64 MiB each at most: what has no room is worked out by every thread. */
const resultsMax = 1 << 24;
const firstResult = headWords + entryWordsShared * entriesMax;
const firstShared = firstResult + resultsMax;
const sharedEnd = firstShared + resultsMax;

/**
 * The order in which the threads of an exploration find things out, in memory that they share.
 *
 * Why: numbers for local states, message and memories are given when these are first met. When all threads work out the same things in the same order they give the
 * same numbers without ever exchanging a context, and a state of one is a state of all. There are few such things beside the states, and each follows from
 * numbers: this message in that local state. What came of it is told in numbers, too, where these say all, so that the others need not work it out.
 *
 * Details: each thread has a journal of its own over the same memory, and works out the entries of the others before it adds one. Who has worked out all entries claims the next
 * by compare-and-swap, gives what is new its numbers, writes the entry and publishes it: so what takes long is best worked out before. Sleeps with `Atomics.wait` where a writer was interrupted, so not on the main thread of a browser.
 */
export class Journal implements FindingOrder {
  readonly #words: Int32Array;
  /** The same, for what is shared. */
  readonly #shared: Uint32Array;
  readonly #follow: (entry: Entry) => void;
  /** Entries that are worked out here. */
  #done = 0;
  published: Int32Array | undefined;
  /** Where what is shared goes on that is not read here, and the places of what was shared here and is not passed. */
  #nextShared = firstShared;
  readonly #ownShared = new Set<number>();

  /** `memory` comes from `journalMemory`. */
  constructor(memory: SharedArrayBuffer, follow: FollowEntry) {
    this.#words = new Int32Array(memory);
    this.#shared = new Uint32Array(memory);
    this.#follow = follower(follow);
  }

  agree(
    kind: EntryKind,
    level: number,
    one: number,
    two: number,
    three: number,
    four = 0,
    find?: () => readonly number[] | undefined,
  ): boolean {
    const wanted = [kind, one, two, three, four];
    for (;;) {
      if (this.#followUpTo(Atomics.load(this.#words, head.published), wanted)) return false;
      if (this.#append([[kind, level, one, two, three, four]], find)) return true;
    }
  }

  agreeOnState(
    level: number,
    observer: number,
    memory: number,
    state: Uint32Array,
    at: number,
    length: number,
    isKnown: () => boolean,
  ): void {
    const own = [...looksAtState(level, observer, memory, state, at, length)];
    do this.catchUp();
    while (!isKnown() && !this.#append(own));
  }

  /** Writes entries behind those that are worked out here. Returns false when another thread has put its own there: these are worked out first. */
  #append(own: readonly Entry[], find?: () => readonly number[] | undefined): boolean {
    const [first, last] = [this.#done, this.#done + own.length];
    invariant(last <= entriesMax, `threads share at most ${entriesMax} entries: use one thread`);
    if (Atomics.compareExchange(this.#words, head.claimed, first, last) !== first) {
      this.#awaitAfter(first);
      return false;
    }
    for (const [index, entry] of own.entries())
      this.#words.set(entry, headWords + entryWordsShared * (first + index));
    try {
      const found = find?.();
      if (found) this.#words[headWords + entryWordsShared * last - 1] = this.#told(found);
    } finally {
      // What cannot be worked out here cannot be elsewhere: nobody waits for it.
      this.#done = last;
      Atomics.store(this.#words, head.published, last);
      if (Atomics.load(this.#words, head.asleep) > 0) Atomics.notify(this.#words, head.published);
    }
    return true;
  }

  /** Writes down what came of an entry. Returns its place, 0 where there is no room. */
  #told(words: readonly number[]): number {
    const place = firstResult + Atomics.add(this.#words, head.told, 1 + words.length);
    if (place + words.length >= firstShared) return 0;
    this.#words[place] = words.length;
    this.#words.set(words, place + 1);
    return place;
  }

  share(words: readonly number[]): void {
    const place = firstShared + Atomics.add(this.#words, head.shared, 1 + words.length);
    if (place + words.length >= sharedEnd) return;
    this.#words.set(words, place + 1);
    this.#ownShared.add(place);
    Atomics.store(this.#words, place, words.length);
  }

  nextShared(): Uint32Array | undefined {
    for (;;) {
      const place = this.#nextShared;
      const length = Atomics.load(this.#words, place);
      if (length === 0) return undefined;
      this.#nextShared = place + 1 + length;
      if (this.#ownShared.delete(place)) continue;
      this.catchUp();
      return this.#shared.subarray(place + 1, this.#nextShared);
    }
  }

  /** Waits until entries after the first `count` are there: somebody is writing them. */
  #awaitAfter(count: number): void {
    for (let looks = 1; Atomics.load(this.#words, head.published) === count; looks++) {
      if (looks % looksAtOnce !== 0) continue;
      Atomics.add(this.#words, head.asleep, 1);
      Atomics.wait(this.#words, head.published, count);
      Atomics.sub(this.#words, head.asleep, 1);
    }
  }

  /** Works out what the others have found out so far. */
  catchUp(): void {
    this.#followUpTo(Atomics.load(this.#words, head.published), []);
  }

  /** Returns true when one of the entries was the wanted one. */
  #followUpTo(count: number, [kind, one, two, three, four]: readonly number[]): boolean {
    let met = false;
    while (this.#done < count) {
      const at = headWords + entryWordsShared * this.#done;
      const entry = entryAt((word) => this.#words[at + word]! >>> 0);
      this.#done++;
      const told = this.#words[at + entryWords]!;
      this.published = told === 0 ? undefined : this.#words.subarray(told + 1, told + 1 + this.#words[told]!);
      this.#follow(entry);
      met ||=
        entry[0] === kind && entry[2] === one && entry[3] === two && entry[4] === three && entry[5] === four;
    }
    return met;
  }
}

/** The order in which one thread found things out, kept so that another exploration can follow it later. */
export class JournalRecorder implements FindingOrder {
  /** The entries, one after another. */
  readonly words = new WordList();

  agree(
    kind: EntryKind,
    level: number,
    one: number,
    two: number,
    three: number,
    four = 0,
    find?: () => readonly number[] | undefined,
  ): true {
    this.#write([kind, level, one, two, three, four]);
    find?.();
    return true;
  }

  agreeOnState(
    level: number,
    observer: number,
    memory: number,
    state: Uint32Array,
    at: number,
    length: number,
  ): void {
    for (const entry of looksAtState(level, observer, memory, state, at, length)) this.#write(entry);
  }

  /** Works out what is kept, into an exploration that has only begun. */
  replay(follow: FollowEntry): void {
    const next = follower(follow);
    for (let at = 0; at < this.words.length; at += entryWords)
      next(entryAt((word) => this.words.at(at + word)));
  }

  #write(entry: Entry): void {
    for (const word of entry) this.words.push(word);
  }
}

/** Kind, level, and four numbers. */
type Entry = readonly [EntryKind, number, number, number, number, number];

const entryAt = (word: (index: number) => number): Entry => [
  word(0) as EntryKind,
  word(1),
  word(2),
  word(3),
  word(4),
  word(5),
];

/** The entries of a look at a state by an observer. */
function* looksAtState(
  level: number,
  observer: number,
  memory: number,
  state: Uint32Array,
  at: number,
  length: number,
): Generator<Entry, void> {
  const word = (index: number) => (index < length ? state[at + index]! : 0);
  for (let i = 0; i < length; i += wordsAtOnce)
    yield [entries.words, level, word(i), word(i + 1), word(i + 2), word(i + 3)];
  yield [entries.lookAtState, level, observer, memory, length, 0];
}

/** Follows entries one by one: words of a state come before the entry to which they belong. */
function follower(follow: FollowEntry): (entry: Entry) => void {
  let state: number[] = [];
  return ([kind, level, one, two, three, four]) => {
    if (kind === entries.words) {
      state.push(one, two, three, four);
      return;
    }
    const words = state;
    state = [];
    follow(kind, level, one, two, three, four, words);
  };
}

/** Memory for the journals of the threads of one exploration. */
export const journalMemory = (): SharedArrayBuffer =>
  // A word more: behind all that there is room for stands 0.
  new SharedArrayBuffer(4 * (sharedEnd + 1));
