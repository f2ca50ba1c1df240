import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../kernel/hash.ts';
import { cacheWays, DataCache, lineBytes, lineOf, type WriteBack } from './data-cache.ts';

const filled = (value: number) => new Uint8Array(lineBytes).fill(value);
/** One set, so that every line competes with every other. */
const oneSet = () => new DataCache(lineBytes * cacheWays);

/** A memory that a cache stands before, as one CPE sees it. */
class Cached {
  readonly memory = new Uint8Array(2048);
  readonly cache = new DataCache(512);

  load(address: number): number {
    this.#fetch(address);
    return this.cache.read(address, 1)[0]!;
  }

  store(address: number, value: number): void {
    this.#fetch(address);
    this.cache.write(address, Uint8Array.of(value));
  }

  writeBack(lines: readonly WriteBack[]): void {
    for (const { address, data } of lines) this.memory.set(data, address);
  }

  #fetch(address: number): void {
    if (this.cache.holds(address)) return;
    const first = lineOf(address);
    const back = this.cache.fill(first, this.memory.slice(first, first + lineBytes));
    if (back) this.writeBack([back]);
  }
}

describe('a data cache', () => {
  test('lets the least recently used line of a set go, and gives it back when it is dirty', () => {
    const cache = oneSet();
    for (const line of [0, 1, 2, 3]) cache.fill(line * lineBytes, filled(line));
    cache.write(0, Uint8Array.of(9));
    cache.read(lineBytes, 4);

    expect(cache.victim(4 * lineBytes)).toBeUndefined();
    expect(cache.fill(4 * lineBytes, filled(4))).toBeUndefined();
    expect(cache.holds(2 * lineBytes)).toBe(false);
    expect(cache.fill(5 * lineBytes, filled(5))).toBeUndefined();
    expect(cache.holds(3 * lineBytes)).toBe(false);
    const expected = filled(0);
    expected[0] = 9;
    expect(cache.victim(6 * lineBytes)).toEqual({ address: 0, data: expected });
    expect(cache.fill(6 * lineBytes, filled(6))).toEqual({ address: 0, data: expected });
  });

  test('evicts the lines that intersect a range, both ends included, and tells the dirty ones', () => {
    const cache = new DataCache(1024);
    for (const line of [0, 1, 2, 3]) cache.fill(line * lineBytes, filled(line));
    cache.write(130, Uint8Array.of(7));

    const walk = cache.evict(64, 128);

    expect(walk.dropped).toBe(2);
    expect(walk.dirty.map(({ address, data }) => [address, data[2]])).toEqual([[128, 7]]);
    expect([0, 1, 2, 3].map((line) => cache.holds(line * lineBytes))).toEqual([true, false, false, true]);
  });

  test('keeps what it read until the line leaves, whatever happens in memory', () => {
    const one = new Cached();
    one.memory[100] = 1;

    expect(one.load(100)).toBe(1);
    one.memory[100] = 2;
    expect(one.load(100)).toBe(1);
    one.cache.evict(100, 100);
    expect(one.load(100)).toBe(2);
  });

  test('before a memory is that memory, and after a flush the memory has all that was stored', () => {
    const access = fc.record({ address: fc.nat(2047), value: fc.option(fc.nat(255), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(access, { maxLength: 400 }), fc.nat(1500), (accesses, evicted) => {
        const plain = new Uint8Array(2048);
        const cached = new Cached();
        const loaded: number[] = [];
        accesses.forEach(({ address, value }, index) => {
          if (value === undefined) loaded.push(cached.load(address) - plain[address]!);
          else {
            plain[address] = value;
            cached.store(address, value);
          }
          if (index === 100) cached.writeBack(cached.cache.evict(evicted, evicted + 700).dirty);
        });

        cached.writeBack(cached.cache.flush().dirty);

        expect(loaded.every((difference) => difference === 0)).toBe(true);
        expect(cached.memory.every((byte, address) => byte === plain[address])).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('that is forked goes its own way and hashes as its state', () => {
    const cache = oneSet();
    cache.fill(0, filled(1));
    const before = hashOf(cache);

    const other = cache.fork();
    other.write(4, Uint8Array.of(5));

    expect(hashOf(cache)).toBe(before);
    expect(hashOf(other)).not.toBe(before);
    expect([...cache.read(4, 1), ...other.read(4, 1)]).toEqual([1, 5]);
  });
});
