import type { HostCase } from '../function-case.ts';
import { fetchAndAdd, ldmAccess } from '../unloaded.ts';
import { aWhile, badAfterInit, beforeInit, ofThread, oneCycle } from './host-plays.ts';

/** Time, signals, files, tasks and caches (specification 5.5 to 5.7, 6.8, 6.9). */
export const hostServiceCases: readonly HostCase[] = [
  {
    name: 'time_cycle',
    means: 'counts cycles of the host',
    *play(h) {
      const begun = yield h.time_cycle();
      yield h.compute(1400);
      return [Math.abs((yield h.time_cycle()) - begun - 1401) <= 1 ? 1 : 0];
    },
    gives: () => [1],
    takes: oneCycle,
    fails: beforeInit((h) => h.time_cycle()),
  },
  {
    name: 'sig_user_init',
    means: 'registers the handler of signals, which gets what the CPE sent',
    *play(h) {
      let heard = 0;
      yield h.sig_user_init(function* (_h, content) {
        heard += content;
        yield h.compute(1);
      });
      yield h.athread_create(
        0,
        function* (c) {
          yield c.ssig_host(640);
        },
        0,
      );
      yield h.athread_wait(0);
      return [heard];
    },
    gives: () => [640],
    takes: oneCycle,
    fails: beforeInit((h) => h.sig_user_init(function* () {})),
  },
  {
    name: 'ssig_host',
    means: 'sends signals that are handled in their order, none lost',
    *play(h) {
      const heard: number[] = [];
      yield h.sig_user_init(function* (_h, content) {
        heard.push(content);
        yield h.compute(100);
      });
      yield h.athread_create(
        0,
        function* (c) {
          for (const content of [8, 16, 24]) yield c.ssig_host(content);
        },
        0,
      );
      yield h.athread_wait(0);
      yield h.compute(aWhile);
      return heard;
    },
    gives: () => [8, 16, 24],
    takes: { formula: 'to the path and back: 2', cycles: 2 },
    fails: {
      with: 'a content that is no address',
      *play(h) {
        yield h.init();
        return [yield* ofThread(h, (c) => c.ssig_host(-4))];
      },
      code: 'E_RANGE',
    },
  },
  {
    name: 'sio_fwrite',
    means: 'appends bytes to a file in one piece',
    *play(h) {
      if (h.cgn === 1) return [];
      yield h.athread_create(
        0,
        function* (c) {
          const own = c.ldmStatic('own', 8);
          yield c.stBlock(own, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
          yield c.sio_fwrite('out', own, 8);
          yield c.sio_fwrite('out', own + 4, 3);
        },
        0,
      );
      yield h.athread_wait(0);
      return [];
    },
    gives: () => [],
    leaves: { file: 'out', digits: '0102030405060708050607' },
    takes: {
      formula: 'the bytes loaded, then as long as a store to memory: 4 + 430',
      cycles: ldmAccess + fetchAndAdd,
    },
    fails: {
      with: 'a source of no space',
      *play(h) {
        yield h.init();
        return [yield* ofThread(h, (c) => c.sio_fwrite('out', 2 ** 43, 8))];
      },
      code: 'E_RANGE',
    },
  },
  {
    name: 'task_fetch',
    means: 'hands out each number once, then -1; finished blocks are in the mid file',
    *play(h) {
      if (h.cgn === 1) yield h.compute(aWhile);
      const got: number[] = [];
      for (;;) {
        const task = yield h.task_fetch('tasks', 5, 2);
        got.push(task);
        if (task < 0) return got;
      }
    },
    gives: (cgn) => (cgn === 0 ? [0, 1, 2, 3, 4, -1] : [-1]),
    leaves: { file: 'tasks', digits: '010101' },
    takes: { formula: 'from the block at hand: 2; a new block takes faa.latency', cycles: 2 },
    fails: {
      when: 'name, number of tasks or size of blocks is none: -2',
      *play(h) {
        yield h.init();
        return [yield h.task_fetch('', 5, 2), yield h.task_fetch('p', 0, 2), yield h.task_fetch('p', 5, 0)];
      },
      gives: [-2, -2, -2],
    },
  },
  {
    name: 'task_quit',
    means: 'marks all tasks complete: every later fetch is told -1',
    *play(h) {
      if (h.cgn === 1) yield h.compute(aWhile);
      const got = [yield h.task_fetch('search', 8, 1)];
      if (h.cgn === 0) got.push(yield h.task_quit(), yield h.task_fetch('search', 8, 1));
      return got;
    },
    gives: (cgn) => (cgn === 0 ? [0, 0, -1] : [-1]),
    leaves: { file: 'search', digits: '0101010101010101' },
    takes: { formula: 'faa.latency: 430', cycles: fetchAndAdd },
    fails: badAfterInit('no pool', 'E_STATE', (h) => h.task_quit()),
  },
  {
    name: 'scache_evict',
    means: 'lines of the range leave the cache, dirty ones are written back; others stay',
    *play(h) {
      const [words, out] = [h.memAlloc(256, 64), h.memAlloc(64)];
      yield h.athread_create(
        0,
        function* (c) {
          yield c.st(words, 'i32', 6);
          yield c.st(words + 128, 'i32', 7);
          yield c.scache_evict(words, words);
          // A DMA get looks past the cache.
          const own = c.ldmStatic('own', 256);
          yield c.dma_get(own, words, 256);
          yield c.stFlag(out, yield c.ld(own, 'i32'));
          yield c.stFlag(out + 4, yield c.ld(own + 128, 'i32'));
        },
        0,
      );
      yield h.athread_wait(0);
      return [...(yield* h.ldBlock(out, 'i32', 2))];
    },
    gives: () => [6, 0],
    takes: { formula: 'to the cache, a cycle for the line, its write back: 1 + 1 + 430', cycles: 2 + 430 },
    fails: {
      with: 'an end before its start',
      *play(h) {
        yield h.init();
        const memory = h.memAlloc(128);
        return [yield* ofThread(h, (c) => c.scache_evict(memory + 64, memory))];
      },
      code: 'E_RANGE',
    },
  },
  {
    name: 'scache_flush_all',
    means: 'all dirty lines are written back',
    *play(h) {
      const [words, out] = [h.memAlloc(256, 64), h.memAlloc(64)];
      yield h.athread_create(
        0,
        function* (c) {
          yield c.st(words, 'i32', 6);
          yield c.st(words + 128, 'i32', 7);
          yield c.scache_flush_all();
          const own = c.ldmStatic('own', 256);
          yield c.dma_get(own, words, 256);
          yield c.stFlag(out, yield c.ld(own, 'i32'));
          yield c.stFlag(out + 4, yield c.ld(own + 128, 'i32'));
        },
        0,
      );
      yield h.athread_wait(0);
      return [...(yield* h.ldBlock(out, 'i32', 2))];
    },
    gives: () => [6, 7],
    takes: {
      formula: 'to the cache, a cycle for each of two lines, the write back of the last: 1 + 2 + 430',
      cycles: 3 + 430,
    },
    fails: { never: 'takes no arguments; an empty cache has nothing to write' },
  },
];
