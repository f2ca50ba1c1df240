/*
 * Rows of bits: fields, bytes, counts, tables (chiplet specification 7.1).
 */

/** Bits `first`..`first+count-1` of an integer of `width` bits, moved down; signed ones repeat the topmost bit taken. */
export function extractBits(
  value: bigint,
  first: number,
  count: number,
  width: number,
  signed: boolean,
): bigint {
  if (count === 0) return 0n;
  const unsigned = BigInt.asUintN(width, value);
  const top = Math.min(first + count, width);
  const taken = first >= width ? 0n : (unsigned >> BigInt(first)) & ((1n << BigInt(top - first)) - 1n);
  if (!signed) return taken;
  // Beyond the width the sign of the value goes on.
  const sign = (unsigned >> BigInt(Math.min(first + count - 1, width - 1))) & 1n;
  const length = Math.max(0, top - first);
  return sign === 1n ? taken - (1n << BigInt(length)) : taken;
}

/** `base` with its bits from `first` on replaced by the lowest `count` ones of `value`. */
export function insertBits(value: bigint, base: bigint, first: number, count: number, width: number): bigint {
  const length = Math.max(0, Math.min(first + count, width) - first);
  const mask = ((1n << BigInt(length)) - 1n) << BigInt(Math.min(first, width));
  return (base & ~mask) | ((value << BigInt(Math.min(first, width))) & mask);
}

/** The 32 bits of an integer in reverse order. */
export function reversedBits(value: number): number {
  let v = value;
  v = ((v >>> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return (v >>> 16) | (v << 16);
}

/** How many of 32 bits are set. */
export function bitCount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The bits of a, b, c looked up in a table of eight: bit 4a+2b+c of `table` is the result. */
export function lookedUp(a: number, b: number, c: number, table: number): number {
  let result = 0;
  for (let row = 0; row < 8; row++)
    if ((table >>> row) & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

/** Byte `which` of eight: four of `a`, then four of `b`; with 8 added its sign in all bits. */
function byteOf(a: number, b: number, which: number): number {
  const byte = ((which & 4 ? b : a) >>> (8 * (which & 3))) & 255;
  if ((which & 8) === 0) return byte;
  return byte & 128 ? 255 : 0;
}

/** Four bytes of eight: `choice` has a figure of 4 bits for each, the lowest byte first. */
export function chosenBytes(a: number, b: number, choice: number): number {
  let result = 0;
  for (let at = 0; at < 4; at++) result |= byteOf(a, b, (choice >>> (4 * at)) & 15) << (8 * at);
  return result;
}

/** What the modes of prmt choose, for the two lowest bits of the selector: figures as `chosenBytes` reads them. */
export const byteChoices = {
  f4e: [0x3210, 0x4321, 0x5432, 0x6543],
  b4e: [0x5670, 0x6701, 0x7012, 0x0123],
  rc8: [0x0000, 0x1111, 0x2222, 0x3333],
  ecl: [0x3210, 0x3211, 0x3222, 0x3333],
  ecr: [0x0000, 0x1110, 0x2210, 0x3210],
  rc16: [0x1010, 0x3232, 0x1010, 0x3232],
} as const;

/** The highest bit that differs from the sign, of 64 in two halves, -1 when there is none. */
export function highestBit(low: number, high: number): number {
  return high === 0 ? 31 - Math.clz32(low) : 63 - Math.clz32(high);
}
