import { checksumsOf, floatBits } from '../../actors/tca/himeno/checksums.ts';
import { besideScenario } from '../beside-scenario.ts';
import { firstDifference } from '../with-reference.ts';

/*
 * What tells whether p is right to the last bit (TCA specification 13), byte by byte and bit by bit in integers without limit.
 */

const hex = (value: bigint, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;

/** FNV-1a with 64 bits from the beginning that the golden data has. */
const fnv = (bytes: readonly number[]): bigint =>
  bytes.reduce(
    (hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n),
    1469598103934665603n,
  );

/** CRC-32 by its polynomial, a bit at a time. */
function crc(bytes: readonly number[]): bigint {
  let rest = 0xffff_ffffn;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (rest ^ (BigInt(byte) >> BigInt(bit))) % 2n === 1n;
      rest = (rest >> 1n) ^ (isOdd ? 0xedb8_8320n : 0n);
    }
  return rest ^ 0xffff_ffffn;
}

/** What a grid of drawn values, whose size follows from a number, has for other checksums than it should. */
export function checksumFault(number: number): string | undefined {
  const [imax, jmax, kmax] = [2 + (number % 3), 2 + (number % 4), 2 + (number % 5)];
  const values = Array.from({ length: imax * jmax * kmax }, (_, at) =>
    Math.fround(((number + 1) * (at + 3)) % 7 === 0 ? -at / 3 : Math.sin(number + at * at) / 2 ** (at % 9)),
  );
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [at, value] of values.entries()) view.setFloat32(4 * at, value, true);
  const bytes = Array.from({ length: view.byteLength }, (_, at) => view.getUint8(at));
  const [i, j, k] = [imax, jmax, kmax].map((most) => Math.floor(most / 2)) as [number, number, number];
  const middle = (i * jmax + j) * kmax + k;
  const expected = {
    pSumF64: values.reduce((sum, value) => sum + value, 0),
    pMidBits: hex(BigInt(view.getUint32(4 * middle, true)), 8),
    pFnv1a64: hex(fnv(bytes), 16),
    pCrc32: hex(crc(bytes), 8),
  };
  const size = { imax, jmax, kmax };
  const bits = floatBits(values[1]!);
  if (bits !== hex(BigInt(view.getUint32(4, true)), 8)) return `${values[1]} has the bits ${bits}`;
  return firstDifference(checksumsOf(Float32Array.from(values), size), expected);
}

/** Checksums of a grid are what bytes and bits come to one by one. */
export const checksumsArePlainOnes = besideScenario(checksumFault);
