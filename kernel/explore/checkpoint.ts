import { KernelError } from '../errors.ts';
import { Hasher } from '../hash.ts';
import type { Finding } from './explorer.ts';
import type { StoredTable } from './state-table.ts';
import type { TickCounts } from './tick-search.ts';
import type { TransitionCache } from './transition-cache.ts';
import type { WatchedNumbers } from './watchers.ts';
import type { WordList } from './word-list.ts';
import type { WordStore } from './word-store.ts';

/** How far an exploration has come, besides the words in its store: plain data, for a structured clone. `Explorer` makes one and goes on from one. */
export interface Checkpoint {
  /** Words of each stream of the store that belong to it; there may be more, from after it. */
  readonly stored: Readonly<Record<string, number>>;
  /** The present tick is part of a state. */
  readonly clock: boolean;
  readonly table: StoredTable;
  /** Numbers of the state that is gone on from next and of the last one of its level, and how often a state was come upon again. */
  readonly position: readonly [state: number, levelEnd: number, merged: number];
  readonly level: number;
  readonly searches: number;
  readonly counts: TickCounts;
  readonly quiet: number;
  readonly cut: number;
  readonly outside: number;
  readonly waiting: readonly (readonly [sentence: string, why: string])[];
  readonly exchanged: number;
  /** Numbers of the states before the first tick, with the answers that lead to each. */
  readonly starts: readonly (readonly [state: number, picks: readonly number[]])[];
  readonly findings: readonly Finding[];
  readonly known: readonly (readonly [kind: string, keys: readonly string[]])[];
  readonly witnesses: readonly (readonly [sentence: string, witness: Finding])[];
  readonly watched: WatchedNumbers;
  readonly digest: DigestValue;
}

/** A hash of the local states and one of the messages that were met, and how many there are of each. */
export type DigestValue = readonly [
  locals: string,
  localCount: number,
  messages: string,
  messageCount: number,
];

/** Hashes all local states and messages in the order in which they were met: two explorations with equal digests have met the same. */
export class Digest {
  readonly #locals = new Hasher();
  readonly #messages = new Hasher();
  #localCount = 0;
  #messageCount = 0;

  /** Of what was met so far. */
  of({ locals, slots }: TransitionCache): DigestValue {
    for (; this.#localCount < locals.count; this.#localCount++)
      this.#locals.string(locals.textOf(this.#localCount));
    for (; this.#messageCount < slots.slotTo.length; this.#messageCount++) {
      const message = this.#messageCount;
      this.#messages.string(slots.senderName(message));
      this.#messages.string(slots.receiverOf(message).name);
      this.#messages.value(slots.eventOf(message));
    }
    return [this.#locals.digest(), this.#localCount, this.#messages.digest(), this.#messageCount];
  }

  /** Errors: KRN023 where another digest is not that of what was met. */
  compare(cache: TransitionCache, expected: DigestValue): void {
    const [locals, localCount, messages, messageCount] = this.of(cache);
    if (`${[locals, localCount, messages, messageCount]}` !== `${expected}`)
      throw new KernelError(
        'KRN023',
        'checkpoint',
        `found ${localCount} local states and ${messageCount} messages on going through what was found out, expected the ${expected[1]} and ${expected[3]} of the exploration that it is from`,
      );
  }
}

/** Adds the words of a list from a place on to a stream. Returns the length of the list. */
export function storeWords(store: WordStore, stream: string, list: WordList, from = 0): number {
  for (let at = from; at < list.length; at += chunkWords) {
    const chunk = new Uint32Array(Math.min(chunkWords, list.length - at));
    for (let i = 0; i < chunk.length; i++) chunk[i] = list.at(at + i);
    store.append(stream, chunk);
  }
  return list.length;
}

/** Adds the first words of a stream to a list. */
export function restoreWords(store: WordStore, stream: string, count: number, list: WordList): void {
  for (let at = 0; at < count; at += chunkWords) {
    const chunk = new Uint32Array(Math.min(chunkWords, count - at));
    store.read(stream, at, chunk);
    for (const word of chunk) list.push(word);
  }
}

const chunkWords = 1 << 16;
