import { hashFrom } from './state-table.ts';

const firstSlots = 64;
/** Share of the slots that may be taken, in eighths. */
const loadEighths = 5;

/**
 * A set of states, each a short list of 32-bit words, numbered from 0 in the order in which they were added: for sets that come and go, as those inside a tick. `StateTable` keeps many in less room.
 *
 * Details: membership is exact: hashes only say where to look, and the words are compared.
 */
export class StateSet {
  /** How many states there are. */
  size = 0;
  #words = new Uint32Array(1 << 8);
  /** By state: where its words begin; and where those of the next one will. */
  #starts = new Uint32Array(1 + firstSlots);
  /** Pairs: hash, and number of the state plus 1, 0 in a free slot. */
  #slots = new Uint32Array(2 * firstSlots);
  /** By state: its slot. */
  #slotOf = new Uint32Array(1 + firstSlots);
  #mask = firstSlots - 1;

  /** Adds `length` words from `at` on. Returns the number of the state, or, of one that is there already, its number as `~number`. */
  add(words: Uint32Array, at: number, length: number): number {
    const hash = hashFrom(words, at, length);
    if (this.size * 8 >= (this.#mask + 1) * loadEighths) this.#grow();
    const slots = this.#slots;
    let slot = hash & this.#mask;
    for (let taken = slots[2 * slot + 1]!; taken !== 0; taken = slots[2 * slot + 1]!) {
      if (slots[2 * slot] === hash && this.#equals(taken - 1, words, at, length)) return ~(taken - 1);
      slot = (slot + 1) & this.#mask;
    }
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = this.size + 1;
    this.#slotOf[this.size] = slot;
    const start = this.#starts[this.size]!;
    if (start + length > this.#words.length) this.#words = longer(this.#words, start + length);
    const own = this.#words;
    for (let i = 0; i < length; i++) own[start + i] = words[at + i]!;
    this.#starts[++this.size] = start + length;
    return this.size - 1;
  }

  /** How many words all states have together. */
  get words(): number {
    return this.#starts[this.size]!;
  }

  /** Bytes that it takes. */
  get bytes(): number {
    const { byteLength } = this.#words;
    return byteLength + this.#starts.byteLength + this.#slots.byteLength + this.#slotOf.byteLength;
  }

  /** How many words a state has. */
  lengthOf(state: number): number {
    return this.#starts[state + 1]! - this.#starts[state]!;
  }

  /** Copies the words of a state to a place with enough room. Returns how many there are. */
  read(state: number, into: Uint32Array, at: number): number {
    const [start, end] = [this.#starts[state]!, this.#starts[state + 1]!];
    for (let i = start; i < end; i++) into[at + i - start] = this.#words[i]!;
    return end - start;
  }

  /** Forgets all states and keeps the room. */
  clear(): void {
    // Of few states in much room the slots are freed one by one.
    if (this.size * 8 < this.#mask)
      for (let state = 0; state < this.size; state++) this.#slots[2 * this.#slotOf[state]! + 1] = 0;
    else this.#slots.fill(0);
    this.size = 0;
  }

  #equals(state: number, words: Uint32Array, at: number, length: number): boolean {
    const start = this.#starts[state]!;
    if (this.#starts[state + 1]! - start !== length) return false;
    const own = this.#words;
    for (let i = 0; i < length; i++) if (own[start + i] !== words[at + i]) return false;
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    const mask = 2 * (this.#mask + 1) - 1;
    this.#slotOf = longer(this.#slotOf, mask + 2);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue;
      let slot = old[i]! & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = old[i]!;
      slots[2 * slot + 1] = old[i + 1]!;
      this.#slotOf[old[i + 1]! - 1] = slot;
    }
    this.#slots = slots;
    this.#mask = mask;
    this.#starts = longer(this.#starts, mask + 2);
  }
}

function longer(words: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(Math.max(length, 2 * words.length));
  copy.set(words);
  return copy;
}
