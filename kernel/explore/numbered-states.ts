import { OwnMemory } from './shared-memory.ts';
import type { MayCome } from './state-index.ts';
import { type StateForm, StateTable, type StoredTable } from './state-table.ts';
import { WordList } from './word-list.ts';
import type { WordStore } from './word-store.ts';

/** Every so many states the reference of one is kept. */
const markShift = 4;
const markEvery = 1 << markShift;
const growEvery = 256;

/** The states of one thread, numbered from 0 in the order in which they were found; beside each is the reference of the state before it, 0 before the first tick. */
export class NumberedStates {
  readonly #memory = new OwnMemory();
  readonly #table: StateTable;
  /** By number, of one state in `markEvery`: its reference. References ascend. */
  readonly #marks = new WordList();

  constructor(form: StateForm) {
    this.#table = new StateTable(this.#memory, form);
  }

  get size(): number {
    return this.#table.size;
  }

  /** True when there is room for few more. */
  get isFull(): boolean {
    return this.#table.isFull;
  }

  /** Adds a state that comes after another one. Returns what `StateTable.add` does. */
  add(words: Uint32Array, at: number, length: number, before: number, mayCome?: MayCome): number {
    const table = this.#table;
    const added = table.add(words, at, length, before, mayCome);
    if (added <= 0) return added;
    if ((table.size - 1) % markEvery === 0) this.#marks.push(added);
    if (table.size % growEvery === 0) table.growAlone(growEvery);
    return added;
  }

  /** Bytes of memory that they take now, with all that finds them. */
  get bytes(): number {
    const { states, index } = this.#table.bytes;
    return states + index + 4 * this.#marks.length;
  }

  /** As `StateTable.storeIn`. */
  storeIn(store: WordStore, words: number): StoredTable {
    return this.#table.storeIn(store, words);
  }

  /** As `StateTable.moveOut`. */
  moveOut(store: WordStore): number {
    return this.#table.moveOut(store);
  }

  /** As `StateTable.restore`. */
  restore(store: WordStore, stored: StoredTable, bytesMax: number): void {
    this.#table.restore(store, stored, (number, bytes) => this.#memory.takeAt(number, bytes), bytesMax);
    let number = 0;
    for (const reference of this.#table.references())
      if (number++ % markEvery === 0) this.#marks.push(reference);
  }

  /** Copies the words of a state to a place with enough room. Returns how many there are. */
  read(reference: number, into: Uint32Array, at: number): number {
    return this.#table.read(reference, into, at);
  }

  /** How many words a state has. */
  lengthOf(reference: number): number {
    return this.#table.lengthOf(reference);
  }

  /** The state before one, 0 for none. */
  before(reference: number): number {
    return this.#table.besideOf(reference);
  }

  /** The state that was found after one. */
  after(reference: number): number {
    return this.#table.after(reference);
  }

  /** The reference of the state with a number. */
  referenceOf(number: number): number {
    let reference = this.#marks.at(number >>> markShift);
    for (let left = number % markEvery; left > 0; left--) reference = this.#table.after(reference);
    return reference;
  }

  /** The number of the state with a reference. */
  numberOf(reference: number): number {
    let [low, high] = [0, this.#marks.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#marks.at(middle) <= reference) low = middle;
      else high = middle;
    }
    let number = low << markShift;
    for (let here = this.#marks.at(low); here !== reference; here = this.#table.after(here)) number++;
    return number;
  }

  /** Bytes that the states take with all that finds them, and those that they would take as 32-bit words: what keeping words short saves. */
  get memory(): { readonly bytes: number; readonly unpacked: number } {
    const { states, index } = this.#table.bytes;
    const besides = index + 4 * this.#marks.length;
    let words = 0;
    for (const reference of this.#table.references()) words += 2 + this.lengthOf(reference);
    return { bytes: besides + states, unpacked: besides + 4 * words };
  }
}
