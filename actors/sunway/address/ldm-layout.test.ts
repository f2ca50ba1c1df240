import { expect, test } from 'vitest';
import { heapBytes, ldmLayout } from './ldm-layout.ts';

const nothing = { cacheBytes: 0, sharedBytes: 0, stackBytes: 0, staticBytes: 0 };

test('an LDM without cache and sharing has 258048 bytes to allocate, with 32 KiB of cache 225280', () => {
  const plain = ldmLayout(nothing);
  const cached = ldmLayout({ ...nothing, cacheBytes: 0x8000 });

  expect(plain && heapBytes(plain)).toBe(258_048);
  expect(cached && heapBytes(cached)).toBe(229_376 - 4096);
});

test('the areas of an LDM follow each other, cache at the top, the heap on a granule', () => {
  const layout = ldmLayout({ cacheBytes: 0x2_0000, sharedBytes: 4096, stackBytes: 0x4000, staticBytes: 100 });

  expect(layout).toEqual({
    statics: 0x1000,
    heap: 0x1080,
    stack: 0x1b000,
    shared: 0x1f000,
    cache: 0x20000,
    end: 0x40000,
  });
});

test('an LDM that is too small for its parts has no layout', () => {
  expect(ldmLayout({ ...nothing, sharedBytes: 256 * 1024 })).toBeUndefined();
  expect(ldmLayout({ ...nothing, sharedBytes: 252 * 1024 })).toMatchObject({ heap: 0x1000, stack: 0x1000 });
});
