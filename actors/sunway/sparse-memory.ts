import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';
import { ByteMemory, pageBytes } from '../common/byte-memory.ts';

/**
 * Byte memory of which most is never touched: a fingerprint looks at written pages only.
 *
 * Details: a node has hundreds of scratchpads and large main memories; a page of zeros and a page that nobody wrote are the same memory.
 */
export class SparseMemory implements Resource {
  readonly #bytes: ByteMemory;
  /** 1 for pages that somebody wrote. */
  readonly #touched: Uint8Array;

  constructor(
    /** Bytes, at least 1. */
    readonly size: number,
    copied?: { readonly bytes: ByteMemory; readonly touched: Uint8Array },
  ) {
    this.#bytes = copied?.bytes ?? new ByteMemory(size);
    this.#touched = copied?.touched ?? new Uint8Array(Math.ceil(size / pageBytes));
  }

  /** A signed 32-bit word, lowest byte first. */
  word(address: number): number {
    const bytes = this.#bytes;
    return (
      bytes.read(address) |
      (bytes.read(address + 1) << 8) |
      (bytes.read(address + 2) << 16) |
      (bytes.read(address + 3) << 24)
    );
  }

  /** Writes a 32-bit word. */
  setWord(address: number, value: number): void {
    this.#touch(address, 4);
    for (let k = 0; k < 4; k++) this.#bytes.write(address + k, (value >> (8 * k)) & 0xff);
  }

  /** A copy of a range. */
  slice(first: number, end: number): Uint8Array {
    return this.#bytes.slice(first, end);
  }

  /** Writes bytes from an address on. All of them must be in range. */
  put(address: number, bytes: Uint8Array): void {
    this.#touch(address, bytes.length);
    this.#bytes.put(address, bytes);
  }

  fork(): SparseMemory {
    return new SparseMemory(this.size, { bytes: this.#bytes.fork(), touched: this.#touched.slice() });
  }

  hash(into: Hasher): void {
    into.number(this.size);
    for (let page = 0; page < this.#touched.length; page++) {
      if (this.#touched[page] === 0) continue;
      const bytes = this.#bytes.slice(page * pageBytes, Math.min(this.size, (page + 1) * pageBytes));
      const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
      if (words.every((word) => word === 0)) continue;
      into.number(page);
      for (const word of words) into.word(word);
    }
  }

  #touch(address: number, bytes: number): void {
    const last = Math.floor((address + bytes - 1) / pageBytes);
    for (let page = Math.floor(address / pageBytes); page <= last; page++) this.#touched[page] = 1;
  }
}
