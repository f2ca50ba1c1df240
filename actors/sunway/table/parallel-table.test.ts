import { describe, expect, test } from 'vitest';
import {
  baseVector,
  entryAddress,
  fillLane,
  laneAddresses,
  tableBytes,
  tableLanes,
} from './parallel-table.ts';

const lanes = Array.from({ length: tableLanes }, (_, lane) => lane);
const bytesOf = (words: readonly number[]) => new Uint8Array(Uint32Array.from(words).buffer);
const rowsOf = (bytes: Uint8Array) => {
  const words = [...new Uint32Array(bytes.buffer)];
  return Array.from({ length: words.length / 16 }, (_, row) => words.slice(16 * row, 16 * row + 16));
};

describe('a parallel table', () => {
  test('has four tables repeated over its lanes as in example (a), and as in (b) with half the lanes filled', () => {
    const tables = [100, 200, 300, 400].map((base) =>
      Array.from({ length: 256 }, (_, entry) => base + entry),
    );
    const [four, eight] = [new Uint8Array(tableBytes(256)), new Uint8Array(tableBytes(256))];

    for (const lane of lanes) fillLane(four, lane, bytesOf(tables[lane % 4]!));
    for (let lane = 0; lane < 8; lane++) fillLane(eight, lane, bytesOf(tables[lane >> 1]!));

    for (const [entry, row] of rowsOf(four).entries())
      expect(row).toEqual(lanes.map((lane) => [100, 200, 300, 400][lane % 4]! + entry));
    for (const [entry, row] of rowsOf(eight).entries())
      expect(row).toEqual(lanes.map((lane) => (lane < 8 ? [100, 200, 300, 400][lane >> 1]! + entry : 0)));
  });

  test('answers the lookup of example (c)', () => {
    const entries = [
      0x60, 0x2, 0x200, 0x202, 0x20000, 0x20002, 0x20200, 0x20202, 0x2000000, 0x2000002, 0x2000200, 0x2000202,
      0x2020000, 0x2020002, 0x2020200, 0x2020202,
    ];
    const first = 0x2040;
    const ldm = new Uint8Array(0x4000);
    for (const lane of lanes) fillLane(ldm.subarray(first), lane, bytesOf(entries));
    const offsets = [4, 8, 12, 0, 4, 0, 16, 20, 24, 0, 28, 0, 36, 0, 0, 0];

    const { addresses } = laneAddresses(offsets, baseVector(first), { first, rows: 16 });

    expect(addresses.map((address) => new DataView(ldm.buffer).getUint32(address, true))).toEqual([
      0x2, 0x200, 0x202, 0x60, 0x2, 0x60, 0x20000, 0x20002, 0x20200, 0x60, 0x20202, 0x60, 0x2000002, 0x60,
      0x60, 0x60,
    ]);
  });

  test('lies at rows of 64 bytes from its base', () => {
    const first = 0x3_ffc0;

    expect(baseVector(first)).toEqual(lanes.map(() => (first >> 6) << 2));
    expect(
      laneAddresses(
        lanes.map(() => 0),
        baseVector(first),
        { first, rows: 1 },
      ).addresses,
    ).toEqual(lanes.map((lane) => entryAddress(first, 0, lane)));
  });

  test('refuses offsets that are no multiple of 4, and rows beyond its end', () => {
    const first = 0x2000;
    const known = { first, rows: 16 };
    const at = (offset: number) =>
      laneAddresses(
        lanes.map((lane) => (lane === 3 ? offset : 0)),
        baseVector(first),
        known,
      );

    expect(at(6)).toEqual({ code: 10, addresses: [] });
    expect(at(64)).toEqual({ code: 12, addresses: [] });
    expect(at(60).code).toBe(0);
    expect(at(2 ** 32 - 4)).toEqual({ code: 12, addresses: [] });
  });
});
