import { describe, expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { watchRaces } from '../../machines/sunway/monitors/race-monitor.ts';
import { trial } from './trial.ts';

const small = { cpesPerCg: 4, fidelity: 'functional' } as const;
/** One clock for hosts and CPEs, so that hosts can measure cycles of the node. */
const sameClock = { cpesPerCg: 4, timing: { clk: { cpe: 2250, mpe: 2250 } } } as const;

/** What a host is told by calls that a generator makes, one after the other. */
const codes = (calls: MpeProgram, config: object = {}) =>
  trial(calls, { ...small, onError: 'return', ...config }).told['codes'];

describe('before init', () => {
  test('every call of the runtime is refused, and a second init changes nothing', () => {
    const early: MpeProgram = function* (h) {
      const told = [
        yield h.sync_node(),
        yield h.sync_master_array(),
        yield h.mutex_lock_node(),
        yield h.mutex_trylock(h.memAlloc(8)),
        yield h.task_fetch('p', 1, 1),
        yield h.task_quit(),
        yield h.sig_user_init(function* () {}),
        yield h.athread_spawn(function* () {}),
        yield h.athread_get_max_threads(),
        yield h.init(),
        yield h.init(),
        yield h.athread_get_max_threads(),
      ];
      yield h.tell('codes', told.join(' '));
    };

    expect(codes(early)).toBe('4 4 4 4 4 4 4 4 -1 0 0 4');
  });
});

describe('meetings of hosts', () => {
  test('release all when the last has come, after two atomic accesses and the ring', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.compute(1000 * (h.cgn + 1) - 1);
      const before = yield h.time_cycle();
      yield h.sync_node();
      yield h.tell('came', before);
      yield h.tell('left', yield h.time_cycle());
    };

    const { result } = trial(host, { ...sameClock, cgs: 3 });

    expect(result.told.map(({ came }) => came)).toEqual([1000, 2000, 3000]);
    // 2 * 430 + 200, behind the cycles of the clock and of the first telling.
    expect(new Set(result.told.map(({ left }) => left))).toEqual(new Set([3000 + 2 + 1060]));
    expect(result.counters['hosts']).toBe(3);
  });

  test('are for live hosts: one that has ended is not waited for', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      if (h.cgn === 0) return;
      yield h.sync_node();
      yield h.tell('met', 1);
    };

    expect(trial(host, { ...small, cgs: 3 }).result.told).toEqual([{}, { met: 1 }, { met: 1 }]);
  });
});

describe('meetings of a host and its CPEs', () => {
  const meetOne: CpeProgram = function* (c) {
    yield c.compute(500);
    yield c.ssync_master_spe();
  };

  test('of one CPE: each side counts one, and nobody else is concerned', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_create(2, meetOne, 0);
      const told = [yield h.sync_master_spe(2), yield h.sync_master_spe(4), yield h.sync_master_spe(-1)];
      told.push(yield h.athread_wait(2));
      yield h.tell('codes', told.join(' '));
    };

    const { told, result } = trial(host, { ...small, onError: 'return' });

    expect(told['codes']).toBe('0 15 15 0');
    expect(result.counters).toEqual({ 'spe 0 2': 2 });
  });

  test('take an atomic access from the coming of the second one', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_create(2, meetOne, 0);
      yield h.compute(20_000);
      const before = yield h.time_cycle();
      yield h.sync_master_spe(2);
      yield h.tell('took', (yield h.time_cycle()) - before);
      yield h.athread_wait(2);
    };

    expect(trial(host, sameClock).told['took']).toBe(431);
  });

  test('of the array need threads that were started as a group', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const told = [yield h.sync_master_array()];
      yield h.athread_create(0, function* () {}, 0);
      told.push(yield h.sync_master_array(), yield h.athread_wait(0));
      yield h.tell('codes', told.join(' '));
    };

    expect(codes(host)).toBe('4 4 0');
  });

  test('order what the host writes before them: a read that does not wait for them is a conflict', () => {
    const reading = (early: boolean): MpeProgram =>
      function* (h) {
        yield h.init();
        const word = h.memAlloc(4);
        yield h.athread_spawn(function* (c) {
          const own = c.ldmStatic('own', 4);
          if (early) yield c.dma_get(own, word, 4);
          yield c.ssync_master_array();
          if (!early) yield c.dma_get(own, word, 4);
        });
        yield h.st(word, 'i32', 1);
        yield h.sync_master_array();
        yield h.athread_join();
      };

    const violations = (early: boolean) =>
      trial(reading(early), small, {}, (run) => watchRaces(run, sunwayConfig.parse(small))).run.outcome
        .violations;

    expect(violations(false)).toEqual([]);
    expect(violations(true)[0]?.why).toMatch(/MemoryConflict/);
  });
});

describe('locks of hosts', () => {
  test('of the node: one holds it, a try says so at once, those who wait get it in their order', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.compute(10 * (h.cgn + 1));
      const busy = h.cgn === 2 ? yield h.mutex_trylock_node() : 0;
      yield h.mutex_lock_node();
      const got = yield h.time_cycle();
      yield h.compute(5000);
      yield h.mutex_unlock_node();
      yield h.tell('busy', busy);
      yield h.tell('got', got);
    };

    const { result, run } = trial(host, { ...sameClock, cgs: 3 });
    const got = result.told.map((told) => Number(told['got']));

    expect(run.outcome.verdict).toBe('ok');
    expect(result.told[2]!['busy']).toBe(1);
    expect(got.toSorted((a, b) => a - b)).toEqual(got);
    expect(got[1]! - got[0]!).toBeGreaterThan(5000);
  });

  test('of the node are granted after 450 cycles', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const before = yield h.time_cycle();
      yield h.mutex_lock_node();
      yield h.tell('took', (yield h.time_cycle()) - before);
      yield h.mutex_unlock_node();
    };

    expect(trial(host, sameClock).told['took']).toBe(451);
  });

  test('on variables are one a variable; in the cross segment they are those of the node', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const common = h.crossAlloc(8);
      const own = h.memAlloc(8);
      const told = [yield h.mutex_trylock(own)];
      if (h.cgn === 0) {
        told.push(yield h.mutex_lock(common));
        yield h.compute(3000);
        told.push(yield h.mutex_unlock(common));
      } else {
        yield h.compute(1000);
        told.push(yield h.mutex_trylock(common), yield h.mutex_lock(common));
        told.push(yield h.mutex_unlock(common));
      }
      yield h.tell('codes', told.join(' '));
    };

    const { result } = trial(host, { ...small, cgs: 2 });

    expect(result.told).toEqual([{ codes: '0 0 0' }, { codes: '0 1 0 0' }]);
  });

  test('given back by another one, or by nobody, are refused and reported', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const word = h.crossAlloc(8);
      if (h.cgn === 0) yield h.mutex_lock(word);
      yield h.compute(1000);
      if (h.cgn === 1)
        yield h.tell('codes', [yield h.mutex_unlock(word), yield h.mutex_unlock_node()].join(' '));
      yield h.compute(1000);
      if (h.cgn === 0) yield h.mutex_unlock(word);
    };

    const { result, run } = trial(host, { ...small, cgs: 2, onError: 'return' });

    expect(result.told[1]).toEqual({ codes: '4 4' });
    expect(run.outcome.violations.map(({ why }) => /BadUnlock/.test(why))).toEqual([true, true]);
  });

  test('on a variable that is none are refused', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const word = h.memAlloc(8);
      const told = [yield h.mutex_lock(word + 2), yield h.mutex_trylock(64), yield h.mutex_unlock(64)];
      yield h.tell('codes', told.join(' '));
    };

    expect(codes(host)).toBe('10 12 12');
  });

  test('taken twice by one host stand still', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.mutex_lock_node();
      yield h.mutex_lock_node();
    };

    expect(trial(host, small).run.outcome.verdict).toBe('deadlock');
  });
});

describe('locks and barriers of all CPEs of the node', () => {
  test('let one CPE of any core group in, after 450 cycles each', () => {
    const count: CpeProgram = function* (c, word) {
      yield c.smutex_lock_node();
      yield c.st(word, 'i32', (yield* c.ld(word, 'i32')) + 1);
      yield c.smutex_unlock_node();
    };
    const host: MpeProgram = function* (h) {
      yield h.init();
      const word = h.crossAlloc(4);
      yield h.athread_spawn(count, word);
      yield h.athread_join();
      yield h.sync_node();
      yield h.tell('count', yield* h.ld(word, 'i32'));
    };

    const { result, run } = trial(host, { cgs: 3, cpesPerCg: 4 });

    expect(run.outcome.violations).toEqual([]);
    expect(result.told.map(({ count: told }) => told)).toEqual([12, 12, 12]);
    expect(run.now).toBeGreaterThan(12 * 450);
  });

  test('release no CPE before the last one of the node has come, also where an array was halted', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const out = h.memAlloc(64);
      if (h.cgn === 2) {
        yield h.athread_halt();
        yield h.sync_node();
        return;
      }
      yield h.athread_spawn(function* (c) {
        const left = c.ldmStatic('left', 8, 8);
        yield c.compute(2000 * (c.cgn + 1));
        yield c.ssync_node();
        yield c.st(left, 'f64', yield c.stime_cycle());
        yield c.dma_put(out + 8 * c.tid, left, 8);
      });
      yield h.athread_join();
      yield h.sync_node();
      const left = yield* h.ldBlock(out, 'f64', 4);
      yield h.tell('least', Math.min(...left));
    };

    const { result, run } = trial(host, { ...sameClock, cgs: 3 });

    expect(run.outcome.verdict).toBe('ok');
    for (const told of result.told.slice(0, 2)) expect(told['least']).toBeGreaterThan(9000 + 4000 + 1060);
    expect(result.counters['node']).toBe(2);
  });
});

/** Cycles that a call takes on CPE 63 when all CPEs and the host come at once. */
const cyclesOf = (call: (c: CpeApi) => CpeOperation, meets: boolean): number => {
  const host: MpeProgram = function* (h) {
    yield h.init();
    const out = h.memAlloc(8);
    yield h.athread_spawn(function* (c) {
      const took = c.ldmStatic('took', 8, 8);
      yield c.compute(1000);
      const before = yield c.stime_cycle();
      yield call(c);
      yield c.st(took, 'f64', (yield c.stime_cycle()) - before);
      if (c.tid === 63) yield c.dma_put(out, took, 8);
    });
    if (meets) yield h.sync_master_array();
    yield h.athread_join();
    yield h.tell('took', yield* h.ld(out, 'f64'));
  };
  return Number(trial(host).told['took']);
};

describe('barriers of the array with somebody outside', () => {
  test('take two barriers of the array and an atomic access with the host, two of them and the ring with the node', () => {
    // 26 cycles for a row, 26 for a column, both twice; the second look at the clock is one more.
    expect(cyclesOf((c) => c.ssync_master_array(), true)).toBe(4 * 26 + 430 + 1);
    expect(cyclesOf((c) => c.ssync_node(), false)).toBe(4 * 26 + 2 * 430 + 200 + 1);
  });
});

describe('clocks', () => {
  test('of hosts count 14 cycles while those of CPEs count 15, both from 0 on', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.compute(1399);
      yield h.tell('cycle', yield h.time_cycle());
    };

    const { told, run } = trial(host, small);

    expect(told['cycle']).toBe(1400);
    expect(run.now).toBeGreaterThanOrEqual(1500);
  });

  test.each([
    [0, '0 0 0 0'],
    [100, '0 100 200 300'],
  ])(
    'of CPEs are equal, or each ahead of the one before it by what is configured: %i',
    (clockSkew, ahead) => {
      const host: MpeProgram = function* (h) {
        yield h.init();
        const out = h.memAlloc(32);
        yield h.athread_spawn(function* (c) {
          const cycle = c.ldmStatic('cycle', 8, 8);
          yield c.st(cycle, 'f64', yield c.stime_cycle());
          yield c.dma_put(out + 8 * c.tid, cycle, 8);
        });
        yield h.athread_join();
        const cycles = yield* h.ldBlock(out, 'f64', 4);
        yield h.tell('ahead', [...cycles].map((one) => one - cycles[0]!).join(' '));
      };

      expect(trial(host, { ...small, clockSkew }).told['ahead']).toBe(ahead);
    },
  );
});

describe.each(['explicit', 'fast'] as const)(
  'a CPE that is closed while others wait for it (%s)',
  (detail) => {
    test.each([
      ['all others have come: they go on', 0, 1000],
      // 14 cycles of hosts are 15 of CPEs.
      ['one has not: they wait for that one', 7500, 7000],
    ])('%s', (_name, late, atLeast) => {
      const meet: CpeProgram = function* (c) {
        if (c.tid === 2) yield c.compute(late);
        yield c.ssync_array();
        yield c.ssync_row();
      };
      const host: MpeProgram = function* (h) {
        yield h.init();
        for (const tid of [0, 1, 2]) yield h.athread_create(tid, meet, 0);
        yield h.compute(1000);
        const closed = yield h.time_cycle();
        yield h.athread_end(3);
        for (const tid of [0, 1, 2]) yield h.athread_wait(tid);
        yield h.tell('since', (yield h.time_cycle()) - closed);
        yield h.tell('closed', closed);
      };

      const { run, told } = trial(host, { ...small, detail });

      expect(run.outcome.verdict).toBe('ok');
      const ended = Number(told['since']) + Number(told['closed']);
      expect(ended).toBeGreaterThanOrEqual(atLeast);
      expect(ended).toBeLessThan(atLeast + 100);
    });
  },
);
