import { arrayCpes } from '../array/identity.ts';

/** Bytes of the LDM of a CPE; its addresses have 18 bits (Sunway specification 1). */
export const ldmBytes = 0x4_0000;
/** Bytes at the bottom of an LDM that belong to the runtime (Sunway specification 2.3). */
export const reservedBytes = 0x1000;
/** First address of the shared-LDM space of a share group. */
export const sharedBase = 2 ** 44;
/** First address of the window onto the LDMs of the other CPEs of the core group. */
export const remoteBase = 2 ** 45;
/** Addresses of the window between two CPEs. */
export const remotePitch = 2 ** 20;
/** First address of the main memory of core group 0. */
export const memoryBase = 0x5000_0000_0000;
/** Addresses between the main memories of two core groups. */
export const memoryPitch = 0x10_0000_0000;
/** First address of the segment that the core groups of a node share. */
export const crossBase = 0x7800_0000_0000;

/** How large the spaces of a run are. */
export interface SpaceSizes {
  /** Core groups of the node, 1..6. */
  readonly cgs: number;
  /** Main memory of a core group in bytes, at most `memoryPitch`. */
  readonly memoryBytes: number;
  /** The cross segment in bytes, 0 when there is none. */
  readonly crossBytes: number;
  /** The shared-LDM space of a share group in bytes, 0 when sharing is off. */
  readonly sharedBytes: number;
}

/** Where an address lies. */
export type Place =
  | { readonly space: 'ldm'; readonly offset: number }
  | { readonly space: 'remote'; readonly tid: number; readonly offset: number }
  | { readonly space: 'shared'; readonly offset: number }
  | { readonly space: 'memory'; readonly cg: number; readonly offset: number }
  | { readonly space: 'cross'; readonly offset: number };

/** The name of a space. */
export type SpaceName = Place['space'];

/** Where an address lies; undefined when it names nothing (Sunway specification 2.3). */
export function placeOf(address: number, sizes: SpaceSizes): Place | undefined {
  if (!Number.isSafeInteger(address) || address < 0) return undefined;
  if (address < ldmBytes) return { space: 'ldm', offset: address };
  if (address >= crossBase) return within('cross', address - crossBase, sizes.crossBytes);
  if (address >= memoryBase) {
    const cg = Math.floor((address - memoryBase) / memoryPitch);
    const offset = (address - memoryBase) % memoryPitch;
    return cg < sizes.cgs && offset < sizes.memoryBytes ? { space: 'memory', cg, offset } : undefined;
  }
  if (address >= remoteBase) {
    const tid = Math.floor((address - remoteBase) / remotePitch);
    const offset = (address - remoteBase) % remotePitch;
    return tid < arrayCpes && offset < ldmBytes ? { space: 'remote', tid, offset } : undefined;
  }
  return address >= sharedBase ? within('shared', address - sharedBase, sizes.sharedBytes) : undefined;
}

/** The first address after the space that an address lies in: a range from the address on ends there at the latest. */
export function endOfSpace(address: number, sizes: SpaceSizes): number | undefined {
  const place = placeOf(address, sizes);
  return place && endOfPlace(address, place, sizes);
}

/** The same, given the place of the address. */
export function endOfPlace(address: number, place: Place, sizes: SpaceSizes): number {
  switch (place.space) {
    case 'ldm':
    case 'remote':
      return address - place.offset + ldmBytes;
    case 'shared':
      return sharedBase + sizes.sharedBytes;
    case 'memory':
      return address - place.offset + sizes.memoryBytes;
    case 'cross':
      return crossBase + sizes.crossBytes;
  }
}

/** The address of a byte of the main memory of a core group. */
export const memoryAddress = (cg: number, offset: number): number => memoryBase + cg * memoryPitch + offset;

/** The address by which other CPEs of the core group load and store a byte of an LDM. */
export const remoteAddress = (tid: number, offset: number): number => remoteBase + tid * remotePitch + offset;

/** The address of a byte of the shared-LDM space. */
export const sharedAddress = (offset: number): number => sharedBase + offset;

/** The address of a byte of the cross segment. */
export const crossAddress = (offset: number): number => crossBase + offset;

function within(space: 'cross' | 'shared', offset: number, bytes: number): Place | undefined {
  return offset < bytes ? { space, offset } : undefined;
}
