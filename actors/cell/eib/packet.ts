import type { ListElement } from './operations.ts';

/**
 * The size of the packet that begins at `address` when `left` bytes remain: up to the next multiple of `packetBytes` (Cell specification 19.2).
 *
 * Details: it is the address in the other element that counts, since that is the address the command bus carries.
 */
export const packetSize = (packetBytes: number, address: number, left: number): number =>
  Math.min(left, packetBytes - (address % packetBytes));

/** How many packets a piece of a command becomes. */
export function packetCount(packetBytes: number, { address, size }: ListElement): number {
  return Math.floor((address + size - 1) / packetBytes) - Math.floor(address / packetBytes) + 1;
}
