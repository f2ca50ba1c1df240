const pageBytes = 4096;

/**
 * A set of byte addresses, which are whole numbers below 2^53, on pages of marks: for properties that follow every byte of large moves.
 *
 * Details: a byte of a page costs a byte, and pages that nothing lies in cost nothing.
 */
export class AddressSet {
  readonly #pages = new Map<number, { readonly marks: Uint8Array; count: number }>();
  #size = 0;

  /** How many addresses are in it. */
  get size(): number {
    return this.#size;
  }

  /** Puts addresses in a row into it. */
  add(first: number, count: number): void {
    this.#mark(first, count, 1);
  }

  /** Takes addresses in a row out of it, those that are there. */
  delete(first: number, count: number): void {
    if (this.#size > 0) this.#mark(first, count, 0);
  }

  /** The lowest address; undefined when there is none. */
  get lowest(): number | undefined {
    if (this.#size === 0) return undefined;
    const page = Math.min(...this.#pages.keys());
    return page * pageBytes + this.#pages.get(page)!.marks.indexOf(1);
  }

  #mark(first: number, count: number, mark: 0 | 1): void {
    for (let done = 0; done < count; ) {
      const address = first + done;
      const number = Math.floor(address / pageBytes);
      const at = address - number * pageBytes;
      const here = Math.min(count - done, pageBytes - at);
      done += here;
      let page = this.#pages.get(number);
      if (page === undefined) {
        if (mark === 0) continue;
        page = { marks: new Uint8Array(pageBytes), count: 0 };
        this.#pages.set(number, page);
      }
      let changed = 0;
      for (let k = at; k < at + here; k++)
        if (page.marks[k] !== mark) {
          page.marks[k] = mark;
          changed++;
        }
      page.count += mark === 1 ? changed : -changed;
      this.#size += mark === 1 ? changed : -changed;
      if (page.count === 0) this.#pages.delete(number);
    }
  }
}
