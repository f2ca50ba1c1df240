import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/**
 * CPE 1 reads a word before and after CPE 0 has changed it by DMA; a barrier does not make its cache forget.
 *
 * Details: the first barrier orders the first read before the put. Without it nothing does, and CPE 1 may see 2 at once (specification 7.3).
 */
const readTwice = (evicts: boolean): CpeProgram =>
  function* (c, word) {
    const own = c.ldmStatic('own', 4);
    let seen = 0;
    if (c.tid === 1) seen = yield* c.ld(word, 'i32');
    yield c.ssync_array();
    if (c.tid === 0) {
      yield c.dma_get(own, word, 4);
      yield c.st(own, 'i32', (yield* c.ld(own, 'i32')) + 1);
      yield c.dma_put(word, own, 4);
    }
    yield c.ssync_array();
    if (c.tid !== 1) return;
    if (evicts) yield c.scache_evict(word, word);
    const again = yield* c.ld(word, 'i32');
    const told = c.ldmStatic('told', 8);
    yield c.stBlock(told, Int32Array.of(seen, again));
    yield c.dma_put(word + 256, told, 8);
  };

/** Begins with 1 in the word, and tells what CPE 1 has seen. */
const onWord = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const word = h.memAlloc(512, 128);
    yield h.st(word, 'i32', 1);
    yield h.athread_spawn(program, word);
    yield h.athread_join();
    const seen = yield* h.ldBlock(word + 256, 'i32', 2);
    yield h.tell('seen by CPE 1', [...seen].join(' '));
    yield h.tell('in memory', yield* h.ld(word, 'i32'));
  };

/** A cached word that somebody else changes (specification 13, S14). */
export const staleCache = onWord(readTwice(false));
/** The same with an eviction before the second read. */
export const evictedCache = onWord(readTwice(true));
