import { popcount } from './popcount.ts';

/*
 * What changes on the wires of a port from one flit to the next, as an integer: the bits that toggle, and the bytes whose top bit does (chiplet
 * specification 5.9). A flit has at most 4096 bits.
 */

const signsShift = 16;

/** The change between two words of 32 bits. Changes add up. */
export function changeBetween(one: number, other: number): number {
  const changed = one ^ other;
  return popcount(changed) + (popcount(changed & 0x80808080) << signsShift);
}

/** Bits that toggle. */
export const togglesOf = (change: number): number => change & 0xffff;

/** The same where bytes are compared as numbers with a sign: each byte whose top bit changes counts 56 more. */
export const signedTogglesOf = (change: number): number => (change & 0xffff) + 56 * (change >> signsShift);
