import { invariant } from '../errors.ts';

const chunkShift = 20;
const chunkBytes = 1 << chunkShift;
const inChunk = chunkBytes - 1;
/** States begin at multiples of so many bytes, so that 32 bits tell places in 16 GiB. */
const alignShift = 2;
const alignBytes = 1 << alignShift;
const offsetsShift = 14;
const inOffsets = (1 << offsetsShift) - 1;
const firstSlots = 64;
/** Share of the slots that may be taken, in eighths. */
const loadEighths = 5;

/**
 * A set of states, each a short list of 32-bit words, numbered from 0 in the order in which they were added.
 *
 * Details: membership is exact: hashes only say where to look, and the words are compared. Words are small numbers as a rule, so each is kept
 * in as few bytes as it needs: 7 bits a byte, the lowest first, and the eighth bit says that another byte follows. A state costs its words and their number written so, up to 3 bytes to the
 * next place at which one can begin, 4 bytes and, in the index, 13 to 26 bytes more. They lie in chunks of 1 MiB, since one buffer has an upper limit, 16 GiB in all; a state is smaller than a chunk.
 */
export class StateSet {
  /** How many states there are. */
  size = 0;
  readonly #chunks: Uint8Array[] = [];
  /** First free byte of the newest chunk. */
  #free = chunkBytes;
  /** Where the length and the words of each state begin, counted over all chunks in `alignBytes`. */
  readonly #offsets: Uint32Array[] = [];
  /** Pairs: hash, and number of the state plus 1, 0 in a free slot. */
  #slots = new Uint32Array(2 * firstSlots);
  #mask = firstSlots - 1;
  /** Where words are read: the chunk, and the place in it. */
  #chunk: Uint8Array = new Uint8Array(0);
  #place = 0;

  /** Adds `length` words from `at` on, whose `hashOf` may be given. Returns the number of the state, or, of one that is there already, its number as `~number`. */
  add(words: Uint32Array, at: number, length: number, hash = hashOf(words, at, length)): number {
    if (this.size * 8 >= (this.#mask + 1) * loadEighths) this.#grow();
    const slots = this.#slots;
    let slot = hash & this.#mask;
    for (let taken = slots[2 * slot + 1]!; taken !== 0; taken = slots[2 * slot + 1]!) {
      if (slots[2 * slot] === hash && this.#equals(taken - 1, words, at, length)) return ~(taken - 1);
      slot = (slot + 1) & this.#mask;
    }
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = this.size + 1;
    this.#keep(words, at, length);
    return this.size++;
  }

  /** Bytes that it has filled, with its index, and those that its states would take as 32-bit words with their numbers and the same index: what keeping words short saves. */
  get memory(): { readonly bytes: number; readonly unpacked: number } {
    const besides = 4 * (this.#slots.length + (this.#offsets.length << offsetsShift));
    let words = this.size;
    for (let state = 0; state < this.size; state++) words += this.lengthOf(state);
    return {
      bytes: besides + chunkBytes * (this.#chunks.length - 1) + this.#free,
      unpacked: besides + 4 * words,
    };
  }

  /** How many words a state has. */
  lengthOf(state: number): number {
    this.#goTo(state);
    return this.#nextWord();
  }

  /** Copies the words of a state to a place with enough room. Returns how many there are. */
  read(state: number, into: Uint32Array, at: number): number {
    this.#goTo(state);
    const length = this.#nextWord();
    const chunk = this.#chunk;
    for (const end = at + length; at < end; at++) {
      const byte = chunk[this.#place]!;
      if (byte < 0x80) {
        into[at] = byte;
        this.#place++;
      } else into[at] = this.#nextWord();
    }
    return length;
  }

  /** Forgets all states and keeps the room. */
  clear(): void {
    if (this.size === 0) return;
    this.size = 0;
    this.#chunks.length = Math.min(1, this.#chunks.length);
    this.#offsets.length = Math.min(1, this.#offsets.length);
    this.#free = this.#chunks.length === 0 ? chunkBytes : 0;
    this.#slots.fill(0);
  }

  #keep(words: Uint32Array, at: number, length: number): void {
    const bytes = sizeOf(words, at, length);
    if (this.#free + bytes > chunkBytes) {
      invariant(bytes <= chunkBytes, `a state has ${length} words`);
      invariant(
        this.#chunks.length < 1 << (32 + alignShift - chunkShift),
        'the states have more than 16 GiB',
      );
      this.#chunks.push(new Uint8Array(chunkBytes));
      this.#free = 0;
    }
    const number = this.size;
    if (number >>> offsetsShift === this.#offsets.length)
      this.#offsets.push(new Uint32Array(1 << offsetsShift));
    const newest = this.#chunks.length - 1;
    this.#offsets[number >>> offsetsShift]![number & inOffsets] =
      (newest * chunkBytes + this.#free) / alignBytes;
    const chunk = this.#chunks[newest]!;
    let to = writeWord(chunk, this.#free, length);
    for (let i = at; i < at + length; i++) {
      const word = words[i]!;
      if (word < 0x80) chunk[to++] = word;
      else to = writeWord(chunk, to, word);
    }
    this.#free = (to + alignBytes - 1) & -alignBytes;
  }

  /** Goes to the length of a state. */
  #goTo(state: number): void {
    const offset = this.#offsets[state >>> offsetsShift]![state & inOffsets]!;
    this.#chunk = this.#chunks[offset >>> (chunkShift - alignShift)]!;
    this.#place = (offset << alignShift) & inChunk;
  }

  /** Reads the word at the place in question and goes behind it. */
  #nextWord(): number {
    const chunk = this.#chunk;
    let byte = chunk[this.#place++]!;
    let word = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = chunk[this.#place++]!;
      word |= (byte & 0x7f) << shift;
    }
    return word >>> 0;
  }

  #equals(state: number, words: Uint32Array, at: number, length: number): boolean {
    this.#goTo(state);
    if (this.#nextWord() !== length) return false;
    const chunk = this.#chunk;
    let place = this.#place;
    for (let i = at; i < at + length; i++) {
      let rest = words[i]!;
      // A word has one spelling, so what is kept is compared as it would be written.
      for (; rest >= 0x80; rest >>>= 7) if (chunk[place++] !== ((rest & 0x7f) | 0x80)) return false;
      if (chunk[place++] !== rest) return false;
    }
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    const mask = 2 * (this.#mask + 1) - 1;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue;
      let slot = old[i]! & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = old[i]!;
      slots[2 * slot + 1] = old[i + 1]!;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/** Bytes of a state with its length. */
function sizeOf(words: Uint32Array, at: number, length: number): number {
  let bytes = length + 1;
  for (let rest = length; rest >= 0x80; rest >>>= 7) bytes++;
  for (let i = at; i < at + length; i++) for (let rest = words[i]!; rest >= 0x80; rest >>>= 7) bytes++;
  return bytes;
}

/** Writes a word. Returns the place behind it. */
function writeWord(chunk: Uint8Array, to: number, word: number): number {
  let rest = word;
  for (; rest >= 0x80; rest >>>= 7) chunk[to++] = (rest & 0x7f) | 0x80;
  chunk[to++] = rest;
  return to;
}

/** A hash of `length` words from `at` on: 32 bits, of which all depend on all words. */
export function hashOf(words: Uint32Array, at: number, length: number): number {
  let hash = length;
  for (let i = at; i < at + length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
