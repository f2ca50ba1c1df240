import type { CpeProgram } from '../../../../actors/sunway/program.ts';
import type { HostCase } from '../function-case.ts';
import { join } from '../unloaded.ts';
import { aWhile, badAfterInit, beforeInit, nothing, oneCycle, storing } from './host-plays.ts';

/** Threads (specification 5.1, 5.2). */
export const threadCases: readonly HostCase[] = [
  {
    name: 'init',
    means: 'begins the runtime; a second call changes nothing',
    *play(h) {
      const before = yield h.athread_get_max_threads();
      return [before, yield h.init(), yield h.init(), yield h.athread_get_max_threads()];
    },
    gives: () => [-1, 0, 0, 4],
    takes: oneCycle,
    fails: { never: 'takes no arguments, and may be called again' },
  },
  {
    name: 'athread_create',
    means: 'starts a thread with its argument on one CPE; 1 while it runs, 2 until it is waited for',
    *play(h) {
      const word = h.memAlloc(64);
      const codes = [yield h.athread_create(2, storing(5), word), yield h.athread_create(2, nothing, 0)];
      yield h.compute(aWhile);
      codes.push(yield h.athread_create(2, nothing, 0), yield h.athread_wait(2));
      return [...codes, yield h.ld(word + 8, 'i32')];
    },
    gives: () => [0, 1, 2, 0, 7],
    takes: oneCycle,
    fails: badAfterInit('CPE 64', 'E_TID', (h) => h.athread_create(64, nothing, 0)),
  },
  {
    name: 'athread_wait',
    means: 'returns when the thread has ended, and frees its CPE',
    *play(h) {
      yield h.athread_create(1, nothing, 0);
      yield h.compute(aWhile);
      const codes = [yield h.athread_wait(1), yield h.athread_create(1, nothing, 0)];
      return [...codes, yield h.athread_wait(1)];
    },
    gives: () => [0, 0, 0],
    takes: { formula: 'join.latency from the end of the thread: 600', cycles: join },
    fails: badAfterInit('nothing to wait for', 'E_STATE', (h) => h.athread_wait(3)),
  },
  {
    name: 'athread_spawn',
    means:
      'starts a group on all CPEs; 1 while it runs, 2 until it is joined; dirty lines are written back at its end',
    *play(h) {
      const words = h.memAlloc(64);
      const dirty: CpeProgram = function* (c, at) {
        yield c.st(at + 4 * c.tid, 'i32', 20 + c.tid);
        yield c.compute(5000);
      };
      const codes = [yield h.athread_spawn(dirty, words), yield h.athread_spawn(nothing)];
      yield h.compute(aWhile);
      codes.push(yield h.athread_spawn(nothing), yield h.athread_join());
      return [...codes, (yield* h.ldBlock(words, 'i32', 4)).some((word) => word > 0) ? 1 : 0];
    },
    gives: () => [0, 1, 2, 0, 1],
    takes: oneCycle,
    fails: beforeInit((h) => h.athread_spawn(nothing)),
  },
  {
    name: 'athread_spawn_noflush',
    means: 'starts a group whose dirty lines stay in the caches',
    *play(h) {
      const word = h.memAlloc(64);
      const dirty: CpeProgram = function* (c, at) {
        if (c.tid === 0) yield c.st(at, 'i32', 9);
      };
      const clean: CpeProgram = function* (c) {
        yield c.scache_flush_all();
      };
      yield h.athread_spawn_noflush(dirty, word);
      yield h.athread_join();
      const before = yield h.ld(word, 'i32');
      yield h.athread_spawn(clean);
      yield h.athread_join();
      return [before, yield h.ld(word, 'i32')];
    },
    gives: () => [0, 9],
    takes: oneCycle,
    fails: beforeInit((h) => h.athread_spawn_noflush(nothing)),
  },
  {
    name: 'athread_join',
    means: 'returns when the whole group has ended, and frees it',
    *play(h) {
      const words = h.memAlloc(64);
      yield h.athread_spawn(storing(30), words);
      yield h.compute(aWhile);
      const code = yield h.athread_join();
      return [code, ...(yield* h.ldBlock(words, 'i32', 4))];
    },
    gives: () => [0, 30, 31, 32, 33],
    takes: { formula: 'join.latency from the end of the last thread: 600', cycles: join },
    fails: badAfterInit('nothing spawned', 'E_STATE', (h) => h.athread_join()),
  },
  {
    name: 'athread_get_max_threads',
    means: 'counts the CPEs that are not closed; -1 before init',
    *play(h) {
      return [yield h.athread_get_max_threads()];
    },
    gives: () => [4],
    takes: oneCycle,
    fails: {
      when: 'it is called before init',
      *play(h) {
        return [yield h.athread_get_max_threads()];
      },
      gives: [-1],
    },
  },
];

/** These take CPEs away for good: they come last. */
export const closingCases: readonly HostCase[] = [
  {
    name: 'athread_end',
    means: 'closes one CPE: it starts nothing any more, and counts no more',
    *play(h) {
      const codes = [yield h.athread_end(3), yield h.athread_create(3, nothing, 0), yield h.athread_end(3)];
      return [...codes, yield h.athread_get_max_threads()];
    },
    gives: () => [0, 3, 3, 3],
    takes: oneCycle,
    fails: badAfterInit('CPE -1', 'E_TID', (h) => h.athread_end(-1)),
  },
  {
    name: 'athread_halt',
    means: 'closes the array: no CPE can be used',
    *play(h) {
      const codes = [yield h.athread_halt(), yield h.athread_spawn(nothing), yield h.athread_halt()];
      return [...codes, yield h.athread_get_max_threads()];
    },
    gives: () => [0, 3, 3, 0],
    takes: oneCycle,
    fails: beforeInit((h) => h.athread_halt()),
  },
];
