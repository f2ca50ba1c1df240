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

/** Receives of kernels whose index is not the number of values that the kernel has taken of that chiplet before (chiplet specification 4.3). */
export interface IndexMismatches {
  readonly count: number;
  /** The first one. */
  readonly source: ChipletAddress;
  readonly index: number;
  readonly taken: number;
}

/** The area of a chiplet for data received from others, by sender (chiplet specification 1, 4.3). */
export class MailboxStore implements Resource {
  readonly #pairs = new Map<string, Pair>();
  /** The kernel launch that took values last, and by sender how many. */
  #launch = 0;
  readonly #takenInLaunch = new Map<string, number>();
  #mismatches: IndexMismatches | undefined;

  constructor(readonly mode: MailboxMode) {}

  /** A value has come. */
  arrive(source: ChipletAddress, value: number): void {
    this.#pair(source).values.push(value);
  }

  /**
   * The value that a receive gets; undefined while there is none.
   *
   * Details: `index` counts from 0 and decides in the mode `indexed` only. `launch` is the number of the kernel launch that receives, from 1; 0 for a
   * host: with a queue, an index that is not the number of values taken by this launch is noted.
   */
  take(source: ChipletAddress, index: number, launch = 0): number | undefined {
    const pair = this.#pairs.get(keyOf(source));
    if (pair === undefined) return undefined;
    if (this.mode === 'indexed') {
      pair.taken = Math.max(pair.taken, Math.min(index + 1, pair.values.length));
      return pair.values[index];
    }
    if (pair.taken >= pair.values.length) return undefined;
    if (launch > 0) this.#noteIndex(source, index, launch);
    return pair.values[pair.taken++];
  }

  #noteIndex(source: ChipletAddress, index: number, launch: number): void {
    if (launch !== this.#launch) this.#takenInLaunch.clear();
    this.#launch = launch;
    const taken = this.#takenInLaunch.get(keyOf(source)) ?? 0;
    this.#takenInLaunch.set(keyOf(source), taken + 1);
    if (index === taken) return;
    const first = this.#mismatches ?? { source, index, taken };
    this.#mismatches = { ...first, count: (this.#mismatches?.count ?? 0) + 1 };
  }

  /** Receives by another index than their number; undefined when there were none. */
  get mismatches(): IndexMismatches | undefined {
    return this.#mismatches;
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
    copy.#launch = this.#launch;
    for (const [key, taken] of this.#takenInLaunch) copy.#takenInLaunch.set(key, taken);
    copy.#mismatches = this.#mismatches;
    return copy;
  }

  hash(into: Hasher): void {
    for (const [key, { values, taken }] of this.#pairs) {
      into.string(key);
      into.numbers(values);
      into.number(taken);
    }
    into.number(this.#launch);
    for (const [key, taken] of this.#takenInLaunch) {
      into.string(key);
      into.number(taken);
    }
    into.number(this.#mismatches?.count ?? 0);
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
