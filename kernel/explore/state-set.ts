import { invariant } from '../errors.ts';

const chunkShift = 18;
const chunkWords = 1 << chunkShift;
const inChunk = chunkWords - 1;
const offsetsShift = 14;
const inOffsets = (1 << offsetsShift) - 1;
const firstSlots = 64;
/** Share of the slots that may be taken, in eighths. */
const loadEighths = 5;

/**
 * A set of states, each a short list of 32-bit words, numbered from 0 in the order in which they were added.
 *
 * Details: membership is exact: hashes only say where to look, and the words are compared. A state costs its words, 8 bytes and, in the index, 13 to 26
 * bytes more. The words lie in chunks of 1 MiB, since one buffer has an upper limit, 16 GiB in all; a state has fewer words than a chunk.
 */
export class StateSet {
  /** How many states there are. */
  size = 0;
  readonly #chunks: Uint32Array[] = [];
  /** First free word of the newest chunk. */
  #free = chunkWords;
  /** Where the length and the words of each state begin, counted over all chunks. */
  readonly #offsets: Uint32Array[] = [];
  /** Pairs: hash, and number of the state plus 1, 0 in a free slot. */
  #slots = new Uint32Array(2 * firstSlots);
  #mask = firstSlots - 1;

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

  /** How many words a state has. */
  lengthOf(state: number): number {
    const offset = this.#offsetOf(state);
    return this.#chunks[offset >>> chunkShift]![offset & inChunk]!;
  }

  /** Copies the words of a state to a place with enough room. Returns how many there are. */
  read(state: number, into: Uint32Array, at: number): number {
    const offset = this.#offsetOf(state);
    const chunk = this.#chunks[offset >>> chunkShift]!;
    const first = offset & inChunk;
    const length = chunk[first]!;
    for (let i = 1; i <= length; i++) into[at++] = chunk[first + i]!;
    return length;
  }

  /** Forgets all states and keeps the room. */
  clear(): void {
    if (this.size === 0) return;
    this.size = 0;
    this.#chunks.length = Math.min(1, this.#chunks.length);
    this.#offsets.length = Math.min(1, this.#offsets.length);
    this.#free = this.#chunks.length === 0 ? chunkWords : 0;
    this.#slots.fill(0);
  }

  #keep(words: Uint32Array, at: number, length: number): void {
    if (this.#free + length + 1 > chunkWords) {
      invariant(length < chunkWords, `a state has ${length} words`);
      invariant(this.#chunks.length < 1 << (32 - chunkShift), 'the states have more than 16 GiB');
      this.#chunks.push(new Uint32Array(chunkWords));
      this.#free = 0;
    }
    const number = this.size;
    if (number >>> offsetsShift === this.#offsets.length)
      this.#offsets.push(new Uint32Array(1 << offsetsShift));
    const newest = this.#chunks.length - 1;
    this.#offsets[number >>> offsetsShift]![number & inOffsets] = newest * chunkWords + this.#free;
    const chunk = this.#chunks[newest]!;
    chunk[this.#free++] = length;
    for (let i = 0; i < length; i++) chunk[this.#free++] = words[at + i]!;
  }

  #offsetOf(state: number): number {
    return this.#offsets[state >>> offsetsShift]![state & inOffsets]!;
  }

  #equals(state: number, words: Uint32Array, at: number, length: number): boolean {
    const offset = this.#offsetOf(state);
    const chunk = this.#chunks[offset >>> chunkShift]!;
    const first = offset & inChunk;
    if (chunk[first] !== length) return false;
    for (let i = 0; i < length; i++) if (chunk[first + 1 + i] !== words[at + i]) return false;
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
