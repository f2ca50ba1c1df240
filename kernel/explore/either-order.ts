import { type Alternative, failed, unshared } from './alternative.ts';
import type { Slots } from './slots.ts';
import { transcriptOf } from './transcript.ts';
import { headWords, parts, partWords, type TransitionRecords } from './transition-records.ts';

/** No record, and no alternative in one. */
const none = 0;

/** Finds out whether it matters to an actor in which order it takes two messages. */
export class EitherOrder {
  readonly #slots: Slots;
  readonly #records: TransitionRecords;
  readonly #known: (local: number, messageId: number, version: number) => number;
  readonly #isWatched: (type: string) => boolean;
  readonly #shownTexts = new WeakMap<Alternative, string>();

  /** `known`: the record of what is known of a message in a local state and a version of what is shared, 0 for nothing; `isWatched`: whether an observer looks at probes of a type. */
  constructor(
    slots: Slots,
    records: TransitionRecords,
    known: (local: number, messageId: number, version: number) => number,
    isWatched: (type: string) => boolean,
  ) {
    this.#isWatched = isWatched;
    this.#slots = slots;
    this.#records = records;
    this.#known = known;
  }

  /** True when an actor can take two messages in either order with the same result, and that is known. */
  isAlike(local: number, one: number, other: number, version: number): boolean {
    const first = this.#only(local, one, version);
    const second = this.#only(local, other, version);
    if (first === none || second === none) return false;
    const { words } = this.#records;
    const afterFirst = versionAfter(words, first, version);
    const afterSecond = versionAfter(words, second, version);
    const firstThenSecond = this.#only(words[first + parts.next]!, other, afterFirst);
    const secondThenFirst = this.#only(words[second + parts.next]!, one, afterSecond);
    if (firstThenSecond === none || secondThenFirst === none) return false;
    return (
      words[firstThenSecond + parts.next] === words[secondThenFirst + parts.next] &&
      versionAfter(words, firstThenSecond, afterFirst) ===
        versionAfter(words, secondThenFirst, afterSecond) &&
      this.#shown(first) === this.#shown(secondThenFirst) &&
      this.#shown(second) === this.#shown(firstThenSecond) &&
      this.#samePosts(first, firstThenSecond, second, secondThenFirst)
    );
  }

  /** Where the record has what comes of a message, when that is known, there is only one way, and nothing is wrong with it; else 0. */
  #only(local: number, messageId: number, version: number): number {
    const record = this.#known(local, messageId, version);
    if (record === none || this.#records.countOf(record) !== 1) return none;
    const only = record + headWords;
    // What comes of it goes on inside of the actor, where the order may matter.
    if (this.#saysWithin(only)) return none;
    if (this.#records.words[only + parts.isPlain] === 1) return only;
    const { next, reports, timers } = this.#records.of(record).alternatives[0]!;
    return next === failed || reports.length > 0 || timers.length > 0 ? none : only;
  }

  /** What observers see of what is shown, as one text: a handling may show something else where it comes later, and change nothing. */
  #shown(only: number): string {
    if (this.#records.words[only + parts.isPlain] === 1) return '';
    const alternative = this.#records.of(only - headWords).alternatives[0]!;
    let text = this.#shownTexts.get(alternative);
    if (text === undefined) {
      text = alternative.probes
        .filter(({ type }) => this.#isWatched(type))
        .map(transcriptOf)
        .join();
      this.#shownTexts.set(alternative, text);
    }
    return text;
  }

  #saysWithin(only: number): boolean {
    const { inner, within } = this.#slots;
    if (inner === undefined) return false;
    return this.#posts(only).some((word, at) => at % 2 === 1 && within[word]);
  }

  #samePosts(first: number, then: number, other: number, otherThen: number): boolean {
    const { words } = this.#records;
    const count = words[first + parts.postWords]! + words[then + parts.postWords]!;
    if (count !== words[other + parts.postWords]! + words[otherThen + parts.postWords]!) return false;
    if (count === 0) return true;
    const one = this.#inOrder(first, then);
    const two = this.#inOrder(other, otherThen);
    return one.every((word, at) => word === two[at]);
  }

  #posts(only: number): Uint32Array {
    const { words } = this.#records;
    return words.subarray(only + partWords, only + partWords + words[only + parts.postWords]!);
  }

  /** The posts of two steps, in the order in which states have them. */
  #inOrder(first: number, second: number): Uint32Array | readonly number[] {
    const posts = [this.#posts(first), this.#posts(second)] as const;
    if (posts[0].length === 0) return posts[1];
    if (posts[1].length === 0) return posts[0];
    const { channel } = this.#slots;
    const all: [number, number][] = [];
    for (const some of posts) for (let i = 0; i < some.length; i += 2) all.push([some[i]!, some[i + 1]!]);
    all.sort(
      ([due, messageId], [otherDue, other]) => due - otherDue || channel[messageId]! - channel[other]!,
    );
    return all.flat();
  }
}

/** The version of what is shared after a handling that began with one. */
function versionAfter(words: Uint32Array, done: number, before: number): number {
  const version = words[done + parts.version]!;
  return version === unshared ? before : version;
}
