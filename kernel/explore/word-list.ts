const chunkShift = 16;
const inChunk = (1 << chunkShift) - 1;

/** A list of 32-bit words that grows without being copied. */
export class WordList {
  length = 0;
  readonly #chunks: Uint32Array[] = [];

  /** Forgets all words. */
  clear(): void {
    this.length = 0;
  }

  push(word: number): void {
    if (this.length >>> chunkShift === this.#chunks.length)
      this.#chunks.push(new Uint32Array(1 << chunkShift));
    this.#chunks[this.length >>> chunkShift]![this.length & inChunk] = word;
    this.length++;
  }

  /** Changes the word at an index below `length`. */
  set(index: number, word: number): void {
    this.#chunks[index >>> chunkShift]![index & inChunk] = word;
  }

  /** The word at an index below `length`. */
  at(index: number): number {
    return this.#chunks[index >>> chunkShift]![index & inChunk]!;
  }
}
