import { invariant } from '../errors.ts';
import type { Wiring } from '../wiring.ts';
import { type ExpandOptions, Expansion, type Spotted } from './expansion.ts';
import { type ExploreFigures, keyOf } from './explorer.ts';
import { Journal } from './journal.ts';
import type { SharedMemory } from './shared-memory.ts';
import { type Shown, shownAlong } from './shown.ts';
import { StateTable, tableControlWords } from './state-table.ts';
import { WordList } from './word-list.ts';

/** What one of several threads explores with. */
export interface SearchPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly memory: SharedMemory;
  /** Memory that all share, from `controlMemory`. */
  readonly control: SharedArrayBuffer;
  /** Memory that all share, from `journalMemory`. */
  readonly journal: SharedArrayBuffer;
}

/** What is explored, and how far. */
export interface SharedOptions extends ExpandOptions {
  /** Ticks with deliveries after which it stops; to the end when absent. */
  readonly depthMax?: number;
  /** Go on whatever is found. */
  readonly keepGoing?: boolean;
}

/** Something that is not as it should be, and where: what comes first in this order is told first. */
export interface RankedFinding extends Spotted {
  /** Number of the state that was gone on from, in an exploration by one thread. */
  readonly rank: number;
  /** Reference of that state. */
  readonly reference: number;
}

/** What one thread came to. */
export interface SearchEnd {
  /** How far its part has come; `states` are those that it was the first to find. */
  readonly figures: ExploreFigures;
  /** States gone on from. */
  readonly explored: number;
  /** The first of each different thing that it found, and of each sentence for which it found a witness. */
  readonly findings: readonly RankedFinding[];
  readonly witnesses: readonly RankedFinding[];
  /** Sentences that still waited beyond `until`. */
  readonly waiting: readonly (readonly [sentence: string, why: string])[];
  /** Sentences that had nothing to judge, as far as this thread has heard. */
  readonly idle: readonly string[];
}

/** Words of the shared memory. `frontier`, `children` and `following` are numbers of pieces plus 1: the states of the level, for each where those begin that it is the first to lead to, and the states of the next level. */
const words = {
  stop: 0,
  isOver: 1,
  cursor: 2,
  size: 3,
  frontier: 4,
  children: 5,
  following: 6,
  followingSize: 7,
  found: 8,
  grows: 9,
  states: 10,
  first: 11,
  table: 12,
} as const;

/** Why threads end an exploration. */
const reasons = [
  'interrupted',
  'states',
  'states of a tick',
  'memory of a tick',
  'depth',
  'memory',
  'heap',
] as const;
export type StopReason = (typeof reasons)[number];

/** Makes the threads of an exploration end it after the deliveries that they are at. The first reason counts. */
export function stopAll(control: SharedArrayBuffer, reason: StopReason): void {
  Atomics.compareExchange(new Int32Array(control), words.stop, 0, 1 + reasons.indexOf(reason));
}

/** Why the threads ended an exploration; undefined where they came to its end, or to what they were looking for. */
export const stoppedBy = (control: SharedArrayBuffer): StopReason | undefined =>
  reasons[Atomics.load(new Int32Array(control), words.stop) - 1];

/** Memory in which the threads of one exploration agree. */
export const controlMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(4 * (words.table + tableControlWords));

/** Says of the word beside a state that it is the place in the level of the state before it, not its reference: the state is new in this level. */
const fresh = 2 ** 31;
/** States that are taken from the level at once, at most. */
const batchMax = 256;

/**
 * One thread's part of an exploration that threads share: all take states from one level, and add what they find to one table.
 *
 * Details: levels are gone through together, in four steps: `go` until there is nothing left, `count`, `arrange`, `place`, `advance`; all have to be done with a step before anybody begins with the next, and
 * `arrange` and `advance` are for one thread. Beside a state that is new in the level is the least place in the level of a state that leads to it, by compare-and-swap. A thread takes the states of a level in ascending order, so what it noted of one state is in the order
 * in which its ends came; whoever lowered the place last has the state in his list. So each state of the next level has the place that it has with one thread, whatever the threads did when; so are all figures, which of several findings is the first, and the
 * way to it.
 */
export class SharedSearch {
  readonly #place: SearchPlace;
  readonly #options: SharedOptions;
  readonly #expansion: Expansion;
  readonly #journal: Journal;
  readonly #control: Int32Array;
  readonly #table: StateTable;
  /** Answers to the questions of the start, by reference of the state before the first tick. */
  readonly #starts = new Map<number, readonly number[]>();
  /** The states of the level, and by their places how many states of the next each leads to. */
  #frontier: Uint32Array = new Uint32Array(0);
  #children: Uint32Array = new Uint32Array(0);
  #size = 0;
  /** Number of the first state of the level. */
  #first = 0;
  /** What it noted: pairs of a state and the place of the state before it. */
  #noted = new WordList();
  readonly #findings = new Map<string, RankedFinding>();
  readonly #witnesses = new Map<string, RankedFinding>();
  #words = new Uint32Array(1 << 10);
  /** The place in the level that is being gone on from, and the end of what was taken. */
  #at = 0;
  #end = 0;
  #inside = false;
  #explored = 0;
  #merged = 0;
  /** States that are added to the common count. */
  #told = 0;

  constructor(make: () => Wiring, options: SharedOptions, place: SearchPlace) {
    this.#place = place;
    this.#options = options;
    this.#control = new Int32Array(place.control);
    this.#expansion = new Expansion(make, options, {
      ended: (state, at, length) => this.#ended(state, at, length),
      reached: (state, at, length, isInside) => this.#ended(state, at, length, isInside),
      spotted: (spotted) => this.#find(spotted),
      witnessed: (witness) => this.#keep(this.#witnesses, witness.what, this.#ranked(witness)),
    });
    this.#table = new StateTable(place.memory, this.#expansion.form, this.#control.subarray(words.table));
    this.#begin();
    this.#journal = new Journal(place.journal, this.#expansion.follow);
    this.#expansion.agreeBy(this.#journal);
  }

  /** True when the exploration has come to its end. */
  get isOver(): boolean {
    return Atomics.load(this.#control, words.isOver) !== 0;
  }

  /** States that it has added, deliveries that it has carried out, and bytes that its states take; the first thread counts those of the index of all. */
  get progress(): { readonly states: number; readonly transitions: number; readonly bytes: number } {
    const { search } = this.#expansion;
    const { states, index } = this.#table.bytes;
    const bytes = states + search.bytes + (this.#place.index === 0 ? index : 0);
    return { states: this.#table.size, transitions: search.counts.transitions, bytes };
  }

  /** Goes on from states of the level for about so many deliveries. Returns false when nothing of it is left. */
  go(deliveries: number): boolean {
    const { search } = this.#expansion;
    const last = search.counts.transitions + deliveries;
    for (;;) {
      if (!this.#inside) {
        if (this.#at >= this.#end && !this.#takeSome()) return false;
        if (search.counts.transitions >= last) return true;
        const length = this.#load(this.#frontier[this.#at]!);
        this.#inside = this.#expansion.begin(this.#words, length);
      }
      if (this.#inside) {
        if (!search.go(last - search.counts.transitions))
          return Atomics.load(this.#control, words.stop) === 0;
        if (search.cutAt) {
          stopAll(this.#place.control, search.cutAt);
          return false;
        }
        this.#inside = false;
      }
      this.#expansion.finish(() => {
        const length = this.#load(this.#frontier[this.#at]!);
        return this.#words.subarray(0, length);
      });
      this.#explored++;
      this.#at++;
    }
  }

  /** Everybody is done with the level: counts to how many states each of its states was the first to lead. Errors: KRN025 where what the others found out goes by the order of keys. */
  count(): void {
    this.#journal.catchUp();
    this.#expansion.transitionCache.verifyOrders();
    const noted = this.#noted;
    let kept = 0;
    for (let i = 0; i < noted.length; i += 2) {
      const [reference, place] = [noted.at(i), noted.at(i + 1)];
      if (this.#table.besideOf(reference) !== fresh + place) continue;
      this.#children[place] = this.#children[place]! + 1;
      noted.set(kept++, reference);
      noted.set(kept++, place);
    }
    noted.length = kept;
  }

  /** One thread, when all have counted: settles where the states of the next level go, and whether there is one. */
  arrange(): void {
    const control = this.#control;
    let size = 0;
    for (let place = 0; place < this.#size; place++) {
      const count = this.#children[place]!;
      this.#children[place] = size;
      size += count;
    }
    const { depthMax = Number.POSITIVE_INFINITY, keepGoing = false } = this.#options;
    const enough = control[words.found] !== 0 && !keepGoing;
    const isLast = this.#expansion.transitionCache.level + 1 >= depthMax;
    if (isLast && !enough && size > 0) stopAll(this.#place.control, 'depth');
    if (enough || isLast || size === 0 || control[words.stop] !== 0) Atomics.store(control, words.isOver, 1);
    control[words.followingSize] = size;
    control[words.following] = this.#roomFor(control[words.following]!, size);
    control[words.grows] = this.#table.grow(control[words.states]!, 2 * size) ? 1 : 0;
  }

  /** Puts the states that it noted where they belong in the next level. */
  place(): void {
    const following = this.#wordsIn(this.#control[words.following]!);
    for (let i = 0; i < this.#noted.length; i += 2) {
      const [reference, place] = [this.#noted.at(i), this.#noted.at(i + 1)];
      const to = this.#children[place]!;
      this.#children[place] = to + 1;
      following[to] = reference;
      this.#table.setBeside(reference, this.#frontier[place]!);
    }
    this.#noted.clear();
    if (this.#control[words.grows] !== 0) this.#table.move();
  }

  /** One thread, when all have placed: makes the next level the present one. */
  advance(): void {
    const control = this.#control;
    if (control[words.grows] !== 0) this.#table.moved();
    const size = control[words.followingSize]!;
    [control[words.frontier], control[words.following]] = [
      control[words.following]!,
      control[words.frontier]!,
    ];
    control[words.first] = control[words.first]! + control[words.size]!;
    control[words.size] = size;
    control[words.children] = this.#roomFor(control[words.children]!, size);
    this.#wordsIn(control[words.children]!).fill(0, 0, size);
    Atomics.store(control, words.cursor, 0);
  }

  /** Begins with the level that is the present one now. */
  beginLevel(): void {
    if (this.#control[words.grows] !== 0) this.#table.settle();
    this.#expansion.transitionCache.level++;
    this.#journal.catchUp();
    this.takeUp();
  }

  /** What it came to; the exploration is over. */
  get end(): SearchEnd {
    const { search, quiet, cut, outside, waiting, transitionCache } = this.#expansion;
    const { transitions, postponed, merged } = search.counts;
    return {
      figures: {
        states: this.#table.size,
        transitions,
        depth: transitionCache.level,
        unexplored: 0,
        quiet,
        cut,
        outside,
        postponed,
        merged: merged + this.#merged,
        locals: transitionCache.locals.count,
      },
      explored: this.#explored,
      findings: [...this.#findings.values()],
      witnesses: [...this.#witnesses.values()],
      waiting: [...waiting],
      idle: this.#expansion.watchers.idle,
    };
  }

  /** What was found, as it is on a way that a run takes, and this way. Errors: as `shownAlong`. */
  show({ reference, rank: _, ...spotted }: RankedFinding): Shown {
    this.#journal.catchUp();
    const references = [reference];
    for (let before = this.#table.besideOf(reference); before !== 0; before = this.#table.besideOf(before))
      references.push(before);
    const chain = references.reverse().map((one) => {
      const length = this.#load(one);
      return this.#words.slice(0, length);
    });
    return shownAlong(this.#expansion, this.#starts.get(references[0]!) ?? [], chain, spotted);
  }

  /** Makes sure that actors which were taken to be exchangeable are; all are done. Errors: KRN013. */
  verifySymmetry(): void {
    this.#journal.catchUp();
    this.#expansion.exchanges?.verify();
  }

  /** Ends of ticks, of those that this thread came upon, for which another state stands. */
  get exchanged(): number {
    return this.#expansion.exchanges?.exchanged ?? 0;
  }

  /** Finds the states before the first tick: everybody does, so that all have the same numbers and know the answers. What is found is told by the first thread. */
  #begin(): void {
    const references: number[] = [];
    const isFirst = this.#place.index === 0;
    for (const { words: state, picks, spotted, witnessed } of this.#expansion.starts()) {
      const added = this.#table.add(state, 0, state.length, 0);
      const reference = added < 0 ? ~added : added;
      if (!this.#starts.has(reference)) {
        references.push(reference);
        this.#starts.set(reference, picks);
      }
      const rank = references.indexOf(reference);
      if (!isFirst) continue;
      // Starts that lead to one state may differ in what they show.
      for (const one of spotted) this.#found({ ...one, rank, reference });
      for (const one of witnessed) this.#keep(this.#witnesses, one.what, { ...one, rank, reference });
    }
    this.#tellStates();
    if (!isFirst) return;
    const control = this.#control;
    control[words.frontier] = this.#roomFor(0, references.length);
    control[words.children] = this.#roomFor(0, references.length);
    this.#wordsIn(control[words.frontier]!).set(references);
    control[words.size] = references.length;
  }

  /** Takes up the first level: all have begun. */
  takeUp(): void {
    const control = this.#control;
    this.#frontier = this.#wordsIn(control[words.frontier]!);
    this.#children = this.#wordsIn(control[words.children]!);
    this.#size = control[words.size]!;
    this.#first = control[words.first]!;
    this.#at = 0;
    this.#end = 0;
  }

  /** Takes some states of the level that nobody has taken. Returns false when there are none. */
  #takeSome(): boolean {
    this.#tellStates();
    if (Atomics.load(this.#control, words.stop) !== 0) return false;
    const count = Math.max(1, Math.min(batchMax, Math.floor(this.#size / (8 * this.#place.count))));
    const from = Atomics.add(this.#control, words.cursor, count);
    if (from >= this.#size) return false;
    this.#at = from;
    this.#end = Math.min(this.#size, from + count);
    return true;
  }

  #tellStates(): void {
    const { statesMax = Number.POSITIVE_INFINITY } = this.#options;
    const added = this.#table.size - this.#told;
    this.#told = this.#table.size;
    if (added > 0 && Atomics.add(this.#control, words.states, added) + added >= statesMax)
      stopAll(this.#place.control, 'states');
    if (this.#table.isFull) stopAll(this.#place.control, 'memory');
  }

  #load(reference: number): number {
    const length = this.#table.lengthOf(reference);
    if (length > this.#words.length) this.#words = new Uint32Array(2 * length);
    return this.#table.read(reference, this.#words, 0);
  }

  #ended(state: Uint32Array, at: number, length: number, isInside?: () => boolean): void {
    const before = fresh + this.#at;
    const added = this.#table.add(state, at, length, before, isInside);
    if (added === 0) {
      this.#expansion.leave();
      return;
    }
    if (added < 0) {
      this.#merged++;
      if (!this.#table.lower(~added, before)) return;
    }
    this.#noted.push(added < 0 ? ~added : added);
    this.#noted.push(this.#at);
  }

  #find(spotted: Spotted): void {
    this.#found(this.#ranked(spotted));
  }

  #ranked(spotted: Spotted): RankedFinding {
    return { ...spotted, rank: this.#first + this.#at, reference: this.#frontier[this.#at]! };
  }

  #found(finding: RankedFinding): void {
    this.#keep(this.#findings, keyOf(finding), finding);
    Atomics.store(this.#control, words.found, 1);
  }

  /** What a thread comes upon has ascending ranks: the first is kept. */
  #keep(kept: Map<string, RankedFinding>, key: string, finding: RankedFinding): void {
    if (!kept.has(key)) kept.set(key, finding);
  }

  /** A piece with room for so many words: the one that is there, or a larger one. Numbers are those of pieces plus 1, 0 for none. */
  #roomFor(piece: number, count: number): number {
    const { memory } = this.#place;
    if (piece > 0 && memory.piece(piece - 1).byteLength >= 4 * count) return piece;
    return 1 + memory.take(Math.max(1 << 12, 4 * Math.ceil(1.5 * count)));
  }

  #wordsIn(piece: number): Uint32Array<SharedArrayBuffer> {
    invariant(piece > 0, 'the level has no memory');
    return new Uint32Array(this.#place.memory.piece(piece - 1));
  }
}
