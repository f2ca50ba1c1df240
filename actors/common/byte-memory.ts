import { invariant } from '../../kernel/errors.ts';
import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';

const pageShift = 12;
/** Bytes of a page: what one first write after a snapshot copies. */
export const pageBytes = 1 << pageShift;

/** True where a page holds nothing but zeros. */
function isZero(words: Uint32Array): boolean {
  for (let at = 0; at < words.length; at++) if (words[at] !== 0) return false;
  return true;
}

/**
 * Byte memory on pages that are copied on the first write after a fork.
 *
 * Details: addresses are integers 0..size-1. A fork costs one pointer a page. A page nobody wrote and nobody filled is not allocated and
 * reads as 0.
 */
export class ByteMemory implements Resource {
  readonly #pages: (Uint8Array | undefined)[];
  /** 1 where the page belongs to this memory alone. */
  readonly #own: Uint8Array;

  constructor(
    /** Bytes, at least 1 and at most 2^32. */
    readonly size: number,
    pages?: readonly (Uint8Array | undefined)[],
  ) {
    invariant(Number.isSafeInteger(size) && size >= 1, `a memory has at least 1 byte, not ${size}`);
    invariant(size <= 2 ** 32, `a memory has at most 2^32 bytes, not ${size}`);
    const count = Math.ceil(size / pageBytes);
    this.#pages = pages ? [...pages] : new Array<Uint8Array | undefined>(count).fill(undefined);
    this.#own = new Uint8Array(count);
  }

  /** Reads a byte. The address must be in range. */
  read(address: number): number {
    const page = this.#pages[address >>> pageShift];
    return page === undefined ? 0 : page[address & (pageBytes - 1)]!;
  }

  /** Writes a byte (taken modulo 256). The address must be in range. */
  write(address: number, value: number): void {
    const index = address >>> pageShift;
    const page = this.#own[index] === 1 ? this.#pages[index]! : this.#claim(index);
    page[address & (pageBytes - 1)] = value;
  }

  /**
   * Copies `count` bytes from another memory (or this one), ascending, as if byte by byte: overlapping ranges of one memory propagate
   * forward.
   */
  copyFrom(source: ByteMemory, from: number, to: number, count: number): void {
    if (source === this && from < to && to < from + count) {
      for (let i = 0; i < count; i++) this.write(to + i, this.read(from + i));
      return;
    }
    for (let done = 0; done < count; ) {
      const target = to + done;
      const origin = from + done;
      const length = Math.min(
        count - done,
        pageBytes - (target & (pageBytes - 1)),
        pageBytes - (origin & (pageBytes - 1)),
      );
      const index = target >>> pageShift;
      const page = this.#own[index] === 1 ? this.#pages[index]! : this.#claim(index);
      const data = source.#pages[origin >>> pageShift];
      const at = target & (pageBytes - 1);
      const first = origin & (pageBytes - 1);
      if (data === undefined) page.fill(0, at, at + length);
      // A view costs more than copying a few bytes by hand.
      else if (length <= 64) for (let i = 0; i < length; i++) page[at + i] = data[first + i]!;
      else page.set(data.subarray(first, first + length), at);
      done += length;
    }
  }

  /** A signed 32-bit word, lowest byte first. */
  word(address: number): number {
    const at = address & (pageBytes - 1);
    if (at <= pageBytes - 4) {
      const page = this.#pages[address >>> pageShift];
      if (page === undefined) return 0;
      return page[at]! | (page[at + 1]! << 8) | (page[at + 2]! << 16) | (page[at + 3]! << 24);
    }
    return (
      this.read(address) |
      (this.read(address + 1) << 8) |
      (this.read(address + 2) << 16) |
      (this.read(address + 3) << 24)
    );
  }

  /** Writes a 32-bit word, lowest byte first. */
  setWord(address: number, value: number): void {
    for (let k = 0; k < 4; k++) this.write(address + k, (value >> (8 * k)) & 0xff);
  }

  /** Sets every byte from its address. */
  fill(byteAt: (address: number) => number): void {
    for (let index = 0; index < this.#pages.length; index++) {
      const page = this.#own[index] === 1 ? this.#pages[index]! : this.#claim(index);
      const first = index << pageShift;
      const count = Math.min(pageBytes, this.size - first);
      for (let at = 0; at < count; at++) page[at] = byteAt(first + at);
    }
  }

  /** A copy of a range as one array; bytes behind the end of the memory read as 0. */
  slice(first = 0, end = this.size): Uint8Array {
    const bytes = new Uint8Array(end - first);
    for (let address = first; address < end; ) {
      const next = Math.min(end, ((address | (pageBytes - 1)) >>> 0) + 1);
      const page = this.#pages[address >>> pageShift];
      const at = address & (pageBytes - 1);
      if (page !== undefined) {
        const length = next - address;
        const to = address - first;
        // A view costs more than copying a few bytes by hand.
        if (length <= 64) for (let i = 0; i < length; i++) bytes[to + i] = page[at + i]!;
        else bytes.set(page.subarray(at, at + length), to);
      }
      address = next;
    }
    return bytes;
  }

  /** Writes bytes from an address on. All of them must be in range. */
  put(address: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const index = (address + done) >>> pageShift;
      const at = (address + done) & (pageBytes - 1);
      const length = Math.min(bytes.length - done, pageBytes - at);
      const page = this.#own[index] === 1 ? this.#pages[index]! : this.#claim(index);
      // A view costs more than copying a few bytes by hand.
      if (length <= 64) for (let i = 0; i < length; i++) page[at + i] = bytes[done + i]!;
      else page.set(done === 0 && length === bytes.length ? bytes : bytes.subarray(done, done + length), at);
      done += length;
    }
  }

  fork(): ByteMemory {
    // From now on neither side owns a page: whoever writes first copies.
    this.#own.fill(0);
    return new ByteMemory(this.size, this.#pages);
  }

  /** Details: pages of zeros are left out, whether somebody wrote them or not, so that a large memory costs what was written. */
  hash(into: Hasher): void {
    into.number(this.size);
    for (let index = 0; index < this.#pages.length; index++) {
      const page = this.#pages[index];
      if (page === undefined) continue;
      const words = new Uint32Array(page.buffer);
      if (isZero(words)) continue;
      into.number(index);
      into.words(words);
    }
  }

  #claim(index: number): Uint8Array {
    const shared = this.#pages[index];
    const page = shared === undefined ? new Uint8Array(pageBytes) : shared.slice();
    this.#pages[index] = page;
    this.#own[index] = 1;
    return page;
  }
}
