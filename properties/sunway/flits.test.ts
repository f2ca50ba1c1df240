import { describe, expect, test } from 'vitest';
import { memoryBase } from '../../actors/sunway/address/space.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { soundParts, wireNode } from '../../machines/sunway/assembly.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { linkFlits } from '../../machines/sunway/monitors/mesh-flits.ts';
import { onArray, trial, watchedTrial } from './trial.ts';

/** A host program that only has a program run on all CPEs. */
const running = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(2 ** 18, 128);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
  };

const atFlits = (program: CpeProgram, config: object = {}) =>
  watchedTrial(running(program), { fidelity: 'flit', race: { policy: 'off' }, ...config }).result.totals;

/** CPE `from` puts bytes to CPE `to`. */
const putting = (from: number, to: number, bytes: number): CpeProgram =>
  function* (c) {
    const own = c.ldmStatic('own', bytes, 128);
    const word = c.rply();
    if (c.tid !== from) return;
    yield c.rma_iput(own, word, bytes, to, own, null);
    yield c.rma_wait_value(word, 1);
  };

describe('ports of routers count flits', () => {
  test('a put of 64 bytes shows 6 on the local port, and 6 on port E for the cluster beside', () => {
    const { mesh } = atFlits(putting(0, 2, 64));

    expect(mesh).toHaveLength(16);
    expect(mesh![0]).toEqual({
      group: 0,
      router: 0,
      L: 6,
      N: 0,
      S: 0,
      E: 6,
      W: 0,
      delivered: 0,
      fromMemory: 0,
    });
    expect(mesh![1]).toMatchObject({ L: 0, delivered: 6 });
    expect(linkFlits(mesh!)).toEqual([{ group: 0, from: 0, to: 1, flits: 6 }]);
  });

  test('a put within a cluster shows on no link', () => {
    const { mesh } = atFlits(putting(0, 1, 64));

    expect(mesh![0]).toMatchObject({ L: 6, delivered: 6, N: 0, S: 0, E: 0, W: 0 });
    expect(linkFlits(mesh!)).toEqual([]);
  });

  test('a put from corner to corner goes along the row first, a packet for each 128 bytes', () => {
    const { mesh } = atFlits(putting(0, 63, 1000));

    // Seven packets of 10 flits, and one of 104 bytes: 9.
    expect(linkFlits(mesh!).map(({ from, to, flits }) => [from, to, flits])).toEqual(
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 7],
        [7, 11],
        [11, 15],
      ].map((link) => [...link, 79]),
    );
  });

  test('a broadcast is sent once and copied where ways part: each link of the tree carries it once', () => {
    const { mesh } = atFlits(function* (c) {
      const own = c.ldmStatic('own', 128, 128);
      const come = c.rply();
      yield c.ssync_array();
      if (c.tid === 0) yield c.rma_ibcast(own, own, null, 128, come);
      yield c.rma_wait_value(come, 1);
    });
    const links = linkFlits(mesh!);

    expect(mesh![0]!.L).toBe(10);
    expect(links).toHaveLength(15);
    expect(links.every(({ flits }) => flits === 10)).toBe(true);
    expect(mesh!.every(({ delivered }) => delivered === 10)).toBe(true);
  });

  test('a get goes west as a request of two flits a block and comes back with its bytes', () => {
    const { mesh } = atFlits(function* (c, at) {
      const own = c.ldmStatic('own', 512, 128);
      if (c.tid === 2) yield c.dma_get(own, at, 512);
    });

    expect(mesh![1]).toMatchObject({ L: 8, W: 8, delivered: 40 });
    expect(mesh![0]).toMatchObject({ W: 8, fromMemory: 40, E: 40 });
  });
});

describe('the ports of an LDM', () => {
  test('a CPE tries again when its engine touches the same bytes in a cycle, and that is counted', () => {
    const meeting: CpeProgram = function* (c) {
      const target = c.ldmStatic('target', 4096, 128);
      if (c.tid === 0) for (let k = 0; k < 8; k++) yield c.rma_put(target, 4096, 1, target, null);
      // Whole vectors at all places, so that some meet what comes.
      if (c.tid === 1)
        for (let k = 0; k < 400; k++) yield* c.ldBlock(target + 64 * ((29 * k) % 64), 'i32', 16);
    };

    expect(atFlits(meeting).ldmConflicts).toBeGreaterThan(0);
  });

  test('accesses to other bytes are no conflict', () => {
    const apart: CpeProgram = function* (c) {
      const target = c.ldmStatic('target', 4096, 128);
      const other = c.ldmStatic('other', 4096, 128);
      if (c.tid === 0) for (let k = 0; k < 8; k++) yield c.rma_put(target, 4096, 1, target, null);
      if (c.tid === 1)
        for (let k = 0; k < 400; k++) yield* c.ldBlock(other + 64 * ((29 * k) % 64), 'i32', 16);
    };

    expect(atFlits(apart).ldmConflicts).toBe(0);
  });
});

/** Time of a put of CPE 0 to its neighbour when so many CPEs, each in a cluster of its own, do the same. */
function putCycles(senders: number, window: number, config: object): number {
  const rounds = 32;
  const program: CpeProgram = function* (c, out) {
    const own = c.ldmStatic('own', 64, 64);
    const spent = c.ldmStatic('spent', 8, 8);
    const word = c.rply();
    yield c.ssync_array();
    const cluster = (c.rid >> 1) * 4 + (c.cid >> 1);
    if (c.rid % 2 > 0 || c.cid % 2 > 0 || cluster >= senders) return;
    const begun = yield c.stime_cycle();
    for (let round = 1; round <= rounds; round++) {
      yield c.rma_iput(own, word, 8, c.tid + 1, own, null);
      if (round % window === 0) yield c.rma_wait_value(word, round);
    }
    const ended = yield c.stime_cycle();
    yield c.st(spent, 'f64', (ended - begun) / rounds);
    yield c.dma_put(out + 8 * c.tid, spent, 8);
  };
  return Number(trial(onArray(program), config).told['0']);
}

describe.each(['tlm', 'flit'] as const)('at level %s', (fidelity) => {
  test('each further sender adds 25 cycles to an operation where that is asked for, and nothing otherwise', () => {
    for (const window of [1, 8]) {
      const alone = putCycles(1, window, { fidelity });
      const free = putCycles(3, window, { fidelity });
      const taxed = (senders: number) =>
        putCycles(senders, window, { fidelity, timing: { rma: { sharedOpTax: 25 } } });

      expect(Math.abs(free - alone)).toBeLessThan(2);
      expect(Math.abs(taxed(1) - alone)).toBeLessThan(2);
      expect(Math.abs(taxed(3) - alone - 50)).toBeLessThan(5);
    }
  });
});

describe('a node where flits are moved', () => {
  /** Uses gets, also from another core group, puts with gaps, RMA, broadcasts and the cache. */
  const work: CpeProgram = function* (c, at) {
    const own = c.ldmStatic('own', 512, 128);
    const [word, far] = [c.rply(), c.rply()];
    yield c.dma_iget(own, at + 512 * c.tid, 256, word);
    yield c.dma_wait_value(word, 1);
    yield c.dma_get(own + 384, memoryBase + 2 ** 16, 128);
    yield c.ssync_array();
    yield c.rma_iput(own, word, 256, c.tid ^ 2, own + 256, far);
    yield c.rma_wait_value(far, 1);
    yield c.rma_wait_value(word, 2);
    yield c.ssync_array();
    if (c.tid === 3) yield c.rma_ibcast(own, own + 256, null, 192, far);
    yield c.rma_wait_value(far, 2);
    yield c.st(own, 'i32', c.tid);
    yield c.dma_iput_stride(at + 512 * c.tid, own, 128, 32, 32, word);
    yield c.dma_barrier();
    yield c.dma_get(own, at + 512 * c.tid, 256);
    yield c.st(at + 8192 + 64 * c.tid, 'i32', c.tid);
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    const at = h.memAlloc(16384, 128);
    yield h.stBlock(
      at,
      Int32Array.from({ length: 1024 }, (_, k) => k),
    );
    yield h.athread_spawn(work, at);
    yield h.athread_join();
  };
  const config = (more: object = {}) =>
    sunwayConfig.parse({ cpesPerCg: 4, cacheKiB: 32, memoryMiB: 1, fidelity: 'flit', ...more });
  const fuzzed = config({ fuzz: { maxJitter: 3, reorder: true } });
  const wiring = (given = fuzzed) => wireNode(given, [host, host].slice(0, given.cgs), soundParts).wiring;
  const options = (more: RunOptions = {}): RunOptions => ({ choices: new RandomChoices(5), ...more });

  test('goes on from snapshots as if it had never stopped, the same for XState and with persistent contexts', () => {
    const whole = new Run(wiring(), options());
    const ticks: number[] = [];
    whole.ticks$.subscribe((tick) => ticks.push(tick));
    whole.toEnd();
    const running = new Run(wiring(), options());
    const again = [0.4, 0.6, 0.8].map((part) => {
      running.until(ticks[Math.floor(part * ticks.length)]);
      const one = Run.restore(wiring(), running.snapshot(), options());
      one.toEnd();
      return one.fingerprint;
    });
    const others = ([{ engine: 'xstate' }, { state: 'immutable' }] satisfies RunOptions[]).map((more) => {
      const run = new Run(wiring(), options(more));
      run.toEnd();
      return run.fingerprint;
    });

    expect(whole.outcome.verdict).toBe('ok');
    expect([...again, ...others]).toEqual(again.concat(others).map(() => whole.fingerprint));
  }, 90_000);

  test('says the same to the same in every cycle whether idle ones are skipped or visited', () => {
    const story = (skipAhead: boolean): readonly string[] => {
      const lines: string[] = [];
      const run = new Run(wiring(config({ cgs: 2, skipAhead, timing: { spawn: { latency: 100 } } })));
      run.messages$.subscribe(({ message, from, to }) => {
        if (to !== 'Node.Clock') lines.push(`${message.due} ${from} ${to} ${message.event.type}`);
      });
      run.toEnd();
      return lines;
    };

    expect(story(false)).toEqual(story(true));
  }, 90_000);
});

test.each(['explicit', 'fast'] as const)(
  'plain loads of one block come one after the other through its channel (%s)',
  (detail) => {
    const program: CpeProgram = function* (c, out) {
      const times = c.ldmStatic('times', 16, 8);
      yield c.ssync_array();
      yield c.st(times, 'f64', yield c.stime_cycle());
      yield c.ld(out + 64 * 16, 'i32');
      yield c.st(times + 8, 'f64', yield c.stime_cycle());
      yield c.dma_put(out + 16 * c.tid, times, 16);
    };
    const { told } = trial(onArray(program, 2), { fidelity: 'flit', detail });
    const times = Object.values(told).map((words) => `${words}`.split(' ').map(Number));
    const lasted = Math.max(...times.map(([, end]) => end!)) - Math.min(...times.map(([begun]) => begun!));

    // Each takes its channel twice the 5.9 cycles of a block, of which there are two; the last one goes its way behind that.
    expect(lasted).toBeGreaterThan(64 * 2 * 5.9);
    expect(lasted).toBeLessThan(64 * 2 * 5.9 + 250);
  },
);
