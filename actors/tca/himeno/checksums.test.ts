import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksumsOf, crc32, floatBits, fnv1a64, goldenOffsetBasis } from './checksums.ts';

const publishedOffsetBasis = 14695981039346656037n;

/** FNV-1a with 64 bits as it is published, in integers without limit. */
function fnv1a64OfBytes(bytes: Uint8Array, offsetBasis: bigint): bigint {
  let hash = offsetBasis;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

const bytesOf = (words: Uint32Array): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, index) => {
    bytes.setUint32(index * 4, word, true);
  });
  return new Uint8Array(bytes.buffer);
};

const manyWords = fc.uint32Array({ maxLength: 40 });

describe('checksums', () => {
  test('the reference for FNV-1a gives a published value', () => {
    const bytes = new TextEncoder().encode('foobar');

    expect(fnv1a64OfBytes(bytes, publishedOffsetBasis)).toBe(0x85944171f73967e8n);
  });

  test('hash the little-endian bytes as FNV-1a does, from any start', () => {
    fc.assert(
      fc.property(manyWords, fc.constantFrom(publishedOffsetBasis, goldenOffsetBasis), (words, basis) => {
        expect(BigInt(fnv1a64(words, basis))).toBe(fnv1a64OfBytes(bytesOf(words), basis));
      }),
      { seed: 13 },
    );
  });

  test('have the CRC-32 of the little-endian bytes that zlib gives', () => {
    fc.assert(
      fc.property(manyWords, (words) => {
        expect(crc32(words)).toBe(zlibCrc32(bytesOf(words)));
      }),
      { seed: 13 },
    );
  });

  test('print bits as 8 digits, those of negative numbers too', () => {
    expect([1, -2, 0, 1e-45].map(floatBits)).toEqual([
      '0x3f800000',
      '0xc0000000',
      '0x00000000',
      '0x00000001',
    ]);
  });

  test('have the sum of all values, and the bits of the one in the middle', () => {
    const size = { imax: 3, jmax: 4, kmax: 5 };
    const p = Float32Array.from({ length: 60 }, (_, at) => at);

    const { pSumF64, pMidBits } = checksumsOf(p, size);

    expect(pSumF64).toBe(1770);
    expect(pMidBits).toBe(floatBits(1 * 20 + 2 * 5 + 2));
  });
});
