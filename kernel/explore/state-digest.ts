import { Hasher } from '../hash.ts';
import { mixSeed } from '../mix-seed.ts';
import { unborn } from './alternative.ts';
import { type Layout, messagesAt } from './state-words.ts';
import type { TransitionCache } from './transition-cache.ts';
import type { Watchers } from './watchers.ts';

/** Two halves of a hash. */
type Halves = readonly [one: number, other: number];

/**
 * Hashes states by what they are, not by the numbers that one exploration has given: so two explorations hash a state alike, in whatever order they meet things.
 *
 * Details: what local states, messages and memories are is hashed once each. Of messages the order counts where the network keeps one, or there is a clock. What actors share is seen by its versions, whose numbers are those of this exploration.
 */
export class StateDigest {
  /** Hashes of the state that was looked at last, 32 bits each. */
  one = 0;
  other = 0;
  readonly #transitionCache: TransitionCache;
  readonly #watchers: Watchers;
  readonly #layout: Layout;
  readonly #keepsOrder: boolean;
  readonly #locals: Halves[] = [];
  readonly #messages: Halves[] = [];
  readonly #memories: Halves[][];

  constructor(transitionCache: TransitionCache, watchers: Watchers, layout: Layout, keepsOrder: boolean) {
    this.#transitionCache = transitionCache;
    this.#watchers = watchers;
    this.#layout = layout;
    this.#keepsOrder = keepsOrder;
    this.#memories = Array.from({ length: watchers.count }, () => []);
  }

  /** Hashes the state at `at`. */
  of(words: Uint32Array, at: number, length: number): void {
    const { header } = this.#layout;
    [this.one, this.other] = [0, 0];
    const observers = this.#memories.length;
    for (let index = 0; index < observers; index++)
      this.#add(this.#memoryOf(index, words[at + 1 + index]!), index);
    for (let place = 1 + observers; place < header; place++) this.#add([words[at + place]!, place], place);
    const first = messagesAt(this.#layout, words, at);
    for (let place = at + header; place < first; place++)
      if (words[place] !== unborn) this.#add(this.#localOf(words[place]!), 0);
    const { channel } = this.#transitionCache;
    let [last, position] = [-1, 0];
    for (let place = first; place < at + length; place += 2) {
      const message = words[place + 1]!;
      position = this.#keepsOrder && channel[message] === last ? position + 1 : 0;
      last = channel[message]!;
      this.#add(this.#messageOf(message), 1 + words[place]! + 0x1000 * position);
    }
  }

  /** Sums, so that nothing depends on which slot an actor got. */
  #add([one, other]: Halves, salt: number): void {
    this.one = (this.one + mixSeed(one, salt)) >>> 0;
    this.other = (this.other + mixSeed(other, ~salt)) >>> 0;
  }

  #localOf(local: number): Halves {
    const { locals } = this.#transitionCache;
    this.#locals[local] ??= halvesOf(locals.at(local)?.slot.name ?? '', locals.textOf(local));
    return this.#locals[local];
  }

  #messageOf(message: number): Halves {
    const known = this.#messages[message];
    if (known) return known;
    const { slots } = this.#transitionCache;
    const made = halvesOf(
      slots.senderName(message),
      slots.receiverOf(message).name,
      slots.timer[message],
      slots.eventOf(message),
    );
    this.#messages[message] = made;
    return made;
  }

  #memoryOf(observer: number, memory: number): Halves {
    const known = this.#memories[observer]!;
    known[memory] ??= halvesOf(observer, this.#watchers.memoryText(observer, memory));
    return known[memory];
  }
}

function halvesOf(...parts: readonly unknown[]): Halves {
  const hasher = new Hasher();
  for (const part of parts) hasher.value(part);
  const digest = hasher.digest();
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)];
}
