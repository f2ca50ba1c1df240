import { describe, expect, test } from 'vitest';
import type { CpeApi } from '../../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import { Run } from '../../../kernel/run.ts';
import { wireNode } from '../assembly.ts';
import { sunwayConfig } from '../config.ts';
import { type RaceFindings, watchRaces } from './race-monitor.ts';

type Policy = 'lenient' | 'strict';

/** Runs a program on all CPEs of a node of one core group; `out` is a page of main memory. */
function findings(program: CpeProgram, policy: Policy = 'lenient', host?: MpeProgram): RaceFindings {
  const config = sunwayConfig.parse({ race: { policy }, timing: { spawn: { latency: 10 } } });
  const spawning: MpeProgram = function* (h) {
    yield h.init();
    const out = h.memAlloc(4096);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
    yield* h.ldBlock(out, 'i32', 1024);
  };
  const run = new Run(wireNode(config, [host ?? spawning]).wiring);
  const found = watchRaces(run, config);
  const outcome = run.toEnd();
  expect(['ok', 'violated']).toContain(outcome.verdict);
  expect(outcome.violations).toHaveLength(found.errors.length);
  return found;
}

const kindsOf = ({ errors, warnings }: RaceFindings) => [
  ...new Set([...errors, ...warnings].map(({ kind }) => kind)),
];

describe('one to all by gets (specification 13, S1)', () => {
  const oneToAll = (waitsFor: number, overwrites: boolean): CpeProgram =>
    function* (c) {
      const value = c.ldmStatic('value', 8, 8);
      const [arrived, taken] = [c.rply(), c.rply()];
      if (c.tid === 0) yield c.st(value, 'f64', 3.25);
      yield c.ssync_array();
      if (c.tid === 0) {
        yield c.rma_wait_value(taken, waitsFor);
        if (overwrites) yield c.st(value, 'f64', 4);
        return;
      }
      yield c.rma_iget(value, arrived, 8, 0, value, taken);
      yield c.rma_wait_value(arrived, 1);
      yield* c.ld(value, 'f64');
    };

  test.each(['lenient', 'strict'] as const)('is free of races when all are waited for (%s)', (policy) => {
    expect(kindsOf(findings(oneToAll(63, true), policy))).toEqual([]);
  });

  test('a wait for one fewer before overwriting the value is a conflict', () => {
    expect(kindsOf(findings(oneToAll(62, true)))).toContain('RemoteConflict');
  });

  test('a report names the operations of both programs by their place among the calls', () => {
    const { errors } = findings(oneToAll(62, true));

    expect(errors[0]).toMatchObject({
      kind: 'RemoteConflict',
      first: { name: 'rma_iget', does: 'reads by a transfer' },
      second: { name: 'st', core: 0, does: 'writes' },
    });
  });
});

describe('a broadcast that its receivers do not wait for (specification 13, S2 step 5)', () => {
  const broadcast = (synchronised: boolean): CpeProgram =>
    function* (c) {
      const value = c.ldmStatic('value', 4);
      const word = c.rply();
      if (c.tid === 0) yield c.st(value, 'i32', 5);
      yield c.ssync_array();
      if (c.tid === 0) yield c.rma_bcast(value, value, 4, word);
      if (synchronised) yield c.ssync_array();
      else yield c.compute(4000);
      yield* c.ld(value, 'i32');
    };

  test('is accepted after an array synchronisation, and told under the strict policy', () => {
    expect(kindsOf(findings(broadcast(true)))).toEqual([]);
    const strict = findings(broadcast(true), 'strict').errors.filter(
      ({ kind }) => kind === 'UnwaitedRemoteArrival',
    );
    expect(new Set(strict.map(({ second }) => second?.core))).toEqual(
      new Set(Array.from({ length: 63 }, (_, tid) => tid + 1)),
    );
  });

  test('is read before its arrival without one, though the value is there', () => {
    expect(kindsOf(findings(broadcast(false)))).toContain('ReadBeforeArrival');
  });
});

describe('transfers of one CPE', () => {
  const alone = (play: (c: CpeApi, out: number) => Generator<unknown, void, number>): CpeProgram =>
    function* (c, out) {
      if (c.tid === 0) yield* play(c, out) as ReturnType<CpeProgram>;
    };

  test('a get that is used without its wait, and with it', () => {
    const using = (waits: boolean) =>
      alone(function* (c, out) {
        const buffer = c.ldmStatic('buffer', 256);
        const word = c.rply();
        yield c.dma_iget(buffer, out, 256, word);
        if (waits) yield c.dma_wait_value(word, 1);
        else yield c.compute(5000);
        yield* c.ldBlock(buffer, 'i32', 64);
        yield c.dma_wait_value(word, 1);
      });

    expect(kindsOf(findings(using(true)))).toEqual([]);
    expect(kindsOf(findings(using(false)))).toEqual(['ReadBeforeArrival']);
  });

  test('a thread that ends with a get that nobody waited for is warned of', () => {
    const leaving = alone(function* (c, out) {
      yield c.dma_iget(c.ldmStatic('buffer', 256), out, 256, c.rply());
    });

    expect(kindsOf(findings(leaving))).toEqual(['OrphanTransfer']);
  });
});

describe('a counter in main memory (specification 13, S7)', () => {
  const counting = (locks: boolean): CpeProgram =>
    function* (c, out) {
      if (c.tid > 3) return;
      if (locks) yield c.smutex_lock_array();
      const count = yield* c.ld(out, 'i32');
      yield c.st(out, 'i32', count + 1);
      if (locks) yield c.smutex_unlock_array();
    };

  test('is a conflict without the lock, and none with it', () => {
    expect(kindsOf(findings(counting(true)))).toEqual([]);
    expect(kindsOf(findings(counting(false)))).toEqual(['MemoryConflict']);
  });
});

test('host and array take turns by their barrier (specification 13, S13)', () => {
  const reading = (early: boolean): CpeProgram =>
    function* (c, out) {
      const buffer = c.ldmStatic('buffer', 4);
      if (early) yield c.dma_get(buffer, out, 4);
      yield c.ssync_master_array();
      if (!early) yield c.dma_get(buffer, out, 4);
    };
  const host = (program: CpeProgram): MpeProgram =>
    function* (h) {
      yield h.init();
      const out = h.memAlloc(64);
      yield h.athread_spawn(program, out);
      yield h.st(out, 'i32', 1);
      yield h.sync_master_array();
      yield h.athread_join();
    };

  expect(kindsOf(findings(reading(false), 'lenient', host(reading(false))))).toEqual([]);
  expect(kindsOf(findings(reading(true), 'lenient', host(reading(true))))).toEqual(['MemoryConflict']);
});
