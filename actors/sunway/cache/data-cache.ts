import { invariant } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { ByteMemory } from '../../common/byte-memory.ts';

/** Bytes of a line (Sunway specification 6.9). */
export const lineBytes = 64;
/** Lines that addresses of one set share. */
export const cacheWays = 4;

/** A line that goes back to main memory. */
export interface WriteBack {
  /** First byte in main memory, a multiple of the line. */
  readonly address: number;
  readonly data: Uint8Array;
}

/** What a walk over the cache finds. */
export interface Walk {
  /** Lines that were valid and have left the cache. */
  readonly dropped: number;
  /** Those of them that were dirty, in order of the walk. */
  readonly dirty: readonly WriteBack[];
}

const noLine = -1;

/** The first byte of the line that an address lies in. */
export const lineOf = (address: number): number => Math.floor(address / lineBytes) * lineBytes;

/**
 * The state of a data cache: 4 ways, least recently used leaves first, write-back, write-allocate (Sunway specification 6.9).
 *
 * Details: addresses are those of main memory. It moves nothing itself: who uses it fetches a line, gives it with `fill`, and writes back
 * what `fill`, `evict` and `flush` return. Nothing keeps it coherent with anything.
 */
export class DataCache implements Resource {
  readonly sets: number;
  readonly #tags: Float64Array;
  readonly #dirty: Uint8Array;
  /** Ways of each set, most recently used first. */
  readonly #order: Uint8Array;
  readonly #data: ByteMemory;

  constructor(
    /** Bytes of all lines: a multiple of a set. */
    readonly bytes: number,
    from?: { tags: Float64Array; dirty: Uint8Array; order: Uint8Array; data: ByteMemory },
  ) {
    this.sets = bytes / (lineBytes * cacheWays);
    invariant(Number.isSafeInteger(this.sets) && this.sets >= 1, 'a cache has whole sets');
    const lines = this.sets * cacheWays;
    this.#tags = from?.tags ?? new Float64Array(lines).fill(noLine);
    this.#dirty = from?.dirty ?? new Uint8Array(lines);
    this.#order = from?.order ?? Uint8Array.from({ length: lines }, (_, line) => line % cacheWays);
    this.#data = from?.data ?? new ByteMemory(bytes);
  }

  /** True when the line of an address is there. Changes nothing. */
  holds(address: number): boolean {
    return this.#find(lineOf(address)) >= 0;
  }

  /** Reads bytes of one line that is there, which becomes the most recently used of its set. */
  read(address: number, count: number): Uint8Array {
    const at = this.#use(address, count);
    return this.#data.slice(at, at + count);
  }

  /** Writes bytes of one line that is there: it becomes dirty and the most recently used of its set. */
  write(address: number, data: Uint8Array): void {
    const at = this.#use(address, data.length);
    this.#dirty[Math.floor(at / lineBytes)] = 1;
    this.#data.put(at, data);
  }

  /** What has to be written back before the line of an address, which is not there, can be filled. Changes nothing. */
  victim(address: number): WriteBack | undefined {
    const line = this.#victimLine(lineOf(address));
    return this.#dirty[line] === 1 ? this.#writeBack(line) : undefined;
  }

  /** The line that makes place for the line of an address, which is not there; undefined when a place is empty. Changes nothing. */
  replaced(address: number): number | undefined {
    const tag = this.#tags[this.#victimLine(lineOf(address))]!;
    return tag === noLine ? undefined : tag;
  }

  /** The lines that have a byte from `first` to `last`, both included. Changes nothing. */
  addresses(first: number, last: number): readonly number[] {
    return [...this.#tags].filter((tag) => tag !== noLine && tag <= last && tag + lineBytes > first);
  }

  /** Puts a line where the least recently used of its set was, which is returned if it was dirty. */
  fill(address: number, data: Uint8Array): WriteBack | undefined {
    invariant(address === lineOf(address) && data.length === lineBytes, 'a fill is one whole line');
    invariant(!this.holds(address), 'a line is filled that is not there');
    const line = this.#victimLine(address);
    const back = this.#dirty[line] === 1 ? this.#writeBack(line) : undefined;
    this.#tags[line] = address;
    this.#dirty[line] = 0;
    this.#data.put(line * lineBytes, data);
    this.#touch(line);
    return back;
  }

  /** Lets go of the lines that have a byte from `first` to `last`, both included (`scache_evict`). */
  evict(first: number, last: number): Walk {
    return this.#walk((address) => address <= last && address + lineBytes > first);
  }

  /** Lets go of all lines (`scache_flush_all`). */
  flush(): Walk {
    return this.#walk(() => true);
  }

  fork(): DataCache {
    return new DataCache(this.bytes, {
      tags: this.#tags.slice(),
      dirty: this.#dirty.slice(),
      order: this.#order.slice(),
      data: this.#data.fork(),
    });
  }

  hash(into: Hasher): void {
    into.numbers(this.#tags);
    into.numbers(this.#dirty);
    into.numbers(this.#order);
    this.#data.hash(into);
  }

  #walk(leaves: (address: number) => boolean): Walk {
    const dirty: WriteBack[] = [];
    let dropped = 0;
    for (let line = 0; line < this.#tags.length; line++) {
      const tag = this.#tags[line]!;
      if (tag === noLine || !leaves(tag)) continue;
      dropped++;
      if (this.#dirty[line] === 1) dirty.push(this.#writeBack(line));
      this.#tags[line] = noLine;
      this.#dirty[line] = 0;
    }
    return { dropped, dirty };
  }

  #use(address: number, count: number): number {
    const line = this.#find(lineOf(address));
    invariant(line >= 0, 'a line is used that is there');
    invariant(count >= 1 && lineOf(address + count - 1) === lineOf(address), 'an access lies in one line');
    this.#touch(line);
    return line * lineBytes + (address % lineBytes);
  }

  #find(address: number): number {
    const first = this.#firstOfSet(address);
    for (let line = first; line < first + cacheWays; line++) if (this.#tags[line] === address) return line;
    return -1;
  }

  /** An empty line of the set, the lowest, or else the least recently used one. */
  #victimLine(address: number): number {
    const first = this.#firstOfSet(address);
    for (let line = first; line < first + cacheWays; line++) if (this.#tags[line] === noLine) return line;
    return first + this.#order[first + cacheWays - 1]!;
  }

  #firstOfSet(address: number): number {
    return (Math.floor(address / lineBytes) % this.sets) * cacheWays;
  }

  #touch(line: number): void {
    const first = line - (line % cacheWays);
    const way = line - first;
    let place = 0;
    while (this.#order[first + place] !== way) place++;
    this.#order.copyWithin(first + 1, first, first + place);
    this.#order[first] = way;
  }

  #writeBack(line: number): WriteBack {
    return {
      address: this.#tags[line]!,
      data: this.#data.slice(line * lineBytes, (line + 1) * lineBytes),
    };
  }
}
