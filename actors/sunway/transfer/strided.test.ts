import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksTouched, memoryEnd, pieces, putShape, type Shape } from './strided.ts';

const contiguous = (memory: number, bytes: number): Shape => ({ memory, bytes, blockSize: 0, stride: 0 });

const shapes = fc
  .record({
    memory: fc.nat(600).map((words) => 4 * words),
    blockSize: fc.integer({ min: 1, max: 80 }).map((words) => 4 * words),
    count: fc.integer({ min: 1, max: 9 }),
    stride: fc.nat(80).map((words) => 4 * words),
  })
  .map(({ count, ...shape }): Shape => ({ ...shape, bytes: shape.blockSize * count }));

describe('a strided transfer', () => {
  test('fetches the window of the worked example', () => {
    const base = 0x5000_0000_1000;
    const matrix = new Map(
      Array.from({ length: 48 }, (_, i) => [base + 4 * i, 100 * Math.floor(i / 8) + (i % 8)]),
    );
    const shape: Shape = { memory: base + 40, bytes: 48, blockSize: 16, stride: 16 };

    const cut = [...pieces(shape)];
    const ldm = cut.flatMap(({ memory, bytes }) =>
      Array.from({ length: bytes / 4 }, (_, word) => matrix.get(memory + 4 * word)),
    );

    expect(cut.map(({ memory, offset }) => [memory - base, offset])).toEqual([
      [40, 0],
      [72, 16],
      [104, 32],
    ]);
    expect(ldm).toEqual([102, 103, 104, 105, 202, 203, 204, 205, 302, 303, 304, 305]);
    expect(memoryEnd(shape) - base).toBe(120);
  });

  test('is contiguous when its stride is 0, whatever its block size', () => {
    expect([...pieces({ memory: 4096, bytes: 100, blockSize: 12, stride: 0 })]).toEqual([
      { memory: 4096, offset: 0, bytes: 100 },
    ]);
    expect(memoryEnd({ memory: 4096, bytes: 100, blockSize: 12, stride: 0 })).toBe(4196);
  });

  test('touches the blocks that its bytes lie in, once for each piece', () => {
    expect(blocksTouched(contiguous(0, 128))).toBe(1);
    expect(blocksTouched(contiguous(4, 128))).toBe(2);
    expect(blocksTouched(contiguous(0, 65_536))).toBe(512);
    expect(blocksTouched({ memory: 0, bytes: 64, blockSize: 16, stride: 16 })).toBe(4);
  });
});

describe('a put', () => {
  test('counts one unit for an aligned part of a block, else one for each half that it touches', () => {
    expect(putShape(contiguous(0, 64))).toEqual({ blocks: 1, fullBlocks: 0, partialUnits: 1 });
    expect(putShape(contiguous(4, 64))).toEqual({ blocks: 1, fullBlocks: 0, partialUnits: 2 });
    expect(putShape(contiguous(4, 4))).toEqual({ blocks: 1, fullBlocks: 0, partialUnits: 1 });
    expect(putShape(contiguous(8, 112))).toEqual({ blocks: 1, fullBlocks: 0, partialUnits: 1 });
    expect(putShape(contiguous(4, 128))).toEqual({ blocks: 2, fullBlocks: 0, partialUnits: 3 });
    expect(putShape(contiguous(64, 512))).toEqual({ blocks: 5, fullBlocks: 3, partialUnits: 2 });
  });

  test('counts as many blocks and units as a count byte by byte', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const counted = { blocks: 0, fullBlocks: 0, partialUnits: 0 };
        for (const piece of pieces(shape)) {
          const byBlock = new Map<number, number[]>();
          for (let byte = piece.memory; byte < piece.memory + piece.bytes; byte++) {
            const block = Math.trunc(byte / 128);
            byBlock.set(block, [...(byBlock.get(block) ?? []), byte % 128]);
          }
          for (const bytes of byBlock.values()) {
            counted.blocks++;
            const aligned = bytes[0]! % 8 === 0 && (bytes.at(-1)! + 1) % 8 === 0;
            if (bytes.length === 128) counted.fullBlocks++;
            else counted.partialUnits += aligned ? 1 : new Set(bytes.map((byte) => byte >> 6)).size;
          }
        }

        expect(putShape(shape)).toEqual(counted);
        expect(blocksTouched(shape)).toBe(counted.blocks);
      }),
      { numRuns: 200 },
    );
  });
});
