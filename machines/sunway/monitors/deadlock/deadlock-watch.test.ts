import { expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../../../actors/sunway/program.ts';
import type { InjectedFault } from '../../../../kernel/faults.ts';
import { Run } from '../../../../kernel/run.ts';
import { wireNode } from '../../assembly.ts';
import { sunwayConfig } from '../../config.ts';
import { cpeCore, mpeCore } from '../race/race-event.ts';
import { analyseDeadlock } from './deadlock-analysis.ts';
import { deadlockText } from './deadlock-text.ts';
import { DeadlockWatch } from './deadlock-watch.ts';

const joining = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    yield h.athread_spawn(program, 0);
    yield h.athread_join();
  };

/** The root causes of a node that stands still. */
function explained(
  program: CpeProgram,
  { cgs = 1, host = joining(program), faults = [] as readonly InjectedFault[] } = {},
) {
  const config = sunwayConfig.parse({ cgs, timing: { spawn: { latency: 10 } } });
  const hosts = Array.from({ length: cgs }, () => host);
  const run = new Run(wireNode(config, hosts).wiring, { faults });
  const watch = new DeadlockWatch(config);
  watch.attach(run);
  expect(run.toEnd().verdict).toBe('deadlock');
  const analysis = analyseDeadlock(watch.standStill(run.now));
  expect(deadlockText(analysis).split('\n').length).toBeLessThanOrEqual(24);
  return analysis;
}

const causes = (program: CpeProgram, how: Parameters<typeof explained>[1] = {}) =>
  explained(program, how).causes.map(({ kind, cores }) => [kind, ...cores]);

test('a CPE that leaves a collective out is named (E30)', () => {
  const found = causes(function* (c) {
    if (c.tid !== 13) yield c.ssync_array();
  });

  expect(found).toEqual([['finishedMember', cpeCore(13)]]);
});

test('a word that no transfer names is told with its value and target (E21)', () => {
  const { causes: found } = explained(function* (c) {
    const word = c.rply();
    yield c.rplySet(word, 2);
    if (c.tid === 7) yield c.dma_wait_value(word, 3);
  });

  expect(found).toHaveLength(1);
  expect(found[0]!.sentence).toMatch(
    /^CPE 7 waits for its reply word at 0x[0-9a-f]+ to reach 3 \(it is 2\), but none is in flight/,
  );
});

test('a lock that its owner takes again is its own cause, and holds up the others (E17)', () => {
  const { causes: found, blocked } = explained(function* (c) {
    yield c.smutex_lock_row();
    if (c.tid === 0) yield c.smutex_lock_row();
    yield c.smutex_unlock_row();
  });

  const selves = found.filter(({ kind }) => kind === 'self');
  expect(selves.map(({ cores }) => cores)).toEqual([[0]]);
  expect(blocked.filter(({ standing }) => standing.waitsFor?.kind === 'lock')).toHaveLength(8);
});

test('locks taken in different orders', () => {
  const found = causes(function* (c) {
    if (c.tid > 1) return;
    if (c.tid === 0) yield c.smutex_lock_row();
    else yield c.smutex_lock_array();
    yield c.compute(1000);
    if (c.tid === 0) yield c.smutex_lock_array();
    else yield c.smutex_lock_row();
  });

  expect(found).toEqual([['lockCircle', 0, 1]]);
});

test('peers that do not name each other (E18)', () => {
  const found = causes(function* (c) {
    if (c.tid < 3) yield c.ssync_peer([1, 2, 0][c.tid]!);
  });

  expect(found).toEqual([['pairMismatch', 0, 1]]);
});

test('two masks in one row (E20)', () => {
  const found = causes(function* (c) {
    if (c.rid === 0) yield c.synr(c.cid < 2 ? 0x0f : 0xff);
  });

  expect(found).toEqual([['maskMismatch', 0, 2]]);
});

test('a CPE that meets a host which waits for its end', () => {
  const found = causes(function* (c) {
    if (c.tid === 5) yield c.ssync_master_spe();
  });

  expect(found).toEqual([['circle', cpeCore(5), mpeCore()]]);
});

test('a synchronisation of the node that one core group leaves out while its host goes on', () => {
  const arrays: CpeProgram = function* (c) {
    if (c.cgn === 0) yield c.ssync_node();
  };
  const host: MpeProgram = function* (h) {
    yield* joining(arrays)(h);
    yield h.sync_node();
  };

  expect(causes(arrays, { cgs: 2, host })).toEqual([['finishedMember', cpeCore(0, 1)]]);
});

test.each(['lock.release', 'lock.released'])(
  'a core whose lock is not taken back because a %s is lost is blocked, and named',
  (type) => {
    const faults: readonly InjectedFault[] = [{ kind: 'drop', type, probability: 1, budget: 1 }];
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.mutex_lock_node();
      yield h.mutex_unlock_node();
    };
    const cpe: CpeProgram = function* (c) {
      if (c.tid !== 3) return;
      yield c.smutex_lock_array();
      yield c.smutex_unlock_array();
    };

    expect(causes(cpe, { host, faults })).toEqual([['service', mpeCore()]]);
    expect(causes(cpe, { faults })).toEqual([['service', cpeCore(3)]]);
  },
);

test('a host that ended with a lock, or before its CPE came, is named; one that left a meeting of hosts is not', () => {
  const host = (program: CpeProgram): MpeProgram =>
    function* (h) {
      yield h.init();
      if (h.cgn === 0) yield h.mutex_lock_node();
      if (h.cgn === 0) yield h.athread_spawn(program, 0);
      if (h.cgn === 0) return;
      yield h.compute(10_000);
      if (h.cgn === 1) yield h.sync_node();
      else yield h.mutex_lock_node();
    };
  const cpe: CpeProgram = function* (c) {
    if (c.tid === 2) yield c.ssync_master_spe();
  };

  const { causes: found, blocked } = explained(cpe, { cgs: 3, host: host(cpe) });
  expect(found.map(({ kind, cores }) => [kind, ...cores])).toEqual([
    ['finishedMember', mpeCore(0)],
    ['ownerFinished', mpeCore(0)],
  ]);
  const meeting = blocked.find(({ standing: { core } }) => core === mpeCore(1));
  expect(meeting?.missing).toEqual([mpeCore(2)]);
});
