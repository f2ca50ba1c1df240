import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addAddresses, deleteAddresses, lowestOf, noAddresses } from './address-set.ts';
import { readBytes, type WrittenBytes, writeBytes } from './written-bytes.ts';

/** Ranges about the borders of pages, also of the last ones that addresses reach. */
const range = fc.record({
  first: fc
    .tuple(fc.constantFrom(0, 4096, 3 * 4096, 2 ** 40), fc.integer({ min: 0, max: 40 }))
    .map(([page, at]) => Math.max(0, page + at - 20)),
  count: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(5000)),
});

test('a set of addresses holds what was put into it and not taken out again', () => {
  const law = fc.property(fc.array(fc.tuple(fc.boolean(), range)), (steps) => {
    const addresses = noAddresses();
    const expected = new Set<number>();
    for (const [adds, { first, count }] of steps) {
      if (adds) addAddresses(addresses, first, count);
      else deleteAddresses(addresses, first, count);
      for (let k = 0; k < count; k++)
        if (adds) expected.add(first + k);
        else expected.delete(first + k);
      expect(addresses.size).toBe(expected.size);
    }
    expect(lowestOf(addresses)).toBe(
      expected.size === 0 ? undefined : [...expected].sort((a, b) => a - b)[0],
    );
  });

  fc.assert(law, { numRuns: 60, seed: 8 });
});

test('bytes are read as they were written last, and as 0 where nobody wrote', () => {
  const law = fc.property(fc.array(fc.tuple(range, fc.nat(255))), range, (steps, { first, count }) => {
    const written: WrittenBytes = {};
    const expected = new Map<number, number>();
    for (const [one, value] of steps) {
      const data = Uint8Array.from({ length: one.count }, (_, k) => (value + k) % 256);
      writeBytes(written, one.first, data);
      for (const [k, byte] of data.entries()) expected.set(one.first + k, byte);
    }
    expect([...readBytes(written, first, count)]).toEqual(
      Array.from({ length: count }, (_, k) => expected.get(first + k) ?? 0),
    );
  });

  fc.assert(law, { numRuns: 60, seed: 9 });
});
