import { invariant } from '../../../kernel/errors.ts';

/** Tables of one part side by side in memory: a network of thousands of routers waits for memory more than for anything else. */
export class TableBlock {
  readonly #cells: Int32Array;
  #used = 0;

  constructor(room: number) {
    this.#cells = new Int32Array(room);
  }

  /** The next `length` cells as a table of zeros. */
  table(length: number): Int32Array {
    const from = this.#used;
    this.#used += length;
    invariant(this.#used <= this.#cells.length, 'the block has room for its tables');
    return this.#cells.subarray(from, this.#used);
  }
}
