import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { trial } from './trial.ts';

const cached = { cacheKiB: 32, cpesPerCg: 2, race: { policy: 'off' } };

/** A host program that runs one program on the array, and tells the first words of a buffer before, and what the array leaves there. */
const onWords = (program: CpeProgram, words: number, spawn: 'flush' | 'noflush' = 'flush'): MpeProgram =>
  function* (h) {
    yield h.init();
    const at = h.memAlloc(8192, 64);
    yield h.st(at, 'i32', 1);
    yield spawn === 'flush' ? h.athread_spawn(program, at) : h.athread_spawn_noflush(program, at);
    yield h.athread_join();
    const left = yield* h.ldBlock(at, 'i32', words);
    yield h.tell('left', [...left].join(' '));
  };

/** CPE 1 reads a word plainly, CPE 0 changes it by DMA, CPE 1 reads it again (specification 13, S14). */
const stale = (evicts: boolean): CpeProgram =>
  function* (c, word) {
    if (c.tid === 1) yield c.ld(word, 'i32');
    yield c.ssync_array();
    if (c.tid === 0) {
      const own = c.ldmStatic('own', 4, 4);
      yield c.dma_get(own, word, 4);
      yield c.st(own, 'i32', 1 + (yield* c.ld(own, 'i32')));
      yield c.dma_put(word, own, 4);
    }
    yield c.ssync_array();
    if (c.tid === 1) {
      if (evicts) yield c.scache_evict(word, word);
      yield c.stFlag(word + 256, yield* c.ld(word, 'i32'));
    }
  };
const seen = (told: Readonly<Record<string, number | string>>): number =>
  Number(`${told['left']}`.split(' ')[64]);

test('a line that was read keeps its bytes whatever DMA does to memory, until it is evicted', () => {
  expect(seen(trial(onWords(stale(false), 65), cached).told)).toBe(1);
  expect(seen(trial(onWords(stale(true), 65), cached).told)).toBe(2);
  expect(seen(trial(onWords(stale(false), 65), { ...cached, cacheKiB: 0 }).told)).toBe(2);
});

test('a hit takes 4 cycles, a miss the way to memory more, a dirty victim twice that', () => {
  const times: CpeProgram = function* (c, word) {
    if (c.tid !== 0) return;
    // The four ways of one set, and a fifth line: a set has 128 lines of 64 bytes between its lines.
    const between = 128 * 64;
    const cycles: number[] = [];
    for (const line of [0, 0, 1, 2, 3, 4]) {
      const before = yield* c.stime_cycle();
      yield c.st(word + ((line * between) % 2 ** 20), 'i32', 7);
      cycles.push((yield* c.stime_cycle()) - before - 1);
    }
    for (const [k, count] of cycles.entries()) yield c.stFlag(word + 4096 + 4 * k, count);
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    const at = h.memAlloc(2 ** 20, 64);
    yield h.athread_spawn(times, at);
    yield h.athread_join();
    yield h.tell('cycles', [...(yield* h.ldBlock(at + 4096, 'i32', 6))].join(' '));
  };

  expect(trial(host, cached).told['cycles']).toBe('434 4 434 434 434 864');
});

test('spawn writes dirty lines back when its threads end, spawn_noflush leaves them in the cache', () => {
  const write: CpeProgram = function* (c, word) {
    if (c.tid === 0) yield c.stBlock(word + 64, Int32Array.of(5, 6));
  };

  expect(trial(onWords(write, 18), cached).told['left']).toMatch(/^1 .* 5 6$/);
  expect(trial(onWords(write, 18, 'noflush'), cached).told['left']).toMatch(/^1 .* 0 0$/);
});

test('a flush and an evict bring what was stored to memory at once; other lines stay', () => {
  const write: CpeProgram = function* (c, word) {
    if (c.tid !== 0) return;
    yield c.st(word, 'i32', 11);
    yield c.st(word + 128, 'i32', 12);
    yield c.scache_evict(word + 130, word + 140);
    yield c.stFlag(word + 256, yield* c.ldFlag(word));
    yield c.stFlag(word + 260, yield* c.ldFlag(word + 128));
    yield c.scache_flush_all();
    yield c.stFlag(word + 264, yield* c.ldFlag(word));
  };
  const left = `${trial(onWords(write, 67), cached).told['left']}`.split(' ').map(Number);

  expect(left.slice(64)).toEqual([1, 12, 11]);
});

test('an eviction that ends before it begins is E_RANGE, one of LDM E_SPACE', () => {
  const codes: CpeProgram = function* (c, word) {
    if (c.tid !== 0) return;
    yield c.stFlag(word + 256, Number(yield c.scache_evict(word + 4, word)));
    yield c.stFlag(word + 260, Number(yield c.scache_evict(0x2000, 0x2004)));
  };
  const { told } = trial(onWords(codes, 66), { ...cached, onError: 'return' });

  expect(`${told['left']}`.split(' ').slice(64)).toEqual(['12', '13']);
});

/** What one CPE does to a few words that share sets of the cache, so that lines leave it. */
const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom('load', 'store', 'store', 'block', 'evict', 'flush'),
    // Nine lines of one set, two words of each and one over the end of the line.
    place: fc.tuple(fc.nat(8), fc.constantFrom(0, 8, 60)).map(([line, byte]) => line * 128 * 64 + byte),
    value: fc.nat(1000),
  }),
  { maxLength: 40 },
);

test('one CPE sees plain memory whatever its cache does, and memory is what it saw after the flush (P18)', () => {
  const law = fc.property(deeds, (list) => {
    const words = new Map<number, number>();
    const wrong: string[] = [];
    const play: CpeProgram = function* (c, at) {
      for (const { deed, place, value } of list) {
        if (deed === 'load') {
          const found = yield* c.ld(at + place, 'i32');
          if (found !== (words.get(place) ?? 0)) wrong.push(`${place}: ${found}`);
        } else if (deed === 'store') {
          yield c.st(at + place, 'i32', value);
          words.set(place, value);
        } else if (deed === 'block') {
          yield c.stBlock(at + place, Int32Array.of(value, value + 1));
          words.set(place, value).set(place + 4, value + 1);
        } else if (deed === 'evict') yield c.scache_evict(at + place, at + place + 4);
        else yield c.scache_flush_all();
      }
    };
    const host: MpeProgram = function* (h) {
      yield h.init();
      const at = h.memAlloc(10 * 128 * 64, 64);
      yield h.athread_spawn(play, at);
      yield h.athread_join();
      for (const [place, value] of words)
        if ((yield* h.ld(at + place, 'i32')) !== value) wrong.push(`${place} in memory`);
    };

    expect(trial(host, { ...cached, cpesPerCg: 1 }).run.outcome.verdict).toBe('ok');
    expect(wrong).toEqual([]);
  });

  fc.assert(law, { numRuns: 40, seed: 18 });
});
