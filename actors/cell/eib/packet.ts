import type { ListElement } from './operations.ts';

/** One packet: bytes that cross the bus together, at most 128 of them and all of one 128-byte line (Cell specification 19.2). */
export interface Packet {
  /** Number of the element whose MFC carries the command out. */
  readonly initiator: number;
  /** Number of the element whose program gave the command. */
  readonly issuer: number;
  /** Number of the command among those of its issuer, from 0. */
  readonly command: number;
  /** Number of the packet in its command, from 0. */
  readonly part: number;
  /** The element that sends the bytes and the one that receives them. */
  readonly source: number;
  readonly target: number;
  readonly sourceAddress: number;
  readonly targetAddress: number;
  readonly size: number;
}

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
