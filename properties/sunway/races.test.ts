import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { RaceKind } from '../../machines/sunway/monitors/race/race-report.ts';
import { axpyRefilled, axpyUnwaited } from '../../scenarios/sunway/axpy.ts';
import { unlockedAppend } from '../../scenarios/sunway/concurrent-append.ts';
import { overwrittenOneToAll } from '../../scenarios/sunway/one-to-all.ts';
import { rmaWalk } from '../../scenarios/sunway/rma-walk.ts';
import { staleCache } from '../../scenarios/sunway/stale-cache.ts';
import { hastyWavefront, unmarkedWavefront } from '../../scenarios/sunway/wavefront.ts';
import { raceFreePrograms } from './race-free-programs.ts';
import { raceRun } from './race-runs.ts';

const onArray = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(4096);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
  };

/** One pair of operations that must be told, whichever of the cores of a program do it. */
interface Fault {
  readonly name: string;
  readonly host: MpeProgram;
  readonly config?: object;
  readonly kind: RaceKind;
  /** Calls of the two operations, the earlier one first. */
  readonly pair: readonly [string, string];
}

const faults: readonly Fault[] = [
  {
    name: 'S1: CPE 0 waits for 62 of 63 and overwrites the value',
    host: overwrittenOneToAll,
    kind: 'RemoteConflict',
    pair: ['rma_iget', 'st'],
  },
  {
    name: 'S3: computing without the wait for the block',
    host: axpyUnwaited,
    kind: 'ReadBeforeArrival',
    pair: ['dma_iget', 'ldBlock'],
  },
  {
    name: 'S3: filling the buffer again without the wait for its put',
    host: axpyRefilled,
    kind: 'OverwriteBeforeSent',
    pair: ['dma_iput', 'dma_iget'],
  },
  {
    name: 'S7: the counter without the lock',
    host: unlockedAppend,
    kind: 'MemoryConflict',
    pair: ['ld', 'st'],
  },
  {
    name: 'S11: flags that are not marked',
    host: unmarkedWavefront,
    kind: 'RemoteConflict',
    pair: ['st', 'ld'],
  },
  {
    name: 'S11: the flag before the value',
    host: hastyWavefront,
    kind: 'RemoteConflict',
    pair: ['ld', 'st'],
  },
  {
    name: 'S14: a word that was changed in memory, read again from the cache',
    host: staleCache,
    config: { cacheKiB: 32 },
    kind: 'StaleCacheRead',
    pair: ['dma_put', 'ld'],
  },
  {
    name: 'E22: a reply word set while an increment is outstanding',
    host: onArray(function* (c, out) {
      const word = c.rply();
      yield c.dma_iget(c.ldmStatic('buffer', 64), out, 64, word);
      yield c.rplySet(word, 0);
    }),
    kind: 'ReplyResetRace',
    pair: ['dma_iget', 'st'],
  },
  {
    name: '6.5: a column broadcast without the synchronisation before it',
    host: onArray(function* (c, out) {
      const buffer = c.ldmStatic('buffer', 64);
      const word = c.rply();
      if (c.rid === 7) yield c.compute(5000);
      yield c.rplySet(word, 0);
      if (c.rid === 0) yield c.dma_col_ibcast(buffer, out, 64, word);
      if (c.rid !== 7) yield c.dma_wait_value(word, 1);
    }),
    kind: 'ReplyResetRace',
    pair: ['dma_col_ibcast', 'st'],
  },
  {
    name: 'E23: a block freed under a transfer',
    host: onArray(function* (c, out) {
      const word = c.rply();
      const block = yield* c.pldm_malloc(256);
      yield c.dma_iget(block, out, 256, word);
      yield c.pldm_free(block, 256);
      yield c.dma_wait_value(word, 1);
    }),
    kind: 'FreeWhileInFlight',
    pair: ['dma_iget', 'pldm_free'],
  },
  {
    name: '7.1: two gets into one buffer',
    host: onArray(function* (c, out) {
      const buffer = c.ldmStatic('buffer', 64);
      const words = [c.rply(), c.rply()] as const;
      for (const word of words) yield c.dma_iget(buffer, out, 64, word);
      for (const word of words) yield c.dma_wait_value(word, 1);
    }),
    kind: 'TransferOverlap',
    pair: ['dma_iget', 'dma_iget'],
  },
];

describe('a fault of the specification is told with both operations and their places', () => {
  test.each(faults)('$name', ({ host, config, kind, pair }) => {
    const { errors, texts } = raceRun({ host, ...(config && { config }) }, 'lenient');

    const at = errors.findIndex(
      (one) => one.kind === kind && one.first.name === pair[0] && one.second?.name === pair[1],
    );
    expect(
      at,
      errors
        .slice(0, 3)
        .map(({ kind: found, first, second }) => `${found} ${first.name} ${second?.name}`)
        .join('; '),
    ).toBeGreaterThanOrEqual(0);
    expect(texts[at]).toMatch(/\(\S+\.ts:\d+, cycle \d+\); .*\(\S+\.ts:\d+, cycle \d+\)/);
  });
});

describe('the walk through all forms of RMA (specification 13, S2)', () => {
  test('is free of races, and CPE 0 is warned of its six ambiguous waits', () => {
    const { errors, warnings } = raceRun({ host: rmaWalk }, 'lenient');

    expect(errors).toEqual([]);
    expect(warnings.map(({ kind, cores }) => [kind, ...cores])).toEqual(
      Array.from({ length: 6 }, () => ['AmbiguousWait', 0]),
    );
  });

  test('has arrivals that nobody waited for in exactly eight steps under the strict policy', () => {
    const { errors } = raceRun({ host: rmaWalk }, 'strict');
    const arrivals = errors.filter(
      ({ kind, cores }) => kind === 'UnwaitedRemoteArrival' && !(cores.length === 1 && cores[0] === 0),
    );

    expect(new Set(arrivals.map(({ first }) => first.name))).toEqual(
      new Set([
        ...['rma_bcast', 'rma_ibcast', 'rma_row_bcast', 'rma_row_ibcast', 'rma_row_mcast'],
        ...['rma_col_bcast', 'rma_col_ibcast', 'rma_col_mcast'],
      ]),
    );
  });
});

describe('a program without races', () => {
  const quick = ['one to all', 'strided tile', 'table lookup', 'evicted cache', 'the same without a cache'];

  test.each(raceFreePrograms.filter(({ name }) => quick.includes(name)))(
    'is reported in no schedule: $name',
    (program) => {
      for (const policy of program.policies)
        for (const seed of [1, 2]) {
          const { texts, verdict } = raceRun(program, policy, seed);
          expect([verdict, ...texts]).toEqual(['ok']);
        }
    },
  );
});
