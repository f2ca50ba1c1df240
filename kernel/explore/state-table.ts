import { invariant } from '../errors.ts';
import type { SharedMemory } from './shared-memory.ts';
import { indexControlWords, type MayCome, refused, StateIndex } from './state-index.ts';
import { BlockReader, type WordStore } from './word-store.ts';

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

/** The stream of a `WordStore` that has the states, one piece after another. */
const stream = 'states';

/** A piece of states: its number among the pieces of memory, the place in the stream at which it begins, and how many of its words are taken. */
interface Piece {
  readonly number: number;
  readonly from: number;
  words: number;
}

/** What a table of one thread is, besides the words in its store. */
export interface StoredTable {
  readonly size: number;
  readonly longest: number;
  readonly pieces: readonly Piece[];
}

/**
 * A set of states, each a short list of 32-bit words with one word beside it that can be changed. Any number of threads add states at the same time, each through a table of its own over the same memory.
 *
 * Details: membership is exact: hashes only say where to look, and the states are compared. Words are small numbers as a rule, so each is kept
 * in as few bytes as it needs: 7 bits a byte, the lowest first, and the eighth bit says that another byte follows. A state costs its words and their number written so, up to 3 bytes to the
 * next place at which one can begin, 4 bytes for the word beside it, and 10 to 13 bytes in the index. A *reference* to a state is its place, in words over all pieces of memory; none is 0, and all are below 2^31, so 8 GiB is the limit.
 * A thread writes a state into memory of its own before it inserts the reference, so that who finds it sees all of it.
 */
export class StateTable {
  /** How many states this thread has added. */
  size = 0;
  readonly #memory: SharedMemory;
  readonly #index: StateIndex;
  readonly #header: number;
  /** By number of the piece, those that were looked into; none that is moved out. */
  readonly #words: (Uint32Array | undefined)[] = [];
  readonly #bytes: (Uint8Array | undefined)[] = [];
  /** Where the words of a state were found: there, from this place on. */
  #foundIn: Uint32Array = new Uint32Array(0);
  #foundBytes: Uint8Array = new Uint8Array(0);
  #foundAt = 0;
  /** The piece that this thread fills, its first free word, and its end. */
  #piece = -1;
  #free = 0;
  #end = 0;
  /** The pieces that this thread has filled or fills, the last of them with the words that it had when it was looked at. */
  readonly #pieces: Piece[] = [];
  /** How many of these are moved out of memory, and what reads them. */
  #movedOut = 0;
  #reader: BlockReader | undefined;
  /** By number of a piece that is moved out: where it begins in the stream. */
  readonly #streamAt: number[] = [];
  /** Words of the longest state. */
  #longest = 0;
  /** By number of a piece that is full: how many of its words are taken, and the first state of the next. */
  readonly #taken: number[] = [];
  readonly #follows: number[] = [];
  /** Words of the state that is looked for. */
  #units = 0;
  readonly #isIt = (reference: number): boolean => this.#equals(reference);

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
    const pieces = this.#inOrder.slice(this.#movedOut);
    return { states: 4 * pieces.reduce((sum, { words }) => sum + words, 0), index: this.#index.bytes };
  }

  /** True when references are about to run out, and no more than some hundred thousand states should be added. */
  get isFull(): boolean {
    return this.#piece >= piecesMax - piecesLeft;
  }

  /** Adds `length` words from `at` on, and `beside` beside them. Returns the reference of the state, of one that is there already `~reference`, or 0 where it is new and may not come. */
  add(words: Uint32Array, at: number, length: number, beside: number, mayCome?: MayCome): number {
    const room = 2 + ((wordBytes * (length + 1)) >>> 2);
    if (this.#free + room > this.#end) this.#take(room);
    const state = this.#words[this.#piece]!;
    const place = this.#free;
    const end = this.#write(4 * (place + 1), words, at, length);
    this.#units = (end >>> 2) - place - 1;
    const hash = hashFrom(state, place + 1, this.#units);
    const reference = this.#piece * pieceWords + place;
    state[place] = beside;
    const there = this.#index.insert(hash, reference, this.#isIt, mayCome);
    if (there === refused) return 0;
    if (there !== 0) return ~there;
    this.#free = place + 1 + this.#units;
    if (this.#units > this.#longest) this.#longest = this.#units;
    this.size++;
    return reference;
  }

  /** Copies the words of a state to a place with enough room (`lengthOf`). Returns how many there are. */
  read(reference: number, into: Uint32Array, at: number): number {
    this.#find(reference);
    const bytes = this.#foundBytes;
    let place = 4 * (this.#foundAt + 1);
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
    this.#find(reference);
    const bytes = this.#foundBytes;
    const [count, place] = wordAt(bytes, 4 * (this.#foundAt + 1));
    if (this.#header < 0 || count === 0) return count;
    const fixed = this.#header + wordAt(bytes, place)[0];
    return fixed + 2 * (count - fixed);
  }

  /** The word beside a state. */
  besideOf(reference: number): number {
    this.#find(reference);
    return this.#foundIn[this.#foundAt]!;
  }

  /** Changes the word beside a state, which nobody else may do at the same time. */
  setBeside(reference: number, word: number): void {
    this.#find(reference);
    this.#foundIn[this.#foundAt] = word;
  }

  /** Makes the word beside a state less, whoever else does. Returns false when it is not greater than `word`. */
  lower(reference: number, word: number): boolean {
    this.#find(reference);
    const [words, place] = [this.#foundIn, this.#foundAt];
    for (let known = Atomics.load(words, place); known > word; ) {
      const found = Atomics.compareExchange(words, place, known, word);
      if (found === known) return true;
      known = found;
    }
    return false;
  }

  /** The reference of the state that this thread has added after one; there must be one. */
  after(reference: number): number {
    const units = this.#unitsOf(reference);
    const piece = reference >>> pieceShift;
    const isLast = (reference & inPiece) + 1 + units === this.#taken[piece];
    return isLast ? this.#follows[piece]! : reference + 1 + units;
  }

  /** One thread begins to make the index larger, or whole, before more states are added: `states` there are, and about so many come soon. Returns false when there is no need; else all threads have to `move`, one to `moved`, all to `settle`, each after all have done the step before. */
  grow(states: number, soon: number): boolean {
    return this.#index.begin(states, soon);
  }

  /** One thread alone: makes the index anew when `soon` states more are too many for it. */
  growAlone(soon: number): void {
    if (!this.grow(this.size, soon)) return;
    this.move();
    this.moved();
    this.settle();
  }

  /** The references of the states of this thread, in the order in which they were added. */
  *references(): Generator<number, void> {
    if (this.size === 0) return;
    const [{ number }] = this.#pieces as [Piece];
    let reference = number * pieceWords + (number === 0 ? 1 : 0);
    for (let left = this.size; left > 0; left--) {
      yield reference;
      if (left > 1) reference = this.after(reference);
    }
  }

  /** Adds what is new since `words` words were in it to the stream of a store. Returns what the table is besides, for `restore`. */
  storeIn(store: WordStore, words: number): StoredTable {
    for (const piece of this.#inOrder) {
      const begin = Math.max(0, words - piece.from);
      if (begin < piece.words) store.append(stream, this.#words[piece.number]!.subarray(begin, piece.words));
    }
    const pieces = this.#inOrder.map((piece) => ({ ...piece }));
    return { size: this.size, longest: this.#longest, pieces };
  }

  /** Moves the older half of what is in memory out of it; all of it is in the stream of the store. Returns how many bytes that were. */
  moveOut(store: WordStore): number {
    const count = (this.#pieces.length - this.#movedOut) >>> 1;
    let bytes = 0;
    for (const { number, from } of this.#pieces.slice(this.#movedOut, this.#movedOut + count)) {
      bytes += this.#bytes[number]!.length;
      this.#words[number] = undefined;
      this.#bytes[number] = undefined;
      this.#streamAt[number] = from;
      this.#memory.drop(number);
    }
    this.#movedOut += count;
    this.#reader ??= new BlockReader(store, stream);
    this.#reader.forget();
    return bytes;
  }

  /**
   * Becomes the table that was stored, of one thread, while it is empty. `take` takes a piece of memory with a number.
   *
   * Details: of the pieces that are full only the younger ones are taken into memory, up to `bytesMax` together.
   */
  restore(
    store: WordStore,
    { size, longest, pieces }: StoredTable,
    take: (number: number, bytes: number) => void,
    bytesMax: number,
  ): void {
    this.#reader = new BlockReader(store, stream);
    [this.size, this.#longest] = [size, longest];
    const all = pieces.reduce((sum, { words }) => sum + 4 * words, 0);
    for (const { number, from, words } of pieces) {
      const full = this.#pieces.at(-1);
      if (full) this.#follow(full, number);
      this.#pieces.push({ number, from, words });
      const isLast = this.#pieces.length === pieces.length;
      const room = Math.max(words, full ? pieceWords : firstWords);
      if (isLast) [this.#piece, this.#free, this.#end] = [number, words, room];
      if (!isLast && all - 4 * from > bytesMax) {
        this.#streamAt[number] = from;
        this.#movedOut++;
        continue;
      }
      take(number, 4 * room);
      this.#open(number);
      store.read(stream, from, this.#words[number]!.subarray(0, words));
    }
    this.#index.renew(size, size);
    for (const reference of this.references())
      this.#index.insert(this.#hashOf(reference), reference, () => false);
  }

  move(): void {
    this.#index.move();
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
    const full = this.#inOrder.at(-1);
    this.#piece = this.#memory.take(4 * Math.max(words, room));
    invariant(this.#piece < piecesMax, 'the states have more than 8 GiB');
    this.#open(this.#piece);
    // No reference is 0.
    this.#free = this.#piece === 0 ? 1 : 0;
    this.#end = Math.max(words, room);
    this.#pieces.push({ number: this.#piece, from: full ? full.from + full.words : 0, words: this.#free });
    if (full) this.#follow(full, this.#piece);
  }

  /** A piece is full, and another one comes after it. */
  #follow({ number, words }: Piece, next: number): void {
    this.#taken[number] = words;
    this.#follows[number] = next * pieceWords;
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
    this.#find(reference);
    const other = this.#foundIn;
    const here = this.#free + 1;
    const there = this.#foundAt + 1;
    for (let unit = 0; unit < this.#units; unit++) if (own[here + unit] !== other[there + unit]) return false;
    return true;
  }

  #hashOf(reference: number): number {
    const units = this.#unitsOf(reference);
    return hashFrom(this.#foundIn, this.#foundAt + 1, units);
  }

  /** Words that a state takes as it is written. */
  #unitsOf(reference: number): number {
    this.#find(reference);
    const bytes = this.#foundBytes;
    const from = 4 * (this.#foundAt + 1);
    let [count, place] = wordAt(bytes, from);
    for (; count > 0; place++) if (bytes[place]! < 0x80) count--;
    return (place - from + 3) >>> 2;
  }

  /** Finds the words of a state. */
  #find(reference: number): void {
    const piece = reference >>> pieceShift;
    const place = reference & inPiece;
    const words = this.#words[piece];
    if (words !== undefined) {
      this.#foundIn = words;
      this.#foundBytes = this.#bytes[piece]!;
      this.#foundAt = place;
      return;
    }
    const from = this.#streamAt[piece];
    if (from !== undefined) {
      const reader = this.#reader!;
      this.#foundAt = reader.find(from + place, this.#longest + 1);
      this.#foundIn = reader.words;
      this.#foundBytes = reader.bytes;
      return;
    }
    this.#open(piece);
    this.#find(reference);
  }

  #open(piece: number): void {
    const buffer = this.#memory.piece(piece);
    this.#words[piece] = new Uint32Array(buffer);
    this.#bytes[piece] = new Uint8Array(buffer);
  }

  /** The pieces of this thread, each with the words that are taken. */
  get #inOrder(): readonly Piece[] {
    const last = this.#pieces.at(-1);
    if (last) last.words = this.#free;
    return this.#pieces;
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
