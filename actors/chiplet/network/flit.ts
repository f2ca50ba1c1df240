/*
 * A flit is an integer: its number in the network, and whether it is the head or the tail of its packet. What it carries is found by
 * its number in the payload store.
 */

/** Set in the head of a packet. */
export const headBit = 2;

/** Set in the tail of a packet. */
export const tailBit = 1;

/** Flits that can be told apart in one network. */
export const flitsMax = 2 ** 29;

/** Flit `place` of a packet of `size` flits whose first flit has this number. */
export const flitOf = (first: number, place: number, size: number): number =>
  ((first + place) << 2) | (place === 0 ? headBit : 0) | (place === size - 1 ? tailBit : 0);

/** The number of a flit. */
export const numberOf = (flit: number): number => flit >> 2;

export const isHead = (flit: number): boolean => (flit & headBit) !== 0;

export const isTail = (flit: number): boolean => (flit & tailBit) !== 0;
