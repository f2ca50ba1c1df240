import type { GridSize } from './grid.ts';

/** What tells whether p is right to the last bit (TCA specification 13); bits and hashes in hexadecimal. */
export interface Checksums {
  /** Sum of all values in 64-bit floats, in the order of memory. */
  readonly pSumF64: number;
  /** Bits of the value in the middle: i, j and k half of imax, jmax and kmax, rounded down. */
  readonly pMidBits: string;
  /** FNV-1a with 64 bits over the little-endian bytes, from {@link goldenOffsetBasis}. */
  readonly pFnv1a64: string;
  /** CRC-32 (polynomial 0xedb88320, reflected) over the little-endian bytes. */
  readonly pCrc32: string;
}

/** The checksums of the p of a whole grid. */
export function checksumsOf(p: Float32Array, { imax, jmax, kmax }: GridSize): Checksums {
  const middle = ((imax >>> 1) * jmax + (jmax >>> 1)) * kmax + (kmax >>> 1);
  const words = new Uint32Array(p.buffer, p.byteOffset, p.length);
  let pSumF64 = 0;
  for (let at = 0; at < p.length; at++) pSumF64 += p[at]!;
  return {
    pSumF64,
    pMidBits: hexOf(words[middle]!),
    pFnv1a64: fnv1a64(words, goldenOffsetBasis),
    pCrc32: hexOf(crc32(words)),
  };
}

/** The bits of a 32-bit float, in hexadecimal. */
export const floatBits = (value: number): string => hexOf(new Uint32Array(Float32Array.of(value).buffer)[0]!);

const hexOf = (word: number): string => `0x${word.toString(16).padStart(8, '0')}`;

/** CRC-32 of every byte value. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 of words, the lowest byte of each first whatever the byte order of the computer. */
export function crc32(words: Uint32Array): number {
  let rest = -1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    for (let shift = 0; shift < 32; shift += 8)
      rest = (rest >>> 8) ^ crcTable[(rest ^ (word >>> shift)) & 0xff]!;
  }
  return ~rest >>> 0;
}

/**
 * The value that the hashes of the golden data start from.
 *
 * Gotchas: it is not the offset basis of the published FNV-1a, 14695981039346656037, but that number without
 * its last decimal digit. TCA specification 13 says only "FNV-1a 64"; what the golden data holds decides.
 */
export const goldenOffsetBasis = 1469598103934665603n;

/**
 * FNV-1a with 64 bits of words, the lowest byte of each first, in hexadecimal.
 *
 * Details: the prime is 2^40 + 0x1b3, so the product of its lower part and half a hash stays within the 53
 * bits that are exact.
 */
export function fnv1a64(words: Uint32Array, offsetBasis: bigint): string {
  let high = Number(offsetBasis >> 32n);
  let low = Number(offsetBasis & 0xffffffffn);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    for (let shift = 0; shift < 32; shift += 8) {
      const mixed = (low ^ ((word >>> shift) & 0xff)) >>> 0;
      const product = mixed * 0x1b3;
      low = product >>> 0;
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (mixed << 8)) >>> 0;
    }
  }
  return `${hexOf(high)}${hexOf(low).slice(2)}`;
}
