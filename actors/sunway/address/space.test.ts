import { describe, expect, test } from 'vitest';
import { crossAddress, endOfSpace, memoryAddress, placeOf, remoteAddress, sharedAddress } from './space.ts';

const sizes = { cgs: 2, memoryBytes: 0x1_0000_0000, crossBytes: 0x10_0000, sharedBytes: 0x1_0000 };

describe('an address', () => {
  test('lies in the space of its range', () => {
    expect(placeOf(0x3ffff, sizes)).toEqual({ space: 'ldm', offset: 0x3ffff });
    expect(placeOf(2 ** 45 + 5 * 2 ** 20 + 64, sizes)).toEqual({ space: 'remote', tid: 5, offset: 64 });
    expect(placeOf(2 ** 44 + 1024, sizes)).toEqual({ space: 'shared', offset: 1024 });
    expect(placeOf(0x5000_0000_1000, sizes)).toEqual({ space: 'memory', cg: 0, offset: 0x1000 });
    expect(placeOf(0x5010_0000_0008, sizes)).toEqual({ space: 'memory', cg: 1, offset: 8 });
    expect(placeOf(0x7800_0000_0000, sizes)).toEqual({ space: 'cross', offset: 0 });
  });

  test('that names nothing has no place', () => {
    const nothing = [
      -4,
      0.5,
      0x4_0000,
      sharedAddress(0x1_0000),
      remoteAddress(64, 0),
      remoteAddress(3, 0x4_0000),
      memoryAddress(0, 0x1_0000_0000),
      memoryAddress(2, 0),
      crossAddress(0x10_0000),
      Number.NaN,
    ];

    expect(nothing.map((address) => placeOf(address, sizes))).toEqual(nothing.map(() => undefined));
    expect(placeOf(sharedAddress(0), { ...sizes, sharedBytes: 0 })).toBeUndefined();
  });

  test('is what its place is the place of', () => {
    expect(placeOf(remoteAddress(63, 0x3fffc), sizes)).toEqual({ space: 'remote', tid: 63, offset: 0x3fffc });
    expect(placeOf(memoryAddress(1, 12), sizes)).toEqual({ space: 'memory', cg: 1, offset: 12 });
    expect(placeOf(sharedAddress(12), sizes)).toEqual({ space: 'shared', offset: 12 });
    expect(placeOf(crossAddress(12), sizes)).toEqual({ space: 'cross', offset: 12 });
  });

  test('knows where its space ends', () => {
    expect(endOfSpace(0x100, sizes)).toBe(0x4_0000);
    expect(endOfSpace(remoteAddress(7, 0x100), sizes)).toBe(remoteAddress(7, 0x4_0000));
    expect(endOfSpace(memoryAddress(1, 4), sizes)).toBe(memoryAddress(1, 0x1_0000_0000));
    expect(endOfSpace(sharedAddress(4), sizes)).toBe(sharedAddress(0x1_0000));
    expect(endOfSpace(crossAddress(4), sizes)).toBe(crossAddress(0x10_0000));
    expect(endOfSpace(0x4_0000, sizes)).toBeUndefined();
  });
});
