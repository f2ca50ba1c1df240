import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { onArray, trial, watchedTrial } from './trial.ts';

const few = { cpesPerCg: 4 };
const why = ({ run }: ReturnType<typeof trial>) => run.outcome.violations.map((one) => one.why);

/** A host that starts threads which take long, and does something meanwhile. */
const meanwhile = (thread: CpeProgram, act: MpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    yield h.athread_spawn(thread);
    yield h.compute(10_000);
    yield* act(h);
  };
const long: CpeProgram = function* (c) {
  yield c.compute(100_000);
  yield c.ssync_array();
};

describe('athread_halt while threads run (Sunway specification 5.2, 8.2: any -> Offline)', () => {
  test('stops them: nobody finishes, and no CPE can be used', () => {
    const { run, told, result } = trial(
      meanwhile(long, function* (h) {
        yield h.tell('halted', yield h.athread_halt());
        yield h.tell('spawned', yield h.athread_spawn(long));
        yield h.tell('threads', yield h.athread_get_max_threads());
      }),
      { ...few, onError: 'return' },
    );

    expect(told).toEqual({ halted: 0, spawned: 3, threads: 0 });
    expect(run.outcome.verdict).toBe('ok');
    expect(result.deadlock).toEqual([]);
  });

  test('closes CPEs whose threads have finished and that nobody has waited for, too', () => {
    const { told } = trial(
      meanwhile(
        function* (c) {
          yield c.compute(10);
        },
        function* (h) {
          yield h.tell('halted', yield h.athread_halt());
          yield h.tell('again', yield h.athread_halt());
        },
      ),
      few,
    );

    expect(told).toEqual({ halted: 0, again: 3 });
  });

  test('lets a host go that waits for them, when its handler halts the array', () => {
    const { told, run } = trial(
      function* (h) {
        yield h.init();
        yield h.sig_user_init(function* (inner) {
          yield inner.tell('halted', yield inner.athread_halt());
        });
        yield h.athread_spawn(function* (c) {
          if (c.tid === 0) yield c.ssig_host(0);
          yield c.compute(500_000);
        });
        yield h.tell('joined', yield h.athread_join());
      },
      { ...few, onError: 'return' },
    );

    expect(told).toEqual({ halted: 0, joined: 0 });
    expect(run.outcome.verdict).toBe('ok');
  });
});

test('signal 35 ends the job in its cycle, whatever was under way (Sunway specification 5.7)', () => {
  const job = { bsignal: [{ signal: 35, at: 12_000 }] };
  const { result } = trial(
    meanwhile(long, function* () {}),
    { ...few, job },
  );
  const whole = trial(
    meanwhile(long, function* () {}),
    few,
  );

  expect(result.cycles).toBe(12_000);
  expect(whole.result.cycles).toBeGreaterThan(100_000);
});

test('fuzz.seed gives the default schedule delays of its own, the same for the same seed (Sunway specification 2.2)', () => {
  const cycles = (fuzz: object) => trial(onArray(long), { ...few, fuzz }).result.cycles;
  const [plain, one, other] = [
    cycles({ maxJitter: 50 }),
    cycles({ maxJitter: 50, seed: 1 }),
    cycles({ maxJitter: 50, seed: 2 }),
  ];

  expect(cycles({ maxJitter: 50, seed: 1 })).toBe(one);
  expect(cycles({ seed: 1 })).toBe(cycles({}));
  expect(new Set([plain, one, other]).size).toBe(3);
  expect(sunwayConfig.safeParse({ fuzz: { seed: -1 } }).success).toBe(false);
});

test('under a schedule at random, fuzz.seed gives other delays, too', () => {
  const at = (fuzz: object) =>
    trial(onArray(long), { ...few, fuzz }, { choices: new RandomChoices(3) }).result.cycles;

  expect(at({ maxJitter: 200, seed: 4 })).not.toBe(at({ maxJitter: 200 }));
});

describe('static data behind calls of the allocator (Sunway specification 2.3, 6.4)', () => {
  const raised = (program: CpeProgram) => why(trial(onArray(program), few));

  test('may be declared after a collective and after questions, since nothing was allocated', () => {
    expect(
      raised(function* (c) {
        const own = c.ldmStatic('own', 64, 64);
        const scratch = c.ldmStatic('scratch', 64, 64);
        yield c.scoll_redurt(own, own, 1, 0, 1, scratch, 8);
        yield c.pldm_get_free_size();
        const more = c.ldmStatic('more', 64, 64);
        yield c.st(more, 'i32', 1);
        const block = yield* c.pldm_malloc(64);
        yield c.st(block, 'i32', 1);
      }),
    ).toEqual([]);
  });

  test('may be declared when all blocks are free again, but not over a block', () => {
    const raisedBehind = (frees: boolean) =>
      raised(function* (c) {
        const block = yield* c.pldm_malloc(64);
        if (frees) yield c.pldm_free(block, 64);
        const more = c.ldmStatic('more', 128, 64);
        yield c.st(more, 'i32', 1);
      });

    expect(raisedBehind(true)).toEqual([]);
    expect(raisedBehind(false)[0]).toContain('StaticsInHeap');
  });
});

test('a lock that somebody else gives back is told with the names of both', () => {
  const host: MpeProgram = function* (h) {
    yield h.init();
    yield h.mutex_unlock_node();
    yield h.athread_spawn(function* (c) {
      if (c.tid === 1) yield c.smutex_lock_array();
      yield c.ssync_array();
      if (c.tid === 2) yield c.smutex_unlock_array();
      yield c.ssync_array();
      if (c.tid === 1) yield c.smutex_unlock_array();
    });
    yield h.athread_join();
  };
  const [first, second] = why(trial(host, { ...few, onError: 'return' }));

  expect(first).toContain('the host of core group 0 gives back lock hosts, but nobody holds it');
  expect(second).toContain('CPE 2 of core group 0 gives back lock');
  expect(second).toContain('but CPE 1 of core group 0 holds it');
});

test('CPEs tell results as hosts do', () => {
  const { result } = trial(
    onArray(function* (c) {
      if (c.tid < 2) yield c.tell('square', (c.tid + 5) ** 2);
    }),
    few,
  );

  expect(result.told[0]).toMatchObject({ 'CPE 0: square': 25, 'CPE 1: square': 36 });
});

test('totals count transfers by kind', () => {
  const { result } = watchedTrial(
    onArray(function* (c, out) {
      const own = c.ldmStatic('own', 64, 64);
      const word = c.rply();
      yield c.dma_get(own, out, 64);
      yield c.ssync_array();
      if (c.tid === 0) yield c.rma_iput(own, word, 32, 1, own + 32, null);
      if (c.tid === 0) yield c.rma_wait_value(word, 1);
      yield c.dma_barrier();
    }),
    few,
  );

  expect(result.totals.kinds).toEqual({ dmaGet: 4, rmaPut: 1 });
});

test('a report names the reply word as its program does', () => {
  const { run } = watchedTrial(
    onArray(function* (c, out) {
      const buffer = c.ldmStatic('buffer', 64, 64);
      const [, come] = [c.rply(), c.rply('come')];
      yield c.dma_iget(buffer, out, 64, come);
      yield* c.ld(buffer, 'i32');
      yield c.dma_wait_value(come, 1);
    }),
    few,
  );

  expect(why({ run } as ReturnType<typeof trial>)[0]).toContain('a wait on reply word "come" at 0x');
});

test('a deadlock names the reply word as its program does', () => {
  const { result } = watchedTrial(
    onArray(function* (c) {
      const come = c.rply('come');
      if (c.tid === 0) yield c.dma_wait_value(come, 1);
      const [left] = [c.rply()];
      if (c.tid === 1) yield c.dma_wait_value(left, 1);
    }),
    few,
  );

  const text = result.deadlock.join('\n');
  expect(text).toMatch(/CPE 0 waits for its reply word "come" at 0x1000 to reach 1/);
  expect(text).toMatch(/CPE 1 waits for its reply word of small-things\.test\.ts:\d+ at 0x1004 to reach 1/);
});
