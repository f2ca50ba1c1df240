import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../kernel/hash.ts';
import { deviceBase, localWindow } from './address-space.ts';
import { DeviceMemory } from './device-memory.ts';

describe('device memory', () => {
  test.each<[string, (memory: DeviceMemory) => void]>([
    ['printed text', (memory) => memory.print('done')],
    ['an allocation of a kernel', (memory) => memory.allocateOnHeap(64)],
  ])('has another fingerprint with %s', (_, change) => {
    const memory = new DeviceMemory();
    memory.allocate(64);
    const other = memory.fork();
    expect(hashOf(other)).toBe(hashOf(memory));

    change(other);
    // As many bytes at the same address, so that only who asked for them differs.
    if (other.allocations.length > 1) memory.allocate(64);

    expect(hashOf(other)).not.toBe(hashOf(memory));
  });

  test('gives addresses that are multiples of 256, from one that is not 0, and none to two', () => {
    const step = fc.oneof(
      fc.record({ bytes: fc.oneof(fc.nat(3), fc.nat(5000)) }),
      fc.record({ gives: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const memory = new DeviceMemory();
        const live: { address: number; bytes: number }[] = [];
        for (const one of steps) {
          if ('gives' in one) {
            const [given] = live.splice(one.gives, 1);
            if (given) expect(memory.free(given.address)).toBe(true);
            continue;
          }
          const address = memory.allocate(one.bytes)!;
          expect(address % 256).toBe(0);
          expect(address).toBeGreaterThanOrEqual(deviceBase);
          for (const { address: other, bytes } of live)
            expect(address >= other + Math.max(1, bytes) || other >= address + Math.max(1, one.bytes)).toBe(
              true,
            );
          live.push({ address, bytes: one.bytes });
        }
        for (const { address, bytes } of live) {
          expect(memory.find(address, bytes)).toBe(bytes > 0);
          expect(memory.find(address, bytes + 1)).toBe(false);
          expect(memory.find(address - 1, 1)).toBe(
            live.some((one) => one.bytes > 0 && one.address + one.bytes === address),
          );
        }
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  test('is filled with zeros, also where something was before', () => {
    const memory = new DeviceMemory();
    const address = memory.allocate(8)!;
    memory.bytes.fill(255, address - deviceBase, address - deviceBase + 8);
    memory.free(address);

    expect(memory.allocate(8)).toBe(address);
    expect([...memory.bytes.slice(address - deviceBase, address - deviceBase + 8)]).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0,
    ]);
  });

  test('ends before local memory', () => {
    const memory = new DeviceMemory();

    expect(memory.allocate(localWindow)).toBeUndefined();
    expect(memory.free(deviceBase)).toBe(false);
  });

  test('of a fork is its own from the first writing on', () => {
    const memory = new DeviceMemory();
    const at = memory.allocate(4)! - deviceBase;
    const fork = memory.fork();
    memory.claim();
    memory.bytes[at] = 7;

    expect([memory.bytes[at], fork.bytes[at]]).toEqual([7, 0]);
    fork.claim();
    fork.bytes[at] = 9;
    expect([memory.bytes[at], fork.bytes[at]]).toEqual([7, 9]);
  });
});
