const pageBytes = 4096;

/** A memory as messages tell it: zeros, and what was written. Pages are made when something is written there. */
export class ShadowBytes {
  readonly #pages = new Map<number, Uint8Array>();

  read(address: number): number {
    return this.#pages.get(Math.floor(address / pageBytes))?.[address % pageBytes] ?? 0;
  }

  write(address: number, value: number): void {
    this.#page(address)[address % pageBytes] = value;
  }

  /** A copy of `bytes` bytes from an address on. */
  slice(address: number, bytes: number): Uint8Array {
    const copy = new Uint8Array(bytes);
    for (let done = 0; done < bytes; ) {
      const first = (address + done) % pageBytes;
      const count = Math.min(bytes - done, pageBytes - first);
      const page = this.#pages.get(Math.floor((address + done) / pageBytes));
      if (page) copy.set(page.subarray(first, first + count), done);
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

  /** Adds 1 to a word of 32 bits with sign. */
  increment(address: number): void {
    const word = new DataView(this.slice(address, 4).buffer);
    word.setInt32(0, word.getInt32(0, true) + 1, true);
    this.put(address, new Uint8Array(word.buffer));
  }

  #page(address: number): Uint8Array {
    const number = Math.floor(address / pageBytes);
    const known = this.#pages.get(number);
    if (known) return known;
    const page = new Uint8Array(pageBytes);
    this.#pages.set(number, page);
    return page;
  }
}

/** The place of the first byte that differs, -1 for none; of arrays of one length. */
export const firstDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.findIndex((byte, k) => byte !== b[k]);
