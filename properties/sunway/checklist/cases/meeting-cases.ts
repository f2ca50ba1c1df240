import type { HostCase } from '../function-case.ts';
import { barrier, fetchAndAdd, ring } from '../unloaded.ts';
import { aWhile, badAfterInit, beforeInit } from './host-plays.ts';

/** Barriers of hosts, alone and with CPEs, from both sides (specification 5.3, 6.2, 9.4). */
export const meetingCases: readonly HostCase[] = [
  {
    name: 'sync_node',
    means: 'holds each host until all live ones have come',
    *play(h) {
      if (h.cgn === 1) yield h.compute(1400);
      const begun = yield h.time_cycle();
      yield h.sync_node();
      return [(yield h.time_cycle()) - begun > 1400 ? 1 : 0];
    },
    gives: (cgn) => [1 - cgn],
    takes: { formula: 'from the last one: 2 * 430 + 200 of the ring', cycles: 2 * fetchAndAdd + ring },
    fails: beforeInit((h) => h.sync_node()),
  },
  {
    name: 'sync_master_spe',
    means: 'meets the CPE that calls ssync_master_spe',
    *play(h) {
      yield h.athread_create(
        1,
        function* (c) {
          yield c.ssync_master_spe();
        },
        0,
      );
      yield h.compute(aWhile);
      return [yield h.sync_master_spe(1), yield h.athread_wait(1)];
    },
    gives: () => [0, 0],
    takes: { formula: 'faa.latency from the last of the two: 430', cycles: fetchAndAdd },
    fails: badAfterInit('CPE 64', 'E_TID', (h) => h.sync_master_spe(64)),
  },
  {
    name: 'ssync_master_spe',
    means: 'meets the host that names the CPE: the host goes on no earlier',
    *play(h) {
      yield h.athread_create(
        1,
        function* (c) {
          yield c.compute(aWhile);
          yield c.ssync_master_spe();
        },
        0,
      );
      const begun = yield h.time_cycle();
      yield h.sync_master_spe(1);
      const waited = (yield h.time_cycle()) - begun;
      yield h.athread_wait(1);
      return [waited > (aWhile * 14) / 15 ? 1 : 0];
    },
    gives: () => [1],
    takes: { formula: 'faa.latency from the last of the two: 430', cycles: fetchAndAdd },
    fails: {
      when: 'the host never names the CPE',
      *play(h) {
        yield h.init();
        yield h.athread_create(
          1,
          function* (c) {
            yield c.ssync_master_spe();
          },
          0,
        );
        yield h.athread_wait(1);
        return [];
      },
      report: /CPE 1 waits/,
    },
  },
  {
    name: 'sync_master_array',
    means: 'meets all CPEs of the group',
    *play(h) {
      yield h.athread_spawn(function* (c) {
        yield c.ssync_master_array();
      });
      yield h.compute(aWhile);
      return [yield h.sync_master_array(), yield h.athread_join()];
    },
    gives: () => [0, 0],
    takes: { formula: 'faa.latency behind the barrier of the array: 430', cycles: fetchAndAdd },
    fails: badAfterInit('threads that are no group', 'E_STATE', (h) => h.sync_master_array()),
  },
  {
    name: 'ssync_master_array',
    means: 'holds all CPEs and the host until all have come',
    *play(h) {
      const words = h.memAlloc(64);
      yield h.athread_spawn(function* (c, at) {
        yield c.compute(c.tid === 3 ? 2 * aWhile : aWhile);
        const begun = yield c.stime_cycle();
        yield c.ssync_master_array();
        const waited = (yield c.stime_cycle()) - begun;
        yield c.stFlag(at + 4 * c.tid, waited > aWhile ? 1 : 0);
      }, words);
      yield h.sync_master_array();
      yield h.athread_join();
      return [...(yield* h.ldBlock(words, 'i32', 4))];
    },
    gives: () => [1, 1, 1, 0],
    takes: {
      formula: 'two barriers of the array with 430 between them, each 18 for four columns and 14 for one row',
      cycles: 2 * (barrier(1) + barrier(0)) + fetchAndAdd,
    },
    fails: {
      when: 'the host does not come',
      *play(h) {
        yield h.init();
        yield h.athread_spawn(function* (c) {
          yield c.ssync_master_array();
        });
        yield h.athread_join();
        return [];
      },
      report: /CPE 0 waits/,
    },
  },
];
