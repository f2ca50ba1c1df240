import type { Rules } from './access.ts';
import { knows } from './clock.ts';
import type { CoreId, Operation, ReplyWord, Space } from './race-event.ts';
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
  /** Increments since then that a wait has covered. */
  covered: number;
  pending: Pending[];
  /** The last store of the program. */
  stored: WordStore | undefined;
}

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

/** What reply words stand for: the increments that are outstanding on each, and which of them a wait covers (Sunway specification 7.3). */
export class ReplyLedger {
  readonly #rules: Rules;
  readonly #words = new Map<Space, Map<number, Word>>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Notes the increments of a transfer. Returns the last stores to their words of which the issuer does not know. */
  issue(transfer: Transfer): readonly (readonly [reply: number, store: WordStore])[] {
    const raced: (readonly [number, WordStore])[] = [];
    transfer.issue.replies.forEach(({ word: at }, reply) => {
      const word = this.#word(at);
      word.pending.push({ transfer, reply });
      const { stored } = word;
      if (stored && !knows(transfer.start, stored.core, stored.time)) raced.push([reply, stored]);
    });
    return raced;
  }

  /** A wait for `value` has returned, or a read has found it. */
  seen(at: ReplyWord, value: number): Coverage {
    const word = this.#word(at);
    const { pending } = word;
    const more = value - word.base - word.covered;
    if (more <= 0 || pending.length === 0)
      return { covered: [], ambiguous: false, outstanding: pending.length, left: pending };
    const sure = more >= pending.length ? pending : pending.filter((one) => isAmongFirst(one, pending, more));
    const [covered, excused] = this.#excused(pending, sure, more);
    for (const { transfer, reply } of covered) transfer.replied[this.#rules][reply] = true;
    const ambiguous = more < pending.length && (excused || sure.length !== more);
    word.covered += covered.length;
    word.pending = covered.length === pending.length ? [] : pending.filter((one) => !covered.includes(one));
    return { covered, ambiguous, outstanding: pending.length, left: word.pending };
  }

  /** The role rule: increments of the local role, when all of them could have come. */
  #excused(
    pending: readonly Pending[],
    sure: readonly Pending[],
    more: number,
  ): readonly [covered: readonly Pending[], excused: boolean] {
    if (this.#rules === 'strict' || more >= pending.length) return [sure, false];
    const locals = pending.filter(({ transfer, reply }) => transfer.issue.replies[reply]!.role === 'local');
    if (locals.length === 0 || locals.length === pending.length || more < locals.length) return [sure, false];
    return [[...new Set([...sure, ...locals])], true];
  }

  /** The program stores to a word. Returns the increments that were outstanding, which count no more. */
  stored(at: ReplyWord, value: number, store: WordStore): readonly Pending[] {
    const word = this.#word(at);
    const { pending } = word;
    word.base = value;
    word.covered = 0;
    word.pending = [];
    word.stored = store;
    return pending;
  }

  /** Somebody knows of an increment without having waited on its word. */
  settle(transfer: Transfer, reply: number): void {
    if (transfer.replied[this.#rules][reply]) return;
    transfer.replied[this.#rules][reply] = true;
    const word = this.#word(transfer.issue.replies[reply]!.word);
    const left = word.pending.filter((one) => one.transfer !== transfer || one.reply !== reply);
    word.covered += word.pending.length - left.length;
    word.pending = left;
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
    const word: Word = { base: 0, covered: 0, pending: [], stored: undefined };
    this.#words.set(space, words.set(offset, word));
    return word;
  }
}

/**
 * True when an increment is one of the first `count` of those outstanding in every order that barrier operations leave.
 *
 * Details: it may come last of all that are not forced behind it, so there must be fewer of these than `count`.
 */
function isAmongFirst(one: Pending, pending: readonly Pending[], count: number): boolean {
  let before = 0;
  for (const other of pending) {
    if (other === one || one.transfer.isOrderedBefore(other.transfer)) continue;
    if (++before >= count) return false;
  }
  return true;
}
