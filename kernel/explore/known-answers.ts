import { unshared } from './alternative.ts';
import type { Enough } from './independence.ts';
import { StateSet } from './state-set.ts';
import { budgetAt, type Layout, localAt, versionAt } from './state-words.ts';
import type { TransitionCache } from './transition-cache.ts';

/** The answer to a question of `Independence`, and what it relies on. */
export interface Answer {
  readonly enough: Enough | undefined;
  /** Pairs that were looked at in vain for it. */
  readonly vain: number;
  /** Pairs of which nothing was known, as `unknownWords` words each; and those of them that it takes for nothing. */
  readonly unknown: ArrayLike<number>;
  readonly skipped: ArrayLike<number>;
  /** When it was made sure last that nothing is known of them, as `TransitionCache.news` counts. */
  news: number;
  /** The tick in which it was given last. */
  tick: number;
}

/** Words of a pair of which nothing was known: local state, message, budget state of faults, version. */
export const unknownWords = 4;

/** What a place says of itself: nothing yet, or that it has an answer. Else: what is read next of the state. */
const nothingYet = -1;
const answered = -2;
const budget = -3;
/** What is read: the local state of a slot, the version of a cluster, what observers look at when a message comes. As a number: that of the slot, cluster or message times `kinds`, and the kind. */
const reads = { local: 0, version: 1, look: 2 } as const;
const kinds = 4;
/** Words of a step from a place to another one: the place, what was read there, and the other place, 0 in a free slot. */
const stepWords = 3;
const firstSteps = 1 << 8;
/** Places, and words of pairs of which nothing was known, after which all is forgotten. */
const placesMax = 1 << 21;
const wordsMax = 1 << 24;
/** Words of such pairs that an answer has at most which is shared, and words of a shared answer before its lists. */
const sharedMax = 1 << 10;
const sharedHead = 9;
/** Where fewer than one of so many questions has a kept answer, of so many that are asked, keeping them does not pay: the messages due in an asynchronous network are seldom the same. */
const [foundShare, askedEach] = [4, 1 << 11];
/** The place at which all ways begin. */
const root = 0;

/**
 * The answers that `Independence` has found, by what they follow from: the messages that are due now, then what the search for the answer read of the state, in the order in which it read it.
 *
 * Details: a tree of decisions. A place says what is read next, which follows from what was read before; what is read leads to the next place.
 */
export class KnownAnswers {
  readonly #layout: Layout;
  readonly #transitionCache: TransitionCache;
  /** Lists of messages that were due. */
  readonly #due = new StateSet();
  #steps = new Int32Array(stepWords * firstSteps);
  #mask = firstSteps - 1;
  /** By place. */
  readonly #says: number[] = [nothingYet];
  readonly #answers: (Answer | undefined)[] = [undefined];
  /** What was read for the answer that is looked for: what, and what it was. */
  readonly #read: number[] = [];
  /** By what: the search in which it was read last. */
  readonly #readIn: number[] = [];
  #search = 0;
  /** False once it has been asked often and has had few answers: then nothing is kept. */
  #pays = true;
  #asked = 0;
  #found = 0;
  /** Words that all answers have which were found here. */
  #words = 0;

  constructor(layout: Layout, transitionCache: TransitionCache) {
    this.#layout = layout;
    this.#transitionCache = transitionCache;
  }

  /** True as long as answers are kept. */
  get pays(): boolean {
    return this.#pays;
  }

  /** Counts a question, and whether a kept answer to it holds. */
  count(isFound: boolean): void {
    if (!this.#pays) return;
    if (isFound) this.#found++;
    if (++this.#asked < askedEach) return;
    if (foundShare * this.#found < this.#asked) {
      this.#pays = false;
      this.forget();
    }
    [this.#asked, this.#found] = [0, 0];
  }

  /** Forgets all answers. */
  forget(): void {
    this.#due.clear();
    this.#steps = new Int32Array(stepWords * firstSteps);
    this.#mask = firstSteps - 1;
    this.#says.length = 1;
    this.#answers.length = 1;
    this.#words = 0;
  }

  /** The answer for the state at `at`, whose messages due now are from `first` to `last`; undefined when none is kept. */
  find(words: Uint32Array, at: number, first: number, last: number): Answer | undefined {
    if (!this.#pays) return undefined;
    const due = this.#due.add(words, first, last - first);
    let place = due < 0 ? this.#after(root, ~due) : root;
    while (place !== root) {
      const what = this.#says[place]!;
      if (what === answered) return this.#answers[place];
      place = this.#after(place, this.#valueOf(what, words, at));
    }
    return undefined;
  }

  /** Begins to search for an answer in a budget state. */
  search(budgetState: number): void {
    this.#search++;
    this.#read.length = 0;
    if (this.#layout.budget !== undefined) this.#read.push(budget, budgetState);
  }

  /** The local state in a slot of the state at `at`: the answer that is searched for depends on it. */
  localAt(words: Uint32Array, at: number, slot: number): number {
    return this.#note(slot * kinds + reads.local, localAt(this.#layout, words, at, slot));
  }

  /** The version of what a cluster shares, the same way. */
  versionAt(words: Uint32Array, at: number, cluster: number): number {
    const version = versionAt(this.#layout, words, at, cluster);
    return cluster < 0 ? version : this.#note(cluster * kinds + reads.version, version);
  }

  /** What observers look at when a message comes to its receiver in the state at `at`, without faults and with nothing shared: the answer depends on it. */
  lookAt(words: Uint32Array, at: number, messageId: number): void {
    if (this.#pays) this.#note(messageId * kinds + reads.look, this.#lookOf(words, at, messageId));
  }

  /** A number for what observers look at: 0 where it is not known, 1 for nothing, else that of the local state. */
  #lookOf(words: Uint32Array, at: number, messageId: number): number {
    const local = localAt(this.#layout, words, at, this.#transitionCache.slotTo[messageId]!);
    const known = this.#transitionCache.known(local, messageId, 0, unshared);
    if (known === undefined) return 0;
    return known.footprint.length === 0 ? 1 : 2 + local;
  }

  #note(what: number, value: number): number {
    if (!this.#pays || this.#readIn[what] === this.#search) return value;
    this.#readIn[what] = this.#search;
    this.#read.push(what, value);
    return value;
  }

  #valueOf(what: number, words: Uint32Array, at: number): number {
    if (what === budget) return budgetAt(this.#layout, words, at);
    const number = Math.floor(what / kinds);
    const kind = what % kinds;
    if (kind === reads.look) return this.#lookOf(words, at, number);
    return kind === reads.local
      ? localAt(this.#layout, words, at, number)
      : versionAt(this.#layout, words, at, number);
  }

  /** Keeps the answer that was searched for, for states in which the same is read, and shares it with other threads. */
  keep(words: Uint32Array, first: number, last: number, answer: Answer): void {
    if (!this.#pays) return;
    this.#enter(words, first, last, this.#read, 0, this.#read.length, answer);
    const { journal, forgotten } = this.#transitionCache;
    const { enough, vain, unknown, skipped } = answer;
    this.#words += unknown.length + skipped.length;
    if (!journal?.share || unknown.length > sharedMax) return;
    const due = words.subarray(first, last);
    journal.share([
      forgotten,
      ...[due.length, this.#read.length, unknown.length, skipped.length],
      ...[enough?.first ?? -1, enough?.only ?? 0, enough?.heads ?? 0, vain],
      ...due,
      ...this.#read,
      ...Array.from(unknown),
      ...Array.from(skipped),
    ]);
  }

  /** Takes up answers that other threads have found. Their lists stay where they are: there are many of them, and each thread has need of few. */
  takeShared(): void {
    const { journal } = this.#transitionCache;
    for (let words = journal?.nextShared?.(); words; words = journal!.nextShared!()) {
      if (!this.#pays || words[0] !== this.#transitionCache.forgotten) continue;
      const [dueEnd, first] = [sharedHead + words[1]!, words[5]! | 0];
      const readEnd = dueEnd + words[2]!;
      const unknownEnd = readEnd + words[3]!;
      const answer = {
        enough: first < 0 ? undefined : { first, only: words[6]! | 0, heads: words[7]! },
        vain: words[8]!,
        unknown: words.subarray(readEnd, unknownEnd),
        skipped: words.subarray(unknownEnd, unknownEnd + words[4]!),
        // That nothing is known of the one is made sure when it is given.
        news: -1,
        tick: 0,
      };
      this.#enter(words, sharedHead, dueEnd, words, dueEnd, readEnd, answer);
    }
  }

  /** Notes an answer for the messages from `first` to `last` of `words`, and what was read from `begin` to `end` of `read`. */
  #enter(
    words: Uint32Array,
    first: number,
    last: number,
    read: ArrayLike<number>,
    begin: number,
    end: number,
    answer: Answer,
  ): void {
    if (this.#says.length >= placesMax || this.#words >= wordsMax) this.forget();
    const due = this.#due.add(words, first, last - first);
    let place = root;
    let value = due < 0 ? ~due : due;
    for (let i = begin; i < end; i += 2) {
      // Of what is read only the budget is below 0.
      place = this.#placeAfter(place, value, read[i]! | 0);
      value = read[i + 1]!;
    }
    this.#answers[this.#placeAfter(place, value, answered)] = answer;
  }

  /** The place behind a step. When more is known than before something else may be read there: then it is a new place, and nothing leads to the old one any more. */
  #placeAfter(place: number, value: number, says: number): number {
    if (2 * this.#says.length > this.#mask) this.#grow();
    const step = this.#stepFrom(place, value);
    const known = this.#steps[step + 2]!;
    if (known !== 0 && this.#says[known] === says) return known;
    const fresh = this.#says.push(says) - 1;
    this.#answers.push(undefined);
    this.#steps[step] = place;
    this.#steps[step + 1] = value;
    this.#steps[step + 2] = fresh;
    return fresh;
  }

  /** The place behind a step, `root` for none. */
  #after(place: number, value: number): number {
    return this.#steps[this.#stepFrom(place, value) + 2]!;
  }

  /** Where a step is, or a free slot for it. */
  #stepFrom(place: number, value: number): number {
    const steps = this.#steps;
    let at = slotFor(place, value) & this.#mask;
    for (;;) {
      const step = stepWords * at;
      if (steps[step + 2] === 0 || (steps[step] === place && steps[step + 1] === value)) return step;
      at = (at + 1) & this.#mask;
    }
  }

  #grow(): void {
    const old = this.#steps;
    this.#steps = new Int32Array(2 * old.length);
    this.#mask = 2 * this.#mask + 1;
    for (let i = 0; i < old.length; i += stepWords) {
      if (old[i + 2] === 0) continue;
      const step = this.#stepFrom(old[i]!, old[i + 1]!);
      for (let word = 0; word < stepWords; word++) this.#steps[step + word] = old[i + word]!;
    }
  }
}

function slotFor(place: number, value: number): number {
  const mixed = Math.imul(Math.imul(place, 0x9e3779b1) ^ value, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
