import { endOfPlace, placeOf, reservedBytes, type SpaceName, type SpaceSizes } from '../address/space.ts';
import { arrayCpes } from '../array/identity.ts';
import { type ReturnCode, returnCode } from '../return-code.ts';

/** What a check has to know about the run and the caller. */
export interface CheckFacts {
  readonly sizes: SpaceSizes;
  /** False for a CPE that is offline. */
  readonly available: (tid: number) => boolean;
}

/** Longest transfer of a descriptor in bytes: 18 bits, a multiple of 4 (Sunway specification 3.1). */
export const transferBytesMax = 262_140;

/** A length of a transfer: 4..262140, a multiple of 4. */
export const lengthCode = (bytes: number): ReturnCode =>
  isWhole(bytes) && bytes > 0 && bytes <= transferBytesMax && bytes % 4 === 0
    ? returnCode.SUCCESS
    : returnCode.E_LEN;

/** A number of things: a whole number, 1 at least. */
export const countCode = (count: number): ReturnCode =>
  isWhole(count) && count >= 1 ? returnCode.SUCCESS : returnCode.E_LEN;

/** One address or two that are multiples of so many bytes. */
export const alignCode = (multiple: number, address: number, other = 0): ReturnCode =>
  isWhole(address) && isWhole(other) && address % multiple === 0 && other % multiple === 0
    ? returnCode.SUCCESS
    : returnCode.E_ALIGN;

/**
 * A range within one of some spaces.
 *
 * Details: an address of another space is `E_SPACE`, one of no space `E_RANGE`, as is a range that leaves its space or that touches the
 * page of the runtime in an LDM.
 */
export function rangeCode(
  spaces: readonly SpaceName[],
  address: number,
  bytes: number,
  { sizes }: Pick<CheckFacts, 'sizes'>,
): ReturnCode {
  const place = placeOf(address, sizes);
  if (place === undefined) return returnCode.E_RANGE;
  if (!spaces.includes(place.space)) return returnCode.E_SPACE;
  if ((place.space === 'ldm' || place.space === 'remote') && place.offset < reservedBytes)
    return returnCode.E_RANGE;
  return address + bytes <= endOfPlace(address, place, sizes) ? returnCode.SUCCESS : returnCode.E_RANGE;
}

/** A reply word: an aligned word of the LDM outside the page of the runtime, or null for none. */
export function replyCode(address: number, facts: Pick<CheckFacts, 'sizes'>): ReturnCode {
  return address === 0 ? returnCode.SUCCESS : wordCode(address, facts);
}

/** A reply word that is waited for: it may not be null. */
export const wordCode = (address: number, facts: Pick<CheckFacts, 'sizes'>): ReturnCode =>
  alignCode(4, address) || rangeCode(['ldm'], address, 4, facts) ? returnCode.E_RPLY : returnCode.SUCCESS;

/** A CPE of the array that is available. */
export const tidCode = (tid: number, { available }: Pick<CheckFacts, 'available'>): ReturnCode =>
  isWhole(tid) && tid >= 0 && tid < arrayCpes && available(tid) ? returnCode.SUCCESS : returnCode.E_TID;

/** A mask of rows or columns: 1..0xFF. */
export const maskCode = (mask: number): ReturnCode =>
  isWhole(mask) && mask >= 1 && mask <= 0xff ? returnCode.SUCCESS : returnCode.E_MASK;

/** True when two ranges have a byte in common. */
export const overlap = (a: number, aBytes: number, b: number, bBytes: number): boolean =>
  a < b + bBytes && b < a + aBytes;

/** True for numbers that an argument of the runtime can be. */
export const isWhole = (value: number): boolean => Number.isSafeInteger(value);
