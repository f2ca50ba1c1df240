import { type ReturnCode, returnCode } from '../return-code.ts';

/** Lanes of a vector; lane i of a parallel table is a table of its own (Sunway specification 6.10). */
export const tableLanes = 16;
/** Bytes of a row: one entry of 4 bytes for each lane. */
export const rowBytes = 64;
const entryBytes = 4;

/** Bytes of a parallel table of so many rows. */
export const tableBytes = (rows: number): number => rows * rowBytes;

/** The base vector of a table: the same in every lane (Sunway specification 6.10). */
export const baseVector = (table: number): readonly number[] =>
  new Array<number>(tableLanes).fill((Math.floor(table / rowBytes) << 2) >>> 0);

/** The byte that an entry begins at. */
export const entryAddress = (table: number, row: number, lane: number): number =>
  table + row * rowBytes + lane * entryBytes;

/** Where lookups and writes of a vector of offsets go, or the code of what is wrong with it. */
export type LaneAddresses =
  | { readonly code: typeof returnCode.SUCCESS; readonly addresses: readonly number[] }
  | { readonly code: ReturnCode; readonly addresses: readonly [] };

/**
 * The addresses that 16 byte offsets, each relative to the base of its lane, stand for (Sunway specification 6.10, 11: E26).
 *
 * Details: `row = (base + offset) >> 2`. A table that is known, by its first byte and its rows, bounds them; otherwise the LDM does.
 */
export function laneAddresses(
  offsets: readonly number[],
  bases: readonly number[],
  bounds: { readonly first: number; readonly rows: number },
): LaneAddresses {
  const sums = offsets.map((offset, lane) => (offset + bases[lane]!) % 2 ** 32);
  if (offsets.some((offset) => offset % entryBytes !== 0)) return { code: returnCode.E_ALIGN, addresses: [] };
  const addresses = sums.map((sum, lane) => entryAddress(0, Math.floor(sum / entryBytes), lane));
  const end = bounds.first + tableBytes(bounds.rows);
  const inside = addresses.every((address) => address >= bounds.first && address + entryBytes <= end);
  return inside ? { code: returnCode.SUCCESS, addresses } : { code: returnCode.E_RANGE, addresses: [] };
}

/**
 * Puts a table into one lane of a parallel table.
 *
 * Details: `table` are the bytes of `rows` entries; `parallel` those of as many rows, changed in place. Other lanes keep what they have.
 */
export function fillLane(parallel: Uint8Array, lane: number, table: Uint8Array): void {
  for (let entry = 0; entry < table.length; entry += entryBytes)
    parallel.set(table.subarray(entry, entry + entryBytes), entryAddress(0, entry / entryBytes, lane));
}
