import { invariant } from '../errors.ts';
import type { SharedMemory } from './shared-memory.ts';
import { indexControlWords, StateIndex } from './state-index.ts';

/** Words of a full piece, 1 MiB, and of the first one of a thread. */
const pieceShift = 18;
const pieceWords = 1 << pieceShift;
const inPiece = pieceWords - 1;
const firstWords = 1 << 12;
/** Pieces that references tell apart. */
const piecesMax = 1 << 13;
/** Pieces before that which are left for what is found until everybody has stopped. */
const piecesLeft = 256;
/** Bytes of a word at most. */
const wordBytes = 5;

/** Words of memory by which threads share a table. */
export const tableControlWords: number = indexControlWords;

/** How states are written. */
export interface StateForm {
  /** Words before the local states, of which the first word says how many there are, where all messages are due at once so that their dues are not kept; absent, all words are. */
  readonly header?: number | undefined;
}

/**
 * A set of states, each a short list of 32-bit words with one word beside it that can be changed. Any number of threads add states at the same time, each through a table of its own over the same memory.
 *
 * Details: membership is exact: hashes only say where to look, and the states are compared. Words are small numbers as a rule, so each is kept
 * in as few bytes as it needs: 7 bits a byte, the lowest first, and the eighth bit says that another byte follows. A state costs its words and their number written so, up to 3 bytes to the
 * next place at which one can begin, 4 bytes for the word beside it, and 7 to 10 bytes in the index. A *reference* to a state is its place, in words over all pieces of memory; none is 0, and all are below 2^31, so 8 GiB is the limit.
 * A thread writes a state into memory of its own before it inserts the reference, so that who finds it sees all of it.
 */
export class StateTable {
  /** How many states this thread has added. */
  size = 0;
  readonly #memory: SharedMemory;
  readonly #index: StateIndex;
  readonly #header: number;
  /** By number of the piece, those that were looked into. */
  readonly #words: Uint32Array[] = [];
  readonly #bytes: Uint8Array[] = [];
  /** The piece that this thread fills, its first free word, and its end. */
  #piece = -1;
  #free = 0;
  #end = 0;
  /** Words filled in pieces that are full. */
  #filled = 0;
  /** The state that was added last. */
  #last = 0;
  /** By the last state of a piece: the first one of the next. */
  readonly #follows = new Map<number, number>();
  /** Words of the state that is looked for. */
  #units = 0;
  readonly #isIt = (reference: number): boolean => this.#equals(reference);
  readonly #hashAt = (reference: number): number => this.#hashOf(reference);

  constructor(
    memory: SharedMemory,
    { header = -1 }: StateForm = {},
    control: Int32Array = new Int32Array(tableControlWords),
  ) {
    this.#memory = memory;
    this.#header = header;
    this.#index = new StateIndex(memory, control);
  }

  /** Bytes of the states that this thread has added, and of the whole index. */
  get bytes(): { readonly states: number; readonly index: number } {
    return { states: 4 * (this.#filled + this.#free), index: this.#index.bytes };
  }

  /** True when references are about to run out, and no more than some hundred thousand states should be added. */
  get isFull(): boolean {
    return this.#piece >= piecesMax - piecesLeft;
  }

  /** Adds `length` words from `at` on, and `beside` beside them. Returns the reference of the state, or, of one that is there already, `~reference`. */
  add(words: Uint32Array, at: number, length: number, beside: number): number {
    const room = 2 + ((wordBytes * (length + 1)) >>> 2);
    if (this.#free + room > this.#end) this.#take(room);
    const state = this.#words[this.#piece]!;
    const place = this.#free;
    const end = this.#write(4 * (place + 1), words, at, length);
    this.#units = (end >>> 2) - place - 1;
    const hash = hashFrom(state, place + 1, this.#units);
    const reference = this.#piece * pieceWords + place;
    state[place] = beside;
    const there = this.#index.insert(hash, reference, this.#isIt);
    if (there !== 0) return ~there;
    this.#free = place + 1 + this.#units;
    this.size++;
    this.#last = reference;
    return reference;
  }

  /** Copies the words of a state to a place with enough room (`lengthOf`). Returns how many there are. */
  read(reference: number, into: Uint32Array, at: number): number {
    const bytes = this.#bytesOf(reference);
    let place = 4 * ((reference & inPiece) + 1);
    let count = bytes[place++]!;
    if (count >= 0x80) [count, place] = wordAt(bytes, place - 1);
    // Of the words in front of the messages the first says how many there are.
    let fixed = this.#header < 0 ? count : 1;
    let to = at;
    for (let index = 0; index < count; index++) {
      let word = bytes[place++]!;
      if (word >= 0x80) {
        word &= 0x7f;
        // A word of 32 bits has its sign bit set.
        for (let shift = 7, byte = 0x80; byte >= 0x80; shift += 7) {
          byte = bytes[place++]!;
          word |= (byte & 0x7f) << shift;
        }
      }
      if (index === 0 && this.#header >= 0) fixed = this.#header + word;
      if (index >= fixed) into[to++] = 0;
      into[to++] = word;
    }
    return to - at;
  }

  /** How many words a state has. */
  lengthOf(reference: number): number {
    const bytes = this.#bytesOf(reference);
    const [count, place] = wordAt(bytes, 4 * ((reference & inPiece) + 1));
    if (this.#header < 0 || count === 0) return count;
    const fixed = this.#header + wordAt(bytes, place)[0];
    return fixed + 2 * (count - fixed);
  }

  /** The word beside a state. */
  besideOf(reference: number): number {
    return this.#wordsOf(reference)[reference & inPiece]!;
  }

  /** Changes the word beside a state, which nobody else may do at the same time. */
  setBeside(reference: number, word: number): void {
    this.#wordsOf(reference)[reference & inPiece] = word;
  }

  /** Makes the word beside a state less, whoever else does. Returns false when it is not greater than `word`. */
  lower(reference: number, word: number): boolean {
    const words = this.#wordsOf(reference);
    const place = reference & inPiece;
    for (let known = Atomics.load(words, place); known > word; ) {
      const found = Atomics.compareExchange(words, place, known, word);
      if (found === known) return true;
      known = found;
    }
    return false;
  }

  /** The reference of the state that this thread has added after one; there must be one. */
  after(reference: number): number {
    return this.#follows.get(reference) ?? reference + 1 + this.#unitsOf(reference);
  }

  /** One thread begins to make the index larger, or whole, before more states are added: `states` there are, and about so many come soon. Returns false when there is no need; else all threads have to `move`, one to `moved`, all to `settle`, each after all have done the step before. */
  grow(states: number, soon: number): boolean {
    return this.#index.begin(states, soon);
  }

  move(): void {
    this.#index.move(this.#hashAt);
  }

  moved(): void {
    this.#index.end();
  }

  settle(): void {
    this.#index.forget();
  }

  #take(room: number): void {
    const words = this.#piece < 0 ? firstWords : pieceWords;
    invariant(room <= words || room <= pieceWords, 'a state is too large to be kept');
    this.#filled += this.#free;
    this.#piece = this.#memory.take(4 * Math.max(words, room));
    invariant(this.#piece < piecesMax, 'the states have more than 8 GiB');
    this.#wordsOf(this.#piece * pieceWords);
    // No reference is 0.
    this.#free = this.#piece === 0 ? 1 : 0;
    this.#end = Math.max(words, room);
    if (this.#last !== 0) this.#follows.set(this.#last, this.#piece * pieceWords + this.#free);
  }

  /** Writes a state into the memory of this thread from a byte on. Returns its end. */
  #write(from: number, words: Uint32Array, at: number, length: number): number {
    const bytes = this.#bytes[this.#piece]!;
    const end = at + length;
    const first = this.#header < 0 || length === 0 ? end : at + this.#header + words[at]!;
    let to = writeWord(bytes, from, first - at + ((end - first) >>> 1));
    for (let i = at; i < first; i++) {
      const word = words[i]!;
      if (word < 0x80) bytes[to++] = word;
      else to = writeWord(bytes, to, word);
    }
    for (let i = first + 1; i < end; i += 2) {
      const word = words[i]!;
      if (word < 0x80) bytes[to++] = word;
      else to = writeWord(bytes, to, word);
    }
    while ((to & 3) !== 0) bytes[to++] = 0;
    return to;
  }

  /** True when a state is the one that was written last. What is written begins with its length: equal words from the first on are an equal state. */
  #equals(reference: number): boolean {
    const own = this.#words[this.#piece]!;
    const other = this.#wordsOf(reference);
    const here = this.#free + 1;
    const there = (reference & inPiece) + 1;
    for (let unit = 0; unit < this.#units; unit++) if (own[here + unit] !== other[there + unit]) return false;
    return true;
  }

  #hashOf(reference: number): number {
    return hashFrom(this.#wordsOf(reference), (reference & inPiece) + 1, this.#unitsOf(reference));
  }

  /** Words that a state takes as it is written. */
  #unitsOf(reference: number): number {
    const bytes = this.#bytesOf(reference);
    const from = 4 * ((reference & inPiece) + 1);
    let [count, place] = wordAt(bytes, from);
    for (; count > 0; place++) if (bytes[place]! < 0x80) count--;
    return (place - from + 3) >>> 2;
  }

  #wordsOf(reference: number): Uint32Array {
    const piece = reference >>> pieceShift;
    const known = this.#words[piece];
    if (known !== undefined) return known;
    const buffer = this.#memory.piece(piece);
    this.#words[piece] = new Uint32Array(buffer);
    this.#bytes[piece] = new Uint8Array(buffer);
    return this.#words[piece];
  }

  #bytesOf(reference: number): Uint8Array {
    const known = this.#bytes[reference >>> pieceShift];
    if (known !== undefined) return known;
    this.#wordsOf(reference);
    return this.#bytes[reference >>> pieceShift]!;
  }
}

/** A word, and the place behind it. */
function wordAt(bytes: Uint8Array, at: number): [word: number, place: number] {
  let place = at;
  let byte = bytes[place++]!;
  let word = byte & 0x7f;
  for (let shift = 7; byte >= 0x80; shift += 7) {
    byte = bytes[place++]!;
    word |= (byte & 0x7f) << shift;
  }
  return [word >>> 0, place];
}

/** Writes a word. Returns the place behind it. */
function writeWord(bytes: Uint8Array, at: number, word: number): number {
  let to = at;
  let rest = word;
  for (; rest >= 0x80; rest >>>= 7) bytes[to++] = (rest & 0x7f) | 0x80;
  bytes[to++] = rest;
  return to;
}

/** A hash of `length` words from `at` on: 32 bits, of which all depend on all words. */
export function hashFrom(words: Uint32Array, at: number, length: number): number {
  // Two halves that do not wait for each other.
  let [one, other] = [length, 0x7f4a7c15];
  const end = at + length;
  let i = at;
  for (; i + 1 < end; i += 2) {
    one = Math.imul(one ^ words[i]!, 0x9e3779b1);
    other = Math.imul(other ^ words[i + 1]!, 0x85ebca77);
    one ^= one >>> 15;
    other ^= other >>> 13;
  }
  if (i < end) one = Math.imul(one ^ words[i]!, 0x9e3779b1);
  one ^= one >>> 15;
  let hash = Math.imul(one ^ ((other << 16) | (other >>> 16)), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
