/**
 * Words that are kept outside memory, on a disk say, in streams that only grow.
 *
 * Details: numbers of words, 32 bits each, from 0. Errors: what the medium throws.
 */
export interface WordStore {
  /** Adds words to the end of a stream. */
  append(stream: string, words: Uint32Array): void;
  /** Reads the words of a stream from a place on; what is behind its end stays as it is. */
  read(stream: string, from: number, into: Uint32Array): void;
  /** Forgets all streams. */
  clear(): void;
}

/** Words of a block, in which a stream is read. */
const blockShift = 10;
const blockWords = 1 << blockShift;
const blocksMax = 1 << 11;

/** Reads short runs of words anywhere in a stream, and keeps the blocks in which they lie: 8 MiB of those read last, as a rule. */
export class BlockReader {
  /** Where the words are that were found last, as words and as bytes. */
  words: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  bytes: Uint8Array = new Uint8Array(0);
  readonly #store: WordStore;
  readonly #stream: string;
  /** Words that a run may have beyond the end of the block in which it begins. */
  #overlap = 0;
  /** By place in the cache: the number of the block, -1 for none, and its words. */
  readonly #numbers = new Int32Array(blocksMax).fill(-1);
  readonly #blocks: Uint32Array<ArrayBuffer>[] = [];

  constructor(store: WordStore, stream: string) {
    this.#store = store;
    this.#stream = stream;
  }

  /** Finds the words from a place of the stream on, `longest` or fewer. Returns the place of the first in `words`. */
  find(from: number, longest: number): number {
    if (longest > this.#overlap) {
      this.#overlap = 2 * longest;
      this.#blocks.length = 0;
      this.forget();
    }
    const number = Math.floor(from / blockWords);
    const place = number & (blocksMax - 1);
    this.#blocks[place] ??= new Uint32Array(blockWords + this.#overlap);
    const block = this.#blocks[place];
    if (this.#numbers[place] !== number) {
      this.#store.read(this.#stream, number * blockWords, block);
      this.#numbers[place] = number;
    }
    if (block !== this.words) {
      this.words = block;
      this.bytes = new Uint8Array(block.buffer);
    }
    return from - number * blockWords;
  }

  /** Forgets all blocks: the stream has grown, so that the last ones are not whole. */
  forget(): void {
    this.#numbers.fill(-1);
  }
}
