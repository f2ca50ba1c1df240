import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spcTidOf } from '../array/identity.ts';
import { shareGroup, shareMembers } from './share-group.ts';
import { type SharedMapping, sharedPieces, sharedSpaceBytes } from './shared-mapping.ts';

describe('a share group', () => {
  test('is 4, 8, 16, 32 or 64 CPEs by share mode, and has the barrier of that group', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map((mode) => shareMembers(mode, 10).length)).toEqual([
      4, 8, 16, 32, 64, 64, 64,
    ]);
    expect([0, 1, 2, 3, 4, 5].map(shareGroup)).toEqual(['1spc', '2spc', '4spc', '8spc', 'array', 'array']);
  });

  test('has its members in order of their cluster numbers', () => {
    expect(shareMembers(0, 10)).toEqual([2, 3, 10, 11]);
    expect(shareMembers(1, 10)).toEqual([0, 1, 8, 9, 2, 3, 10, 11]);
    expect(shareMembers(4, 0).map(spcTidOf)).toEqual(Array.from({ length: 64 }, (_, place) => place));
  });
});

describe('the shared space', () => {
  const whole: SharedMapping = {
    members: shareMembers(4, 0),
    shareBytes: 1024,
    base: 0x3fc00,
    interleaveBytes: 0,
  };

  test('of the worked product puts 2048 bytes into members 0 and 1 only', () => {
    expect(sharedSpaceBytes(whole)).toBe(65_536);
    expect(sharedPieces(whole, 0, 2048)).toEqual([
      { tid: 0, local: 0x3fc00, offset: 0, bytes: 1024 },
      { tid: 1, local: 0x3fc00, offset: 1024, bytes: 1024 },
    ]);
  });

  test('is cut where parts end', () => {
    expect(sharedPieces(whole, 2000, 100)).toEqual([
      { tid: 1, local: 0x3fc00 + 976, offset: 0, bytes: 48 },
      { tid: 8, local: 0x3fc00, offset: 48, bytes: 52 },
    ]);
  });

  test('goes round the members block by block when it is interleaved', () => {
    const cyclic: SharedMapping = { ...whole, members: [0, 1, 8, 9], interleaveBytes: 256 };

    expect(
      sharedPieces(cyclic, 128, 1024).map(({ tid, local, bytes }) => [tid, local - whole.base, bytes]),
    ).toEqual([
      [0, 128, 128],
      [1, 0, 256],
      [8, 0, 256],
      [9, 0, 256],
      [0, 256, 128],
    ]);
  });

  test('gives every byte one place of its own under both mappings', () => {
    const mappings = fc.record({
      mode: fc.nat(4),
      blocks: fc.integer({ min: 1, max: 4 }),
      interleaved: fc.boolean(),
      at: fc.nat(1000),
      bytes: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(mappings, ({ mode, blocks, interleaved, at, bytes }) => {
        const mapping: SharedMapping = {
          members: shareMembers(mode, 0),
          shareBytes: 64 * blocks,
          base: 0x2000,
          interleaveBytes: interleaved ? 64 : 0,
        };
        const size = sharedSpaceBytes(mapping);
        const places = new Set<string>();
        let highest = 0;
        for (let byte = 0; byte < size; byte++) {
          const [piece] = sharedPieces(mapping, byte, 1);
          highest = Math.max(highest, piece!.local);
          places.add(`${piece!.tid} ${piece!.local}`);
        }
        expect(places.size).toBe(size);
        expect(highest).toBe(0x2000 + mapping.shareBytes - 1);
        const first = at % size;
        const count = Math.min(bytes, size - first);
        const cut = sharedPieces(mapping, first, count);
        expect(cut.reduce((sum, piece) => sum + piece.bytes, 0)).toBe(count);
        expect(
          cut.every(({ tid, local, offset }) => {
            const [one] = sharedPieces(mapping, first + offset, 1);
            return one!.tid === tid && one!.local === local;
          }),
        ).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
