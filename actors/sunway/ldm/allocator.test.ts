import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../kernel/hash.ts';
import { LdmAllocator } from './allocator.ts';

const heap = () => new LdmAllocator(0x1000, 0x1000 + 1024);

describe('the allocator of private LDM', () => {
  test('takes the first area that fits, in granules of 64 bytes', () => {
    const ldm = heap();
    const [a, b, c] = [ldm.allocate(65), ldm.allocate(64), ldm.allocate(1)];
    ldm.free(a!, 65);

    expect([a, b, c]).toEqual([0x1000, 0x1080, 0x10c0]);
    expect(ldm.allocate(129)).toBe(0x1100);
    expect(ldm.allocate(128)).toBe(0x1000);
    expect(ldm.usedBytes).toBe(128 + 64 + 64 + 192);
  });

  test('gives null for nothing, for what is no size and for more than there is', () => {
    const ldm = heap();

    expect([0, -4, 1.5, 1025].map((bytes) => ldm.allocate(bytes))).toEqual([0, 0, 0, 0]);
    expect(ldm.allocate(1024)).toBe(0x1000);
    expect(ldm.allocate(4)).toBe(0);
    expect(ldm.allocateLargest()).toBeUndefined();
    expect(ldm.largestFree()).toEqual({ address: 0x1400, bytes: 0 });
  });

  test('frees only blocks that it gave, of their size, once', () => {
    const ldm = heap();
    const block = ldm.allocate(100);

    expect(ldm.free(block, 128)).toBe(false);
    expect(ldm.free(block + 64, 36)).toBe(false);
    expect(ldm.free(block, 100)).toBe(true);
    expect(ldm.free(block, 100)).toBe(false);
    expect(ldm.usedBytes).toBe(0);
  });

  test('knows the largest free area, and allocates it whole', () => {
    const ldm = heap();
    const first = ldm.allocate(256);
    ldm.allocate(64);
    ldm.free(first, 256);

    expect(ldm.largestFree()).toEqual({ address: 0x1140, bytes: 704 });
    expect(ldm.allocateLargest()).toEqual({ address: 0x1140, bytes: 704 });
    expect(ldm.largestFree()).toEqual({ address: 0x1000, bytes: 256 });
  });

  test('covers ranges within one live block', () => {
    const ldm = heap();
    ldm.allocate(100);
    ldm.allocate(64);

    expect(ldm.covers(0x1000, 100)).toBe(true);
    expect(ldm.covers(0x1000, 104)).toBe(false);
    expect(ldm.covers(0x1060, 64)).toBe(false);
    expect(ldm.covers(0x1080, 64)).toBe(true);
  });

  test('never gives overlapping blocks, and is as new when all are freed', () => {
    const step = fc.record({
      bytes: fc.integer({ min: 1, max: 300 }),
      frees: fc.option(fc.nat(20), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ldm = heap();
        let most = 0;
        for (const { bytes, frees } of steps) {
          const victim = frees === undefined ? undefined : ldm.live[frees];
          if (victim) expect(ldm.free(victim.address, victim.bytes)).toBe(true);
          const largest = ldm.largestFree().bytes;
          const address = ldm.allocate(bytes);
          expect(address === 0).toBe(Math.ceil(bytes / 64) * 64 > largest);
          most = Math.max(most, ldm.usedBytes);
          const ends = ldm.live.map((block) => block.address + block.bytes);
          expect(ldm.live.every((block, k) => block.address >= (k === 0 ? 0x1000 : ends[k - 1]!))).toBe(true);
          expect(ends.every((end) => end <= 0x1400)).toBe(true);
        }
        expect(ldm.peakBytes).toBe(most);
        for (const { address, bytes } of [...ldm.live]) ldm.free(address, bytes);
        expect(ldm.usedBytes).toBe(0);
        expect(ldm.largestFree()).toEqual({ address: 0x1000, bytes: 1024 });
      }),
    );
  });

  test('that is forked goes its own way', () => {
    const ldm = heap();
    ldm.allocate(64);
    const before = hashOf(ldm);

    const other = ldm.fork();
    other.freeAll();

    expect(ldm.live).toHaveLength(1);
    expect(hashOf(ldm)).toBe(before);
    expect(hashOf(other)).not.toBe(before);
    expect(other.peakBytes).toBe(64);
  });
});
