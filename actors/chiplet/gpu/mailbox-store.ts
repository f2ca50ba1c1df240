import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';

/** How receives take values (chiplet specification 4.3): each once, in order; or the one with an index, as often as asked for. */
export type MailboxMode = 'queue' | 'indexed';

/** The values that came from one chiplet, all of them, and how many have been taken. */
interface Pair {
  readonly source: ChipletAddress;
  readonly values: number[];
  taken: number;
}

/** Values of one chiplet that nobody has read (chiplet specification 13, W-UNREAD). */
export interface Unread {
  readonly source: ChipletAddress;
  readonly count: number;
}

/** The area of a chiplet for data received from others, by sender (chiplet specification 1, 4.3). */
export class MailboxStore implements Resource {
  readonly #pairs = new Map<string, Pair>();

  constructor(readonly mode: MailboxMode) {}

  /** A value has come. */
  arrive(source: ChipletAddress, value: number): void {
    this.#pair(source).values.push(value);
  }

  /** The value that a receive gets; undefined while there is none. `index` counts from 0 and matters in the mode `indexed` only. */
  take(source: ChipletAddress, index: number): number | undefined {
    const pair = this.#pairs.get(keyOf(source));
    if (pair === undefined) return undefined;
    if (this.mode === 'indexed') {
      pair.taken = Math.max(pair.taken, Math.min(index + 1, pair.values.length));
      return pair.values[index];
    }
    return pair.taken < pair.values.length ? pair.values[pair.taken++] : undefined;
  }

  /** Everything that came from a chiplet, in order: the content of its buffer file (chiplet specification 3.1). */
  valuesFrom(source: ChipletAddress): readonly number[] {
    return this.#pairs.get(keyOf(source))?.values ?? [];
  }

  /** Senders with values that nobody has read, in the order of their first message. */
  get unread(): readonly Unread[] {
    return [...this.#pairs.values()]
      .map(({ source, values, taken }) => ({ source, count: values.length - taken }))
      .filter(({ count }) => count > 0);
  }

  fork(): MailboxStore {
    const copy = new MailboxStore(this.mode);
    for (const [key, { source, values, taken }] of this.#pairs)
      copy.#pairs.set(key, { source, values: [...values], taken });
    return copy;
  }

  hash(into: Hasher): void {
    for (const [key, { values, taken }] of this.#pairs) {
      into.string(key);
      into.numbers(values);
      into.number(taken);
    }
  }

  #pair(source: ChipletAddress): Pair {
    const key = keyOf(source);
    const known = this.#pairs.get(key);
    if (known) return known;
    const pair: Pair = { source, values: [], taken: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }
}

/** A chiplet's address as text. */
export const keyOf = ([x, y]: ChipletAddress): string => `${x},${y}`;
