const pageBytes = 4096;

/** What has been written to byte addresses, which are whole numbers below 2^53; the rest is 0. Pages that nobody wrote cost nothing. */
export class WrittenBytes {
  readonly #pages = new Map<number, Uint8Array>();

  write(address: number, data: Uint8Array): void {
    for (let done = 0; done < data.length; ) {
      const [number, at] = placeOf(address + done);
      const here = Math.min(data.length - done, pageBytes - at);
      let page = this.#pages.get(number);
      if (page === undefined) {
        page = new Uint8Array(pageBytes);
        this.#pages.set(number, page);
      }
      page.set(data.subarray(done, done + here), at);
      done += here;
    }
  }

  read(address: number, count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count; ) {
      const [number, at] = placeOf(address + done);
      const here = Math.min(count - done, pageBytes - at);
      const page = this.#pages.get(number);
      if (page !== undefined) bytes.set(page.subarray(at, at + here), done);
      done += here;
    }
    return bytes;
  }
}

/** The page of an address, and where it lies there. */
function placeOf(address: number): readonly [number, number] {
  const number = Math.floor(address / pageBytes);
  return [number, address - number * pageBytes];
}
