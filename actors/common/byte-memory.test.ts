import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../kernel/hash.ts';
import { ByteMemory, pageBytes } from './byte-memory.ts';

/** A memory beside the plain array that it must equal. */
interface Pair {
  readonly memory: ByteMemory;
  readonly plain: Uint8Array;
}

const size = 2 * pageBytes + 100;
// Addresses near the borders of pages find more than others.
const address = fc.oneof(
  fc.nat(size - 1),
  fc.integer({ min: pageBytes - 3, max: pageBytes + 3 }),
  fc.integer({ min: 2 * pageBytes - 3, max: size - 1 }),
);
const which = fc.nat(3);
const deeds = fc.array(
  fc.oneof(
    fc.record({
      deed: fc.constant('write' as const),
      which,
      at: address,
      value: fc.integer({ min: -1, max: 300 }),
    }),
    fc.record({ deed: fc.constant('fork' as const), which }),
    fc.record({
      deed: fc.constant('copy' as const),
      which,
      source: which,
      from: address,
      to: address,
      count: fc.oneof(fc.nat(10), fc.nat(2 * pageBytes)),
    }),
    fc.record({ deed: fc.constant('fill' as const), which, value: fc.nat(255) }),
  ),
  { maxLength: 30 },
);

function carryOut(list: Parameters<Parameters<typeof deeds.map>[0]>[0]): Pair[] {
  const pairs: Pair[] = [{ memory: new ByteMemory(size), plain: new Uint8Array(size) }];
  const pairOf = (number: number) => pairs[number % pairs.length]!;
  for (const one of list) {
    const { memory, plain } = pairOf(one.which);
    switch (one.deed) {
      case 'write':
        memory.write(one.at, one.value);
        plain[one.at] = one.value;
        break;
      case 'fork':
        pairs.push({ memory: memory.fork(), plain: plain.slice() });
        break;
      case 'copy': {
        const source = pairOf(one.source);
        const count = Math.min(one.count, size - one.from, size - one.to);
        memory.copyFrom(source.memory, one.from, one.to, count);
        for (let i = 0; i < count; i++) plain[one.to + i] = source.plain[one.from + i]!;
        break;
      }
      case 'fill':
        memory.fill((at) => at + one.value);
        for (let at = 0; at < size; at++) plain[at] = at + one.value;
        break;
    }
  }
  return pairs;
}

describe('a byte memory', () => {
  test('is a plain array to whoever reads it, and so is each of its forks', () => {
    fc.assert(
      fc.property(deeds, (list) => {
        for (const { memory, plain } of carryOut(list)) expect(Buffer.compare(memory.slice(), plain)).toBe(0);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test('has the same hash as another with the same bytes, and another one otherwise', () => {
    fc.assert(
      fc.property(deeds, address, (list, at) => {
        for (const { memory, plain } of carryOut(list)) {
          const written = new ByteMemory(size);
          written.fill((one) => plain[one]!);
          expect(hashOf(memory)).toBe(hashOf(written));
          written.write(at, plain[at]! ^ 1);
          expect(hashOf(memory)).not.toBe(hashOf(written));
        }
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  test('reads 0 where nobody wrote, and hashes zeros like bytes nobody wrote', () => {
    const untouched = new ByteMemory(size);
    const zeroed = new ByteMemory(size);
    zeroed.write(17, 5);
    zeroed.write(17, 0);

    expect(untouched.slice().every((byte) => byte === 0)).toBe(true);
    expect(hashOf(zeroed)).toBe(hashOf(untouched));
  });

  test('copies overlapping ranges as if byte by byte: forward they propagate', () => {
    const memory = new ByteMemory(16);
    memory.fill((at) => at + 1);

    memory.copyFrom(memory, 0, 2, 8);

    expect([...memory.slice()]).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 11, 12, 13, 14, 15, 16]);
  });

  test('takes and gives bytes across pages as byte by byte, and a fork keeps what was', () => {
    const size = 3 * pageBytes;
    const piece = fc.record({ at: fc.nat(size - 1), bytes: fc.uint8Array({ maxLength: 300 }) });
    const law = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const memory = new ByteMemory(size);
      const plain = new Uint8Array(size);
      for (const { at, bytes } of pieces) {
        // One in so many lies across the end of a page.
        const first = Math.min(size - bytes.length, at % 7 === 0 ? pageBytes - (at % 300) : at);
        const [fork, before] = [memory.fork(), plain.slice()];
        memory.put(first, bytes);
        plain.set(bytes, first);
        const [from, end] = [Math.max(0, first - 5), Math.min(size, first + bytes.length + 5)];
        expect([...memory.slice(from, end)]).toEqual([...plain.subarray(from, end)]);
        expect(Buffer.compare(fork.slice(), before)).toBe(0);
      }
      expect(Buffer.compare(memory.slice(), plain)).toBe(0);
    });

    fc.assert(law, { numRuns: 60, seed: 3 });
  });

  test('is filled with a byte for each address, over the ends of pages', () => {
    const memory = new ByteMemory(pageBytes + 3);
    const fork = memory.fork();

    memory.fill((address) => address + 5);

    expect([0, pageBytes - 1, pageBytes, pageBytes + 2].map((at) => memory.read(at))).toEqual([
      5,
      (pageBytes + 4) % 256,
      (pageBytes + 5) % 256,
      (pageBytes + 7) % 256,
    ]);
    expect(fork.read(pageBytes)).toBe(0);
  });

  test.each([0, -1, 1.5, Number.NaN])('has at least one byte, not %d', (bytes) => {
    expect(() => new ByteMemory(bytes)).toThrow(`a memory has at least 1 byte, not ${bytes}`);
  });

  test('reads zeros behind its end, however far', () => {
    expect(new ByteMemory(8).slice(2 ** 31 + 4094, 2 ** 31 + 4099)).toEqual(new Uint8Array(5));
  });
});
