import { describe, expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { onArray, trial } from './trial.ts';

/** What CPE 5 is told by a call; `memory` is an address of main memory. */
function codeOf(call: (c: CpeApi, memory: number) => CpeOperation): number {
  const asks: CpeProgram = function* (c, out) {
    const code = c.ldmStatic('code', 8, 8);
    const told = c.tid === 5 ? yield call(c, out) : 0;
    yield c.st(code, 'f64', told);
    yield c.dma_put(out + 8 * c.tid, code, 8);
  };
  return Number(trial(onArray(asks), { onError: 'return', fidelity: 'functional' }).told['5']);
}

describe('bad arguments', () => {
  test.each([
    ['an address that is not a multiple of 4', (c, m) => c.dma_get(0x2002, m, 8), returnCode.E_ALIGN],
    ['a length of 6', (c, m) => c.dma_get(0x2000, m, 6), returnCode.E_LEN],
    ['the page of the runtime', (c, m) => c.dma_get(0x100, m, 8), returnCode.E_RANGE],
    ['two pointers into LDM', (c) => c.dma_get(0x2000, 0x3000, 8), returnCode.E_SPACE],
    [
      'blocks that do not divide the length',
      (c, m) => c.dma_get_stride(0x2000, m, 16, 12, 8),
      returnCode.E_STRIDE,
    ],
    ['a CPE that is none', (c) => c.rma_get(0x2000, 8, 64, 0x2000, null), returnCode.E_TID],
    ['an empty mask', (c) => c.rma_row_mcast(0x2000, 0x2000, 8, 0, null), returnCode.E_MASK],
    ['itself as a peer', (c) => c.ssync_peer(5), returnCode.E_TID],
    ['the left columns, in a right one', (c) => c.ssync_col_left(), returnCode.E_STATE],
    ['a lock that nobody holds', (c) => c.smutex_unlock_row(), returnCode.E_STATE],
  ] as readonly [string, (c: CpeApi, memory: number) => CpeOperation, number][])(
    '%s: the program gets the code',
    (_what, call, code) => {
      expect(codeOf(call)).toBe(code);
    },
  );

  test('stop the run with a report of function, arguments, core and cycle, when they trap', () => {
    const wrong: CpeProgram = function* (c, out) {
      if (c.tid === 5) yield c.dma_get(0x2002, out, 8);
    };
    const { verdict, failure, violations } = trial(onArray(wrong)).run.outcome;

    expect(verdict).toBe('error');
    expect(failure?.actor).toBe('Cg[0].Cpe[5]');
    expect(violations[0]?.why).toMatch(
      /E_ALIGN from dma_get\(dst 0x2002, .*\) on CPE 5 of core group 0 in cycle \d+/,
    );
  });
});

/** What a host program is told by its calls, one after the other. */
const hostCodes = (calls: MpeProgram): string =>
  String(trial(calls, { onError: 'return', fidelity: 'functional' }).told['codes']);

describe('threads', () => {
  test('a CPE is busy, then unreaped, then free, then closed', () => {
    const work: CpeProgram = function* (c) {
      yield c.compute(500);
    };
    const host: MpeProgram = function* (h) {
      const early = yield h.athread_create(3, work, 0);
      yield h.init();
      const codes = [early, yield h.athread_create(3, work, 0), yield h.athread_create(3, work, 0)];
      yield h.compute(5000);
      codes.push(yield h.athread_create(3, work, 0), yield h.athread_wait(3), yield h.athread_wait(3));
      codes.push(
        yield h.athread_end(3),
        yield h.athread_create(3, work, 0),
        yield h.athread_get_max_threads(),
      );
      codes.push(yield h.athread_join(), yield h.athread_halt(), yield h.athread_spawn(work));
      yield h.tell('codes', codes.join(' '));
    };

    expect(hostCodes(host)).toBe('4 0 1 2 0 4 0 3 63 4 0 3');
  });
});

describe('locks and meetings', () => {
  test('an array lock lets one CPE at a time count in memory', () => {
    const add: CpeProgram = function* (c, word) {
      yield c.smutex_lock_array();
      const before = yield* c.ld(word, 'i32');
      yield c.st(word, 'i32', before + 1);
      yield c.smutex_unlock_array();
    };
    const host: MpeProgram = function* (h) {
      yield h.init();
      const word = h.memAlloc(4);
      yield h.athread_spawn(add, word);
      yield h.athread_join();
      yield h.tell('count', yield* h.ld(word, 'i32'));
    };

    expect(trial(host).told['count']).toBe(64);
  });

  test('host and array take turns three times, and the parity word counts both (specification 13, S13)', () => {
    const listen: CpeProgram = function* (c, word) {
      const round = c.ldmStatic('round', 4);
      const sum = c.ldmStatic('sum', 4);
      let total = 0;
      for (let k = 0; k < 3; k++) {
        yield c.ssync_master_array();
        yield c.dma_get(round, word, 4);
        total += yield* c.ld(round, 'i32');
        yield c.ssync_array();
      }
      yield c.st(sum, 'i32', total);
      yield c.dma_put(word + 4 + 4 * c.tid, sum, 4);
    };
    const host: MpeProgram = function* (h) {
      yield h.init();
      const word = h.memAlloc(4 * 65);
      yield h.athread_spawn(listen, word);
      for (let k = 1; k <= 3; k++) {
        yield h.st(word, 'i32', k);
        yield h.sync_master_array();
        yield h.compute(4000);
      }
      yield h.athread_join();
      const sums = yield* h.ldBlock(word + 4, 'i32', 64);
      yield h.tell('sixes', sums.filter((one) => one === 6).length);
    };

    expect(trial(host).told['sixes']).toBe(64);
  });

  test('all arrays of the node meet', () => {
    const meet: CpeProgram = function* (c) {
      yield c.compute(100 * c.cgn + c.tid);
      yield c.ssync_node();
    };
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_spawn(meet);
      yield h.athread_join();
      yield h.sync_node();
      yield h.tell('met', 1);
    };
    const { run, result } = trial(host, { cgs: 2, cpesPerCg: 8 });

    expect(run.outcome.verdict).toBe('ok');
    expect(result.told).toEqual([{ met: 1 }, { met: 1 }]);
  });
});
