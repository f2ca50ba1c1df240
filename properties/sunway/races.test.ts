import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { RaceKind, RaceReport } from '../../machines/sunway/monitors/race/race-report.ts';
import { axpyRefilled, axpyUnwaited } from '../../scenarios/sunway/axpy.ts';
import { unlockedAppend } from '../../scenarios/sunway/concurrent-append.ts';
import { hastyHandShake } from '../../scenarios/sunway/hand-shake.ts';
import { overwrittenOneToAll } from '../../scenarios/sunway/one-to-all.ts';
import { rmaWalk } from '../../scenarios/sunway/rma-walk.ts';
import { staleCache } from '../../scenarios/sunway/stale-cache.ts';
import { hastyWavefront, unmarkedWavefront } from '../../scenarios/sunway/wavefront.ts';
import { wrongInSchedule } from './race-campaign.ts';
import { fullPrograms, smallPrograms, unwaitedCalls } from './race-free-programs.ts';
import { judgedRun } from './race-runs.ts';

/** Two operations of a faulty program, as its file has them, the earlier one first. */
interface Pair {
  readonly kind: RaceKind;
  readonly first: string;
  readonly second: string;
}

/** A program that the specification (13) calls wrong, with the pairs that must be told and nothing else. */
interface Variant {
  readonly name: string;
  readonly host: MpeProgram;
  readonly config?: object;
  readonly file: string;
  readonly pairs: readonly Pair[];
  /** Pairs that some orders have beside these. */
  readonly also?: readonly Pair[];
}

const variants: readonly Variant[] = [
  {
    name: 'S1: CPE 0 waits for 62 of 63 and overwrites the value',
    host: overwrittenOneToAll,
    file: 'one-to-all.ts',
    pairs: [{ kind: 'RemoteConflict', first: 'c.rma_iget(value', second: "c.st(value, 'f64', 7.5)" }],
    // The thread of CPE 0 ends behind its last store, and nothing orders the get that it did not wait for before that end (FreeWhileInFlight: thread ended with transfers outstanding).
    also: [{ kind: 'FreeWhileInFlight', first: 'c.rma_iget(value', second: 'c.dma_put(out + cpes * 12' }],
  },
  {
    name: 'S3: computing without the wait for the block',
    host: axpyUnwaited,
    file: 'axpy.ts',
    pairs: [
      { kind: 'ReadBeforeArrival', first: 'c.dma_iget(x', second: "c.ldBlock(x, 'f64'" },
      { kind: 'ReadBeforeArrival', first: 'c.dma_iget(y', second: "c.ldBlock(y, 'f64'" },
      { kind: 'MemoryConflict', first: 'c.dma_iget(y', second: 'c.dma_iput(' },
    ],
  },
  {
    name: 'S3: filling the buffer again without the wait for its put',
    host: axpyRefilled,
    file: 'axpy.ts',
    pairs: [{ kind: 'OverwriteBeforeSent', first: 'c.dma_iput(', second: 'c.dma_iget(y' }],
  },
  {
    name: 'S7: the counter without the lock',
    host: unlockedAppend,
    file: 'concurrent-append.ts',
    pairs: [
      { kind: 'MemoryConflict', first: "c.ld(counter, 'i32')", second: "c.st(counter, 'i32'" },
      { kind: 'MemoryConflict', first: "c.st(counter, 'i32'", second: "c.st(counter, 'i32'" },
      { kind: 'MemoryConflict', first: "c.st(counter, 'i32'", second: "c.ld(counter, 'i32')" },
    ],
    // Two that have taken the same index store to the same place.
    also: [{ kind: 'MemoryConflict', first: 'c.st(listOf(counter)', second: 'c.st(listOf(counter)' }],
  },
  {
    name: 'S11: flags that are not marked',
    host: unmarkedWavefront,
    file: 'wavefront.ts',
    pairs: [
      { kind: 'RemoteConflict', first: 'c.ld(slot.flag', second: 'c.st(flag, ' },
      { kind: 'RemoteConflict', first: 'c.st(flag, ', second: 'c.ld(slot.flag' },
      { kind: 'RemoteConflict', first: 'c.st(remoteAddress(to, slot.value)', second: 'c.ld(slot.value' },
    ],
  },
  {
    name: 'S11: the flag before the value',
    host: hastyWavefront,
    file: 'wavefront.ts',
    pairs: [
      { kind: 'RemoteConflict', first: 'c.ld(slot.value', second: 'c.st(remoteAddress(to, slot.value)' },
    ],
    also: [
      { kind: 'RemoteConflict', first: 'c.st(remoteAddress(to, slot.value)', second: 'c.ld(slot.value' },
    ],
  },
  {
    name: 'S13: reading before the synchronisation with the host',
    host: hastyHandShake,
    file: 'hand-shake.ts',
    pairs: [{ kind: 'MemoryConflict', first: 'h.st(words', second: 'c.dma_get(round' }],
    also: [{ kind: 'MemoryConflict', first: 'c.dma_get(round', second: 'h.st(words' }],
  },
  {
    name: 'S14: a word that was changed in memory, read again from the cache',
    host: staleCache,
    config: { cacheKiB: 32 },
    file: 'stale-cache.ts',
    pairs: [
      { kind: 'StaleCacheRead', first: 'c.dma_put(word, own', second: 'const again = yield* c.ld(word' },
    ],
  },
];

/** The line of a scenario's file that has this in it, as a report names it: `axpy.ts:31`. */
function placeOf(file: string, code: string): string {
  const lines = readFileSync(new URL(`../../scenarios/sunway/${file}`, import.meta.url), 'utf8').split('\n');
  const found = lines.flatMap((line, index) => (line.includes(code) ? [index + 1] : []));
  expect(found, `${file} has "${code}" once`).toHaveLength(1);
  return `${file}:${found[0]}`;
}

const told = ({ kind, first, second }: RaceReport): string => `${kind} ${first.place} ${second.place}`;
const wanted = (file: string, { kind, first, second }: Pair): string =>
  `${kind} ${placeOf(file, first)} ${placeOf(file, second)}`;

describe('a faulty variant of the specification is told with the right pairs and no other', () => {
  test.each(variants)('$name', ({ host, config, file, pairs, also = [] }) => {
    const { lenient, strict } = judgedRun({ host, ...(config && { config }) }, { places: true });

    const expected = pairs.map((pair) => wanted(file, pair));
    const allowed = [...expected, ...also.map((pair) => wanted(file, pair))];
    for (const { errors } of [lenient, strict]) {
      const found = new Set(errors.map(told));
      expect([...found].filter((pair) => !allowed.includes(pair))).toEqual([]);
      expect([...found]).toEqual(expect.arrayContaining(expected));
    }
  });

  test('S1 tells all 63 gets, the owner and the word that it should have waited on', () => {
    const { lenient } = judgedRun({ host: overwrittenOneToAll }, { places: true });

    expect(new Set(lenient.errors.map(({ first }) => first.core)).size).toBe(63);
    for (const { cores, second, range, word, buffer } of lenient.errors) {
      expect([second.core, cores.includes(0), range.space, word?.space]).toEqual([0, true, 0, 0]);
      expect(buffer).toBe('buffer "value"');
    }
    expect(lenient.warnings.map(({ kind, cores }) => [kind, cores[0]])).toEqual([['AmbiguousWait', 0]]);
  });
});

const onArray = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(4096);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
  };

describe('other faults of the specification, with their places and what lies there', () => {
  const cases: readonly {
    readonly name: string;
    readonly program: CpeProgram;
    readonly kind: RaceKind;
    readonly pair: readonly [string, string];
    readonly buffer: RegExp;
  }[] = [
    {
      name: 'E22: a reply word set while an increment is outstanding',
      *program(c, out) {
        const word = c.rply();
        yield c.dma_iget(c.ldmStatic('buffer', 64), out, 64, word);
        yield c.rplySet(word, 0);
      },
      kind: 'ReplyResetRace',
      pair: ['dma_iget', 'st'],
      buffer: /^reply word of races\.test\.ts:\d+$/,
    },
    {
      name: '6.5: a column broadcast without the synchronisation before it',
      *program(c, out) {
        const buffer = c.ldmStatic('buffer', 64);
        const word = c.rply();
        if (c.rid === 1) yield c.compute(5000);
        yield c.rplySet(word, 0);
        if (c.rid === 0) yield c.dma_col_ibcast(buffer, out, 64, word);
        if (c.rid !== 1) yield c.dma_wait_value(word, 1);
      },
      kind: 'ReplyResetRace',
      pair: ['dma_col_ibcast', 'st'],
      buffer: /^reply word of races\.test\.ts:\d+$/,
    },
    {
      name: 'E23: a block freed under a transfer',
      *program(c, out) {
        const word = c.rply();
        const block = yield* c.pldm_malloc(256);
        yield c.dma_iget(block, out, 256, word);
        yield c.pldm_free(block, 256);
        yield c.dma_wait_value(word, 1);
      },
      kind: 'FreeWhileInFlight',
      pair: ['dma_iget', 'pldm_free'],
      buffer: /^block of races\.test\.ts:\d+$/,
    },
    {
      name: '7.1: two gets into one buffer',
      *program(c, out) {
        const buffer = c.ldmStatic('twice', 64);
        const words = [c.rply(), c.rply()] as const;
        for (const word of words) yield c.dma_iget(buffer, out, 64, word);
        for (const word of words) yield c.dma_wait_value(word, 1);
      },
      kind: 'TransferOverlap',
      pair: ['dma_iget', 'dma_iget'],
      buffer: /^buffer "twice"$/,
    },
    {
      name: '7.1: two puts to the same memory, the first one waited for',
      *program(c, out) {
        const buffer = c.ldmStatic('buffer', 64);
        if (c.tid > 0) return;
        yield c.dma_put(out, buffer, 64);
        yield c.dma_put(out, buffer, 64);
      },
      kind: 'MemoryConflict',
      pair: ['dma_put', 'dma_put'],
      buffer: /^memory of races\.test\.ts:\d+$/,
    },
  ];

  test.each(cases)('$name', ({ program, kind, pair, buffer }) => {
    const { lenient } = judgedRun({ host: onArray(program), config: { cpesPerCg: 16 } }, { places: true });

    const found = lenient.errors.filter(
      (one) => one.kind === kind && one.first.name === pair[0] && one.second.name === pair[1],
    );
    expect(found.length, lenient.errors.slice(0, 3).map(told).join('; ')).toBeGreaterThan(0);
    for (const one of found) {
      expect([one.first.place, one.second.place]).toEqual(
        [0, 1].map(() => expect.stringMatching(/^races\.test\.ts:\d+$/)),
      );
      expect(one.buffer).toMatch(buffer);
    }
  });
});

describe('the walk through all forms of RMA (specification 13, S2)', () => {
  const { lenient, strict } = judgedRun({ host: rmaWalk });
  const tids = Array.from({ length: 64 }, (_, tid) => tid);
  const others = tids.slice(1);
  /** By the call of the step: who reads there what nobody has waited for. */
  const receivers: Readonly<Record<string, readonly number[]>> = {
    rma_bcast: others,
    rma_ibcast: others,
    rma_row_bcast: others.filter((tid) => tid < 8),
    rma_row_ibcast: others.filter((tid) => tid < 8),
    rma_row_mcast: others,
    rma_col_bcast: others.filter((tid) => tid % 8 === 0),
    rma_col_ibcast: others.filter((tid) => tid % 8 === 0),
    rma_col_mcast: others,
  };

  test('is free of races, and CPE 0 is warned of its ambiguous waits in steps 2, 6, 9, 12, 14 and 17', () => {
    expect(lenient.errors).toEqual([]);
    expect(lenient.warnings.map(({ kind, cores, first }) => [kind, first.name, ...cores])).toEqual(
      [
        ...['rma_iget', 'rma_ibcast', 'rma_row_ibcast'],
        ...['rma_row_imcast', 'rma_col_ibcast', 'rma_col_imcast'],
      ].map((call) => ['AmbiguousWait', call, 0]),
    );
  });

  test('has arrivals that nobody waited for at the receivers of steps 5, 6, 8, 9, 11, 13, 14 and 16 under the strict policy', () => {
    expect(new Set(strict.errors.map(({ kind }) => kind))).toEqual(new Set(['UnwaitedRemoteArrival']));
    expect(new Set(strict.errors.map(({ first }) => first.name))).toEqual(new Set(unwaitedCalls));
    for (const call of unwaitedCalls) {
      const readers = strict.errors
        .filter(({ first }) => first.name === call)
        .map(({ second }) => second.core);
      expect(readers.filter((core) => core !== 0).sort((a, b) => a - b)).toEqual(receivers[call]);
    }
  });
});

describe('a program without races is reported in no schedule', () => {
  test.each(smallPrograms)('$name, with few CPEs', (program) => {
    expect([0, 1].map((schedule) => wrongInSchedule(program, schedule, 1))).toEqual([undefined, undefined]);
  });

  const quick = /S1:|S4|S7|S9|S12|S13|S14/;
  test.each(fullPrograms.filter(({ name }) => quick.test(name)))('$name, as specified', (program) => {
    expect(wrongInSchedule(program, 0, 2)).toBeUndefined();
  });

  test('one that is not is told with its schedule, its policy and the places', () => {
    const wrong = { name: 'wrong', host: overwrittenOneToAll, habits: [] };

    expect(wrongInSchedule(wrong, 3, 1)).toMatch(
      /^lenient: RemoteConflict in cycle \d+: .*\n.*\(one-to-all\.ts:\d+, cycle/,
    );
  });
});
