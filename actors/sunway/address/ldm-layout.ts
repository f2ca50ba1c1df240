import { invariant } from '../../../kernel/errors.ts';
import { ldmBytes, reservedBytes } from './space.ts';

/** Bytes of the stack when it lies in the LDM; the sources give no number. */
export const stackBytesDefault = 0x4000;

/** What an LDM is divided into. All sizes in bytes. */
export interface LdmShares {
  /** Data cache: 0, 32 KiB or 128 KiB. */
  readonly cacheBytes: number;
  /** What the CPE contributes to the shared-LDM space of its share group; 0 when sharing is off. */
  readonly sharedBytes: number;
  /** Stack, 0 when it lies in main memory. */
  readonly stackBytes: number;
  /** Static variables of the program. */
  readonly staticBytes: number;
}

/** First bytes of the areas of an LDM in ascending order; each area ends where the next begins (Sunway specification 2.3). */
export interface LdmLayout {
  /** End of the page of the runtime. */
  readonly statics: number;
  /** Area of the allocator: a multiple of 64. */
  readonly heap: number;
  readonly stack: number;
  readonly shared: number;
  readonly cache: number;
  /** 262144. */
  readonly end: number;
}

const granule = 64;

/**
 * Divides an LDM: runtime, statics, heap, stack, shared part, cache at the top; undefined when it is too small for that.
 *
 * Details: `cacheBytes + sharedBytes + private bytes = 262144`; the heap gets what is left.
 */
export function ldmLayout(shares: LdmShares): LdmLayout | undefined {
  const parts = [shares.cacheBytes, shares.sharedBytes, shares.stackBytes, shares.staticBytes];
  invariant(
    parts.every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0),
    'parts of an LDM have whole sizes',
  );
  const heap = Math.ceil((reservedBytes + shares.staticBytes) / granule) * granule;
  const cache = ldmBytes - shares.cacheBytes;
  const shared = cache - shares.sharedBytes;
  const stack = shared - shares.stackBytes;
  return heap <= stack ? { statics: reservedBytes, heap, stack, shared, cache, end: ldmBytes } : undefined;
}

/** Bytes that the allocator of a layout can give out. */
export const heapBytes = (layout: LdmLayout): number => layout.stack - layout.heap;
