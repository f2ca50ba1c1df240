import { type Alternative, failed, type Known, unshared } from './alternative.ts';
import type { Slots } from './slots.ts';

/** Finds out whether it matters to an actor in which order it takes two messages. */
export class EitherOrder {
  readonly #slots: Slots;
  readonly #known: (local: number, messageId: number, version: number) => Known | undefined;

  /** `known`: what is known of a message in a local state and a version of what is shared. */
  constructor(slots: Slots, known: (local: number, messageId: number, version: number) => Known | undefined) {
    this.#slots = slots;
    this.#known = known;
  }

  /** True when an actor can take two messages in either order with the same result, and that is known. */
  isAlike(local: number, one: number, other: number, version: number): boolean {
    const first = this.#only(local, one, version);
    const second = this.#only(local, other, version);
    if (!first || !second) return false;
    const [afterFirst, afterSecond] = [versionAfter(first, version), versionAfter(second, version)];
    const firstThenSecond = this.#only(first.next, other, afterFirst);
    const secondThenFirst = this.#only(second.next, one, afterSecond);
    if (!firstThenSecond || !secondThenFirst) return false;
    return (
      firstThenSecond.next === secondThenFirst.next &&
      versionAfter(firstThenSecond, afterFirst) === versionAfter(secondThenFirst, afterSecond) &&
      this.#samePosts(first, firstThenSecond, second, secondThenFirst)
    );
  }

  /** What comes of a message when that is known, there is only one way, and nothing is wrong with it. */
  #only(local: number, messageId: number, version: number): Alternative | undefined {
    const alternatives = this.#known(local, messageId, version)?.alternatives;
    if (alternatives?.length !== 1) return undefined;
    const only = alternatives[0]!;
    // What comes of it goes on inside of the actor, where the order may matter.
    if (this.#saysWithin(only)) return undefined;
    return only.next === failed || only.reports.length > 0 || only.timers.length > 0 ? undefined : only;
  }

  #saysWithin({ posts }: Alternative): boolean {
    const { inner, within } = this.#slots;
    if (inner === undefined) return false;
    for (let i = 1; i < posts.length; i += 2) if (within[posts[i]!]) return true;
    return false;
  }

  #samePosts(first: Alternative, then: Alternative, other: Alternative, otherThen: Alternative): boolean {
    if (first.posts.length + then.posts.length !== other.posts.length + otherThen.posts.length) return false;
    const one = this.#inOrder(first.posts, then.posts);
    const two = this.#inOrder(other.posts, otherThen.posts);
    for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return false;
    return true;
  }

  /** The posts of two steps, in the order in which states have them. */
  #inOrder(first: readonly number[], second: readonly number[]): readonly number[] {
    if (first.length === 0) return second;
    if (second.length === 0) return first;
    const { channel } = this.#slots;
    const all: [number, number][] = [];
    for (const posts of [first, second])
      for (let i = 0; i < posts.length; i += 2) all.push([posts[i]!, posts[i + 1]!]);
    all.sort(
      ([due, messageId], [otherDue, other]) => due - otherDue || channel[messageId]! - channel[other]!,
    );
    return all.flat();
  }
}

/** The version of what is shared after a handling that began with one. */
const versionAfter = (done: Alternative, before: number): number =>
  done.version === unshared ? before : done.version;
