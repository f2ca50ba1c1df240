import { knows, type Rules, type Stamp } from './clock.ts';
import type { AccessEvent, CoreId, Operation, ReplyWord, Space } from './race-event.ts';
import type { Transfer } from './transfer.ts';

/** An increment that a word will get, or has got without anybody being able to tell. */
export interface Pending {
  readonly transfer: Transfer;
  /** Index among the replies of the transfer. */
  readonly reply: number;
}

/** A store to a reply word: who, when by the core's own time, in which cycle and operation. */
export interface WordStore {
  readonly core: CoreId;
  readonly time: number;
  readonly cycle: number;
  readonly operation: Operation;
}

interface Word {
  /** Its value after the last store of the program. */
  base: number;
  /** Increments since then, in the order of issue, without the first ones, of which everybody who looks at the word knows. */
  since: Pending[];
  /** How many first ones there were, and the last of them. */
  dropped: number;
  lastDropped: Pending | undefined;
  /** How many are kept before some are dropped. */
  keptMax: number;
  /** Who has looked at the word: its owner, and others that read it. */
  readonly observers: Set<CoreId>;
  /** The last store of the program. */
  stored: WordStore | undefined;
}

/** Bytes of the longest store that is taken for one of a scalar: those of a vector. */
export const scalarBytesMax = 64;

/** The word at a place among bytes that are stored; 0 where they are not told or do not hold all of it. */
export function wordOf(data: Uint8Array | undefined, at: number): number {
  if (!data || at < 0 || at + 4 > data.length) return 0;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getInt32(at, true);
}

/** Increments of a word that are kept whether somebody still has to learn of them or not. */
const keptMin = 32;

/** What a wait that returned tells. */
export interface Coverage {
  readonly covered: readonly Pending[];
  /** More increments were outstanding than were waited for, and which of them came cannot be told. */
  readonly ambiguous: boolean;
  /** Increments that were outstanding. */
  readonly outstanding: number;
  /** Those of them that are not covered. */
  readonly left: readonly Pending[];
}

/**
 * What reply words stand for: the increments that were issued on each, and which of them a wait covers (Sunway specification 7.3).
 *
 * Details: a word belongs to nobody who waits for it. What a wait of one core covers is over for that core and for those who learn it from there;
 * another one that waits or reads is told by the value alone. So the value is held against all increments since the last store.
 */
export class ReplyLedger {
  readonly #policy: Rules;
  readonly #stampOf: (core: CoreId) => Stamp;
  readonly #words = new Map<Space, Map<number, Word>>();
  /** By LDM and offset: what programs have stored that is not 0, by stores of few bytes. */
  readonly #values = new Map<Space, Map<number, number>>();

  constructor(policy: Rules, stampOf: (core: CoreId) => Stamp) {
    this.#policy = policy;
    this.#stampOf = stampOf;
  }

  /** Notes the increments of a transfer. Returns the last stores to their words of which the issuer does not know. */
  issue(transfer: Transfer): readonly (readonly [reply: number, store: WordStore])[] {
    const raced: (readonly [number, WordStore])[] = [];
    transfer.issue.replies.forEach(({ word: at }, reply) => {
      const word = this.#word(at);
      word.since.push({ transfer, reply });
      if (word.since.length > word.keptMax) this.#drop(word);
      const { stored } = word;
      if (stored && !knows(transfer.start, stored.core, stored.time)) raced.push([reply, stored]);
    });
    return raced;
  }

  /** What a core learns from a value that a wait has reached, or a read has found, under these rules. */
  seen(at: ReplyWord, value: number, core: CoreId, rules: Rules): Coverage {
    const word = this.#word(at);
    word.observers.add(core);
    const now = this.#stampOf(core);
    const { since, dropped } = word;
    const outstanding = since.filter((one) => !isOver(one, now, rules));
    const reached = value - word.base - dropped;
    const more = reached - (since.length - outstanding.length);
    if (more <= 0 || outstanding.length === 0)
      return { covered: [], ambiguous: false, outstanding: outstanding.length, left: outstanding };
    if (more >= outstanding.length)
      return { covered: outstanding, ambiguous: false, outstanding: outstanding.length, left: [] };
    const sure = outstanding.filter((one) => isAmongFirst(one, since, reached, rules));
    const excused = rules === 'lenient' ? excusedOf(outstanding, more) : [];
    const covered = outstanding.filter((one) => sure.includes(one) || excused.includes(one));
    const left = outstanding.filter((one) => !covered.includes(one));
    const ambiguous = left.length > 0 && (excused.length > 0 || sure.length !== more);
    return { covered, ambiguous, outstanding: outstanding.length, left };
  }

  /** The program stores to a word. Returns the increments of which the one who stores does not know that they are over; they count no more. */
  stored(at: ReplyWord, value: number, store: WordStore): readonly Pending[] {
    const word = this.#word(at);
    const { since, lastDropped } = word;
    const now = this.#stampOf(store.core);
    word.base = value;
    word.since = [];
    word.dropped = 0;
    word.lastDropped = undefined;
    word.stored = store;
    return (lastDropped ? [lastDropped, ...since] : since).filter((one) => !isOver(one, now, this.#policy));
  }

  /** Forgets what the owner and all who have looked at the word know. */
  #drop(word: Word): void {
    const stamps = [...word.observers].map((core) => this.#stampOf(core));
    const left = word.since.filter((one) => {
      const known = stamps.every((stamp) => isOver(one, stamp, this.#policy));
      if (known) word.lastDropped = one;
      return !known;
    });
    word.dropped += word.since.length - left.length;
    word.since = left;
    word.keptMax = Math.max(keptMin, 2 * left.length);
  }

  /** A program stores to bytes that may become a reply word: one that it has set to another value than 0 begins there. */
  note({ space, address, bytes, data }: Pick<AccessEvent, 'space' | 'address' | 'bytes' | 'data'>): void {
    const values = this.#values.get(space) ?? new Map<number, number>();
    this.#values.set(space, values);
    for (let offset = address - (address % 4); offset < address + bytes; offset += 4) {
      const value = wordOf(data, offset - address);
      if (value === 0) values.delete(offset);
      else values.set(offset, value);
    }
  }

  /** True when a transfer has named the word. */
  has({ space, offset }: ReplyWord): boolean {
    return this.#words.get(space)?.has(offset) ?? false;
  }

  /** The reply words whose four bytes share some with these. */
  *wordsIn(space: Space, from: number, to: number): Generator<ReplyWord> {
    const words = this.#words.get(space);
    if (!words) return;
    if (to - from <= 64) {
      for (let offset = from - (from % 4); offset < to; offset += 4)
        if (words.has(offset)) yield { space, offset };
      return;
    }
    for (const offset of words.keys()) if (offset < to && offset + 4 > from) yield { space, offset };
  }

  #word({ space, offset }: ReplyWord): Word {
    const words = this.#words.get(space) ?? new Map<number, Word>();
    const known = words.get(offset);
    if (known) return known;
    const word: Word = {
      base: this.#values.get(space)?.get(offset) ?? 0,
      since: [],
      dropped: 0,
      lastDropped: undefined,
      keptMax: keptMin,
      observers: new Set([space]),
      stored: undefined,
    };
    this.#words.set(space, words.set(offset, word));
    return word;
  }
}

/** True when a core at this moment knows that the increment has come. */
const isOver = ({ transfer, reply }: Pending, stamp: Stamp, rules: Rules): boolean =>
  transfer.replies[reply]!.isBefore(stamp, rules);

/** The role rule: increments of the local role, when all of them could have come (Sunway specification 7.3, lenient). */
function excusedOf(outstanding: readonly Pending[], more: number): readonly Pending[] {
  const locals = outstanding.filter(({ transfer, reply }) => transfer.issue.replies[reply]!.role === 'local');
  return locals.length < outstanding.length && more >= locals.length ? locals : [];
}

/**
 * True when an increment is one of the first `count` of those issued, in every order in which they can come.
 *
 * Details: two transfers come in any order, also those of one issuer to one target, unless a barrier operation lies between them, or the second
 * was issued by somebody who knew that the first was over (Sunway specification 7.1). It may come last of all that are not behind it, so there
 * must be fewer of these than `count`.
 */
function isAmongFirst(one: Pending, since: readonly Pending[], count: number, rules: Rules): boolean {
  let before = 0;
  for (const other of since) {
    if (other === one || one.transfer.isOrderedBefore(other.transfer)) continue;
    if (isOver(one, other.transfer.start, rules)) continue;
    if (++before >= count) return false;
  }
  return true;
}
