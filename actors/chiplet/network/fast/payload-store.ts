import { invariant } from '../../../../kernel/errors.ts';
import type { Hasher } from '../../../../kernel/hash.ts';
import type { Resource } from '../../../../kernel/resource.ts';
import { changeBetween } from '../change.ts';
import { isHead, numberOf } from '../flit.ts';

/** Flits of a page, as a power of two. */
const pageBits = 10;
const pageFlits = 1 << pageBits;

/** Where in the record of a flit what stands: its packet, what it changes after the flit before it in its packet, its words from low half to high half. */
const packetAt = 0;
export const changeAt = 1;
export const wordsAt = 2;

/**
 * The words of all flits under way, by the number of the flit.
 *
 * Details: a flit's words are written when it is injected and never change. A page goes when all its flits have left the network.
 */
export class PayloadStore implements Resource {
  /** Numbers of a record. */
  readonly stride: number;
  #pages: (Int32Array | undefined)[] = [];
  #left: number[] = [];
  /** Pages that a fork may read as well are copied before they are written. */
  #lent = new Set<number>();

  constructor(
    /** Words of 64 bits that a flit carries. */
    readonly words: number,
  ) {
    this.stride = wordsAt + 2 * words;
  }

  /** The page that a flit is on. */
  pageOf(flit: number): Int32Array {
    return this.#pages[flit >> (2 + pageBits)]!;
  }

  /** Where in its page the record of a flit begins. */
  offsetOf(flit: number): number {
    return ((flit >> 2) & (pageFlits - 1)) * this.stride;
  }

  /** The packet of a flit. */
  packetOf(flit: number): number {
    return this.pageOf(flit)[this.offsetOf(flit) + packetAt]!;
  }

  /** Writes the record of a flit: word `i` has its halves in `halves[2 * i]` and `halves[2 * i + 1]`, lower half first. */
  write(flit: number, packet: number, halves: Int32Array): void {
    const number = numberOf(flit) >> pageBits;
    let page = this.#pages[number];
    if (page === undefined || this.#lent.has(number)) {
      page = page === undefined ? new Int32Array(pageFlits * this.stride) : page.slice();
      this.#pages[number] = page;
      this.#left[number] ??= 0;
      this.#lent.delete(number);
    }
    const at = this.offsetOf(flit);
    page[at + packetAt] = packet;
    page.set(halves, at + wordsAt);
    if (isHead(flit)) return;
    const before = flit - 4;
    const [beforePage, beforeAt] = [this.pageOf(before), this.offsetOf(before)];
    let change = 0;
    for (let i = 0; i < 2 * this.words; i++)
      change += changeBetween(page[at + wordsAt + i]!, beforePage[beforeAt + wordsAt + i]!);
    page[at + changeAt] = change;
  }

  /** Takes note that all flits of a packet have left: the first one has this number. */
  release(first: number, size: number): void {
    let flit = first;
    while (flit < first + size) {
      const number = flit >> pageBits;
      const end = Math.min(first + size, (number + 1) << pageBits);
      const left = this.#left[number]! + end - flit;
      invariant(left <= pageFlits, 'no flit leaves the network twice');
      this.#left[number] = left;
      if (left === pageFlits) this.#pages[number] = undefined;
      flit = end;
    }
  }

  fork(): PayloadStore {
    const fork = new PayloadStore(this.words);
    fork.#pages = [...this.#pages];
    fork.#left = [...this.#left];
    for (const number of this.#pages.keys()) {
      this.#lent.add(number);
      fork.#lent.add(number);
    }
    return fork;
  }

  hash(into: Hasher): void {
    for (const [number, page] of this.#pages.entries()) {
      if (page === undefined) continue;
      into.number(number);
      into.numbers(page);
    }
  }
}
