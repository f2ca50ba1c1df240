import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressSet } from './address-set.ts';
import { WrittenBytes } from './written-bytes.ts';

/** Ranges about the borders of pages, also of the last ones that addresses reach. */
const range = fc.record({
  first: fc
    .tuple(fc.constantFrom(0, 4096, 3 * 4096, 2 ** 40), fc.integer({ min: 0, max: 40 }))
    .map(([page, at]) => Math.max(0, page + at - 20)),
  count: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(5000)),
});

test('a set of addresses holds what was put into it and not taken out again', () => {
  const law = fc.property(fc.array(fc.tuple(fc.boolean(), range)), (steps) => {
    const addresses = new AddressSet();
    const expected = new Set<number>();
    for (const [adds, { first, count }] of steps) {
      if (adds) addresses.add(first, count);
      else addresses.delete(first, count);
      for (let k = 0; k < count; k++)
        if (adds) expected.add(first + k);
        else expected.delete(first + k);
      expect(addresses.size).toBe(expected.size);
    }
    expect(addresses.lowest).toBe(expected.size === 0 ? undefined : [...expected].sort((a, b) => a - b)[0]);
  });

  fc.assert(law, { numRuns: 60, seed: 8 });
});

test('bytes are read as they were written last, and as 0 where nobody wrote', () => {
  const law = fc.property(fc.array(fc.tuple(range, fc.nat(255))), range, (steps, { first, count }) => {
    const written = new WrittenBytes();
    const expected = new Map<number, number>();
    for (const [one, value] of steps) {
      const data = Uint8Array.from({ length: one.count }, (_, k) => (value + k) % 256);
      written.write(one.first, data);
      for (const [k, byte] of data.entries()) expected.set(one.first + k, byte);
    }
    expect([...written.read(first, count)]).toEqual(
      Array.from({ length: count }, (_, k) => expected.get(first + k) ?? 0),
    );
  });

  fc.assert(law, { numRuns: 60, seed: 9 });
});
