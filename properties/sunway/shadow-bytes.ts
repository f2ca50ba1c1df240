import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';

const pageBytes = 1024;

interface Page {
  readonly bytes: Uint8Array;
  /** Whether another memory has it as well: then it is copied before it changes. */
  isShared: boolean;
}

/** A memory as messages tell it: zeros, and what was written. Pages are made when something is written there. */
export class ShadowBytes implements Resource {
  readonly #pages: Map<number, Page>;

  constructor(pages: ReadonlyMap<number, Page> = new Map()) {
    this.#pages = new Map(pages);
  }

  fork(): ShadowBytes {
    for (const page of this.#pages.values()) page.isShared = true;
    return new ShadowBytes(this.#pages);
  }

  hash(into: Hasher): void {
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b)) {
      into.number(number);
      into.numbers(this.#pages.get(number)!.bytes);
    }
  }

  /** A copy of `bytes` bytes from an address on. */
  slice(address: number, bytes: number): Uint8Array {
    const copy = new Uint8Array(bytes);
    for (let done = 0; done < bytes; ) {
      const first = (address + done) % pageBytes;
      const count = Math.min(bytes - done, pageBytes - first);
      const page = this.#pages.get(Math.floor((address + done) / pageBytes));
      if (page) copy.set(page.bytes.subarray(first, first + count), done);
      done += count;
    }
    return copy;
  }

  put(address: number, data: Uint8Array): void {
    for (let done = 0; done < data.length; ) {
      const first = (address + done) % pageBytes;
      const count = Math.min(data.length - done, pageBytes - first);
      this.#page(address + done).set(data.subarray(done, done + count), first);
      done += count;
    }
  }

  /** A word of 32 bits with sign. */
  word(address: number): number {
    return new DataView(this.slice(address, 4).buffer).getInt32(0, true);
  }

  /** Adds 1 to a word of 32 bits with sign. */
  increment(address: number): void {
    const word = new DataView(new ArrayBuffer(4));
    word.setInt32(0, this.word(address) + 1, true);
    this.put(address, new Uint8Array(word.buffer));
  }

  /** The page of an address, to be changed. */
  #page(address: number): Uint8Array {
    const number = Math.floor(address / pageBytes);
    const known = this.#pages.get(number);
    if (known && !known.isShared) return known.bytes;
    const bytes = known ? known.bytes.slice() : new Uint8Array(pageBytes);
    this.#pages.set(number, { bytes, isShared: false });
    return bytes;
  }
}

/** The place of the first byte that differs, -1 for none; of arrays of one length. */
export const firstDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.findIndex((byte, k) => byte !== b[k]);
