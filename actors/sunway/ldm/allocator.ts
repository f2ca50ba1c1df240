import { invariant } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';

/** Bytes of a granule: blocks begin at multiples of it and are rounded up to it (Sunway specification 6.4). */
export const granuleBytes = 64;

/** A block that a program holds. */
export interface LiveBlock {
  readonly address: number;
  /** As asked for; what it takes is rounded up to granules. */
  readonly bytes: number;
}

/** A contiguous free area. */
export interface FreeArea {
  readonly address: number;
  /** A multiple of the granule. */
  readonly bytes: number;
}

/**
 * The allocator of private LDM: first fit by address, free neighbours are one area (Sunway specification 6.4).
 *
 * Details: the area is given in bytes, its ends are multiples of the granule. The null pointer is 0.
 */
export class LdmAllocator implements Resource {
  /** Live blocks in ascending order of address. */
  readonly #live: LiveBlock[];
  #used: number;
  #peak: number;

  constructor(
    readonly first: number,
    readonly end: number,
    state?: { readonly live: readonly LiveBlock[]; readonly used: number; readonly peak: number },
  ) {
    invariant(first > 0 && first % granuleBytes === 0, 'a heap begins at a granule, and not at null');
    invariant(end >= first && end % granuleBytes === 0, 'a heap ends at a granule');
    this.#live = state ? [...state.live] : [];
    this.#used = state?.used ?? 0;
    this.#peak = state?.peak ?? 0;
  }

  /** Blocks that are held, ascending. */
  get live(): readonly LiveBlock[] {
    return this.#live;
  }

  /** Bytes that are taken, whole granules. */
  get usedBytes(): number {
    return this.#used;
  }

  /** The most bytes that were ever taken at one time. */
  get peakBytes(): number {
    return this.#peak;
  }

  /** The largest free area, the lowest of equals; of no bytes at the end of the heap when all is taken. */
  largestFree(): FreeArea {
    let largest: FreeArea = { address: this.end, bytes: 0 };
    for (const area of this.#freeAreas()) if (area.bytes > largest.bytes) largest = area;
    return largest;
  }

  /** Allocates at the lowest address where the block fits: its address, or 0 when there is none or nothing was asked for. */
  allocate(bytes: number): number {
    if (!Number.isSafeInteger(bytes) || bytes <= 0) return 0;
    const needed = wholeGranules(bytes);
    for (const area of this.#freeAreas())
      if (area.bytes >= needed) {
        this.#take(area.address, bytes);
        return area.address;
      }
    return 0;
  }

  /** Allocates the largest free area: the block, or undefined when nothing is free. */
  allocateLargest(): LiveBlock | undefined {
    const { address, bytes } = this.largestFree();
    if (bytes === 0) return undefined;
    this.#take(address, bytes);
    return { address, bytes };
  }

  /** Frees a block. False, and nothing changes, when no block of that size begins there (`BadFree`). */
  free(address: number, bytes: number): boolean {
    const index = this.#live.findIndex((block) => block.address === address && block.bytes === bytes);
    if (index < 0) return false;
    this.#live.splice(index, 1);
    this.#used -= wholeGranules(bytes);
    return true;
  }

  /** Frees every block. */
  freeAll(): void {
    this.#live.length = 0;
    this.#used = 0;
  }

  /** True when one live block holds the whole range. */
  covers(address: number, bytes: number): boolean {
    return this.#live.some(
      (block) => block.address <= address && address + bytes <= block.address + block.bytes,
    );
  }

  fork(): LdmAllocator {
    return new LdmAllocator(this.first, this.end, { live: this.#live, used: this.#used, peak: this.#peak });
  }

  hash(into: Hasher): void {
    into.number(this.first);
    into.number(this.end);
    into.number(this.#peak);
    for (const { address, bytes } of this.#live) {
      into.number(address);
      into.number(bytes);
    }
  }

  *#freeAreas(): Generator<FreeArea> {
    let address = this.first;
    for (const block of this.#live) {
      if (block.address > address) yield { address, bytes: block.address - address };
      address = block.address + wholeGranules(block.bytes);
    }
    if (this.end > address) yield { address, bytes: this.end - address };
  }

  #take(address: number, bytes: number): void {
    const index = this.#live.findIndex((block) => block.address > address);
    this.#live.splice(index < 0 ? this.#live.length : index, 0, { address, bytes });
    this.#used += wholeGranules(bytes);
    this.#peak = Math.max(this.#peak, this.#used);
  }
}

const wholeGranules = (bytes: number): number => Math.ceil(bytes / granuleBytes) * granuleBytes;
