import { invariant } from '../errors.ts';
import type { Wiring } from '../wiring.ts';
import { type ExpandOptions, Expansion, type Spotted } from './expansion.ts';
import type { ExploreFigures } from './explorer.ts';
import { entries, Journal } from './journal.ts';
import { type Shown, shownAlong } from './shown.ts';
import { StateSet } from './state-set.ts';
import { hashFrom as hashOf } from './state-table.ts';
import { WordList } from './word-list.ts';

/** Which part of the states belongs to a partition, and how it reaches the others. */
export interface PartitionPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Memory that all partitions share, from `journalMemory`. */
  readonly journal: SharedArrayBuffer;
  /** Hands records of states to the partition to which they belong: `receive` is to be called there. The array is given away. */
  pass(to: number, records: Uint32Array<ArrayBuffer>): void;
}

/** Something that is not as it should be, and where: what comes first in this order is told first. */
export interface RankedFinding extends Spotted {
  /** Rank of the state that was gone on from. */
  readonly rank: number;
}

/** A state by its rank. */
export interface RankedState {
  readonly words: Uint32Array;
  /** Rank of the state at the end of the tick before; undefined before the first tick. */
  readonly before: number | undefined;
}

/** What a partition found in one level. */
export interface LevelEnd {
  /** Where its new states were found first: a number for each, ascending, different from those of all others. */
  readonly keys: Float64Array;
  readonly findings: readonly RankedFinding[];
}

/** Words of records that are handed over at once. */
const parcelWords = 1 << 15;
/** Words of a record before those of its state: their number, where it was found, their hash. */
const recordHead = 4;
/** Ends of the tick that one state may have, in a key. */
const endsMax = 2 ** 26;

/**
 * One thread's part of an exploration that is shared among threads: the states whose hash says so.
 *
 * Details: levels are gone through together. In a level each partition goes on from its own states of it; what it comes upon belongs to it or is passed. When all are done and all
 * records are received, each tells where its new states were found first (`endLevel`), and with these keys of all each numbers its own (`beginLevel`). The *rank* of a state so is
 * its number in an exploration by one thread, whatever the threads did when; so are the tables of counts, which of several findings is the first, and the route to it.
 */
export class Partition {
  readonly #place: PartitionPlace;
  readonly #expansion: Expansion;
  readonly #journal: Journal;
  readonly #states = new StateSet();
  /** By state: its rank. */
  readonly #ranks = new WordList();
  /** By state: rank of the state before it, plus 1; 0 before the first tick. */
  readonly #before = new WordList();
  /** Answers to the questions of the start, by rank of the state before the first tick. */
  readonly #starts: (readonly number[])[] = [];
  /** By level: the first of its states here. */
  readonly #levels: number[] = [0];
  /** Of new states, where they were found first. */
  #keys: number[] = [];
  /** Rank of the first state of the level, and of the first after it. */
  #first = 0;
  #next = 0;
  readonly #parcels: { words: Uint32Array<ArrayBuffer>; used: number }[];
  #findings: RankedFinding[] = [];
  #words = new Uint32Array(1 << 10);
  #state = 0;
  #levelEnd: number;
  #rank = 0;
  /** Ends of its tick that the present state has had. */
  #ends = 0;
  #inside = false;
  #merged = 0;

  constructor(make: () => Wiring, options: ExpandOptions, place: PartitionPlace) {
    this.#place = place;
    this.#parcels = Array.from({ length: place.count }, () => ({
      words: new Uint32Array(parcelWords),
      used: 0,
    }));
    this.#expansion = new Expansion(make, options, {
      ended: (words, at, length) => this.#ended(words, at, length),
      spotted: (spotted) => this.#findings.push({ ...spotted, rank: this.#rank }),
      witnessed: () => {},
    });
    this.#begin();
    this.#levelEnd = this.#states.size;
    const { transitionCache, watchers, exchanges } = this.#expansion;
    this.#journal = new Journal(place.journal, (kind, level, one, two, three, four) => {
      if (kind === entries.handling) transitionCache.follow(one, two, three, four, level);
      else if (kind >= entries.exchangeLocal) exchanges?.follow(kind, one, two, three);
      else watchers.follow(kind, one, two, three);
    });
    transitionCache.journal = this.#journal;
    if (exchanges)
      exchanges.agree = (kind, one, two, three) =>
        this.#journal.agree(kind, transitionCache.level, one, two, three);
    watchers.agreeBy((kind, observer, memory, number) =>
      this.#journal.agree(kind, transitionCache.level, observer, memory, number),
    );
  }

  /** How far this part of the exploration has come. */
  get figures(): ExploreFigures {
    const { search, quiet, cut, transitionCache } = this.#expansion;
    const { transitions, postponed, merged } = search.counts;
    return {
      states: this.#states.size,
      transitions,
      depth: transitionCache.level,
      unexplored: this.#states.size - this.#state,
      quiet,
      cut,
      postponed,
      merged: merged + this.#merged,
      locals: transitionCache.locals.count,
    };
  }

  /** Goes on from its states of the level for about so many deliveries. Returns false when it is done with them. */
  go(deliveries: number): boolean {
    const { search } = this.#expansion;
    const last = search.counts.transitions + deliveries;
    while (this.#state < this.#levelEnd) {
      if (search.counts.transitions >= last) return true;
      if (!this.#inside) {
        this.#rank = this.#ranks.at(this.#state);
        this.#ends = 0;
        const length = this.#load(this.#state);
        this.#inside = this.#expansion.begin(this.#words, length);
      }
      if (this.#inside) {
        if (!search.go(last - search.counts.transitions)) return true;
        this.#inside = false;
      }
      this.#state++;
    }
    for (let to = 0; to < this.#parcels.length; to++) this.#send(to);
    return false;
  }

  /** Takes in states that others came upon. */
  receive(records: Uint32Array): void {
    for (let at = 0; at < records.length; ) {
      const [length, before, end] = [records[at]!, records[at + 1]!, records[at + 2]!];
      const key = (before - this.#first) * endsMax + end;
      this.#add(records, at + recordHead, length, key, records[at + 3]!);
      at += recordHead + length;
    }
  }

  /** Ends the level: all partitions are done with it, and all records are received. */
  endLevel(): LevelEnd {
    const findings = this.#findings;
    this.#findings = [];
    // In memory that is shared, so that telling the others costs no copies.
    const keys = new Float64Array(new SharedArrayBuffer(8 * this.#keys.length));
    keys.set(this.#keys);
    return { keys: keys.sort(), findings };
  }

  /** Begins with the next level: `keys` are those of all partitions. */
  beginLevel(keys: readonly Float64Array[]): void {
    const first = this.#next;
    for (const key of this.#keys) {
      this.#before.push(this.#first + Math.floor(key / endsMax) + 1);
      this.#ranks.push(first + keys.reduce((sum, all) => sum + countBelow(all, key), 0));
    }
    this.#levels.push(this.#levelEnd);
    this.#levelEnd = this.#states.size;
    this.#keys = [];
    this.#first = first;
    this.#next = first + keys.reduce((sum, all) => sum + all.length, 0);
    this.#expansion.transitionCache.level++;
    this.#journal.catchUp();
  }

  /** The state of a level that has a rank, when it is here. */
  stateOf(level: number, rank: number): RankedState | undefined {
    const end = this.#levels[level + 1] ?? this.#levelEnd;
    for (let state = this.#levels[level]!; state < end; state++) {
      if (this.#ranks.at(state) !== rank) continue;
      const before = this.#before.at(state);
      return {
        words: this.#words.slice(0, this.#load(state)),
        before: before === 0 ? undefined : before - 1,
      };
    }
    return undefined;
  }

  /** What was found on going on from the last of a chain of states, of which the first has the rank `start`. Errors: as `shownAlong`. */
  show(start: number, chain: readonly Uint32Array[], spotted: Spotted): Shown {
    this.#journal.catchUp();
    return shownAlong(this.#expansion, this.#starts[start] ?? [], chain, spotted);
  }

  /** Makes sure that actors which were taken to be exchangeable are; all partitions are done. Errors: KRN013. */
  verifySymmetry(): void {
    this.#journal.catchUp();
    this.#expansion.exchanges?.verify();
  }

  /** Ends of ticks, of those that this partition came upon, for which another state stands. */
  get exchanged(): number {
    return this.#expansion.exchanges?.exchanged ?? 0;
  }

  /** Finds the states before the first tick: every partition all of them, to know their ranks. */
  #begin(): void {
    const all = new StateSet();
    for (const { words, picks, spotted } of this.#expansion.starts()) {
      const added = all.add(words, 0, words.length);
      const rank = added < 0 ? ~added : added;
      if (added >= 0) this.#starts[rank] = picks;
      if (this.#ownerOf(hashOf(words, 0, words.length)) !== this.#place.index) continue;
      if (added >= 0) {
        this.#states.add(words, 0, words.length);
        this.#ranks.push(rank);
        this.#before.push(0);
      }
      // Starts that lead to one state may differ in what they show.
      this.#findings.push(...spotted.map((one) => ({ ...one, rank })));
    }
    this.#next = all.size;
  }

  #load(state: number): number {
    const length = this.#states.lengthOf(state);
    if (length > this.#words.length) this.#words = new Uint32Array(2 * length);
    return this.#states.read(state, this.#words, 0);
  }

  #ownerOf(hash: number): number {
    // The low bits of the hash say where in its set a state is looked for.
    return Math.floor((hash * this.#place.count) / 2 ** 32);
  }

  #ended(words: Uint32Array, at: number, length: number): void {
    const end = this.#ends++;
    invariant(end < endsMax, `a tick of one state has at most ${endsMax} ends where threads share the work`);
    const hash = hashOf(words, at, length);
    const owner = this.#ownerOf(hash);
    if (owner === this.#place.index) {
      this.#add(words, at, length, (this.#rank - this.#first) * endsMax + end, hash);
      return;
    }
    if (this.#parcels[owner]!.used + recordHead + length > this.#parcels[owner]!.words.length)
      this.#send(owner, recordHead + length);
    const parcel = this.#parcels[owner]!;
    const to = parcel.words;
    let used = parcel.used;
    to[used++] = length;
    to[used++] = this.#rank;
    to[used++] = end;
    to[used++] = hash;
    for (let i = at; i < at + length; i++) to[used++] = words[i]!;
    parcel.used = used;
  }

  #add(words: Uint32Array, at: number, length: number, key: number, hash: number): void {
    void hash;
    const added = this.#states.add(words, at, length);
    if (added >= 0) {
      this.#keys.push(key);
      return;
    }
    this.#merged++;
    const fresh = ~added - this.#levelEnd;
    if (fresh >= 0 && key < this.#keys[fresh]!) this.#keys[fresh] = key;
  }

  #send(to: number, room = 0): void {
    const { words, used } = this.#parcels[to]!;
    if (used > 0) this.#place.pass(to, words.slice(0, used));
    this.#parcels[to] = { words: room > words.length ? new Uint32Array(room) : words, used: 0 };
  }
}

/** How many numbers of an ascending list are below one. */
function countBelow(ascending: Float64Array, number: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
