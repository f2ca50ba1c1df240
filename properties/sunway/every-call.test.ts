import { describe, expect, test } from 'vitest';
import type { CpeContext, CpeOperation } from '../../actors/sunway/cpe-context.ts';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { replyWordAt } from '../../actors/sunway/reply-word.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { onArray, trial } from './trial.ts';

const config = { memoryMiB: 1, fidelity: 'functional', onError: 'return' } as const;
const everyTid = Array.from({ length: 64 }, (_, tid) => tid);

/** What every CPE has to say, by tid. */
const saidBy = (program: CpeProgram, more: object = {}): readonly number[] => {
  const { told } = trial(onArray(program), { ...config, ...more });
  return everyTid.map((tid) => Number(told[`${tid}`]));
};

/** A program of which each CPE says one number. */
const saying = (play: (c: CpeContext, out: number) => Generator<CpeOperation, number, number>): CpeProgram =>
  function* (c, out) {
    const word = c.ldmStatic('said', 8, 8);
    const said = yield* play(c, out);
    yield c.st(word, 'f64', said);
    yield c.dma_put(out + 8 * c.tid, word, 8);
  };

const code = (call: (c: CpeContext, out: number) => CpeOperation): CpeProgram =>
  saying(function* (c, out) {
    return yield call(c, out);
  });

describe('a question about the CPE (specification 6.1, 6.9)', () => {
  test.each<[string, (c: CpeContext) => CpeOperation, (tid: number) => number]>([
    ['smng_get_tid', (c) => c.smng_get_tid(), (tid) => tid],
    ['smng_get_rid', (c) => c.smng_get_rid(), (tid) => tid >> 3],
    ['smng_get_cid', (c) => c.smng_get_cid(), (tid) => tid & 7],
    ['smng_get_cgn', (c) => c.smng_get_cgn(), () => 0],
    ['smng_get_spcn', (c) => c.smng_get_spcn(), (tid) => 4 * (tid >> 4) + ((tid & 7) >> 1)],
    [
      'smng_get_spc_tid',
      (c) => c.smng_get_spc_tid(),
      (tid) => 4 * (4 * (tid >> 4) + ((tid & 7) >> 1)) + 2 * ((tid >> 3) & 1) + (tid & 1),
    ],
    ['scache_get_size', (c) => c.scache_get_size(), () => 0],
  ])('%s', (_name, call, expected) => {
    expect(saidBy(code(call))).toEqual(everyTid.map(expected));
  });

  test('scache_get_size tells the size that was chosen', () => {
    expect(
      saidBy(
        code((c) => c.scache_get_size()),
        { cacheKiB: 32 },
      )[9],
    ).toBe(32 * 1024);
  });
});

/** The first CPE of a group of rows and columns, which is the same for all of its members. */
const rowOf = (tid: number) => tid >> 3;
const clusterGroup = (size: number) => (tid: number) =>
  Math.floor((4 * (4 * (tid >> 4) + ((tid & 7) >> 1))) / size);

/** Names of barriers and locks, with what names the group of a CPE (specification 6.2, 6.3). */
const groups: readonly [
  group: string,
  barrier: (c: CpeContext) => CpeOperation,
  lock: ((c: CpeContext) => CpeOperation) | null,
  unlock: ((c: CpeContext) => CpeOperation) | null,
  groupOf: (tid: number) => number,
][] = [
  [
    '2spe',
    (c) => c.ssync_2spe(),
    (c) => c.smutex_lock_2spe(),
    (c) => c.smutex_unlock_2spe(),
    (tid) => tid >> 1,
  ],
  [
    '1spc',
    (c) => c.ssync_1spc(),
    (c) => c.smutex_lock_1spc(),
    (c) => c.smutex_unlock_1spc(),
    (tid) => 4 * (tid >> 4) + ((tid & 7) >> 1),
  ],
  ['8spe', (c) => c.ssync_8spe(), (c) => c.smutex_lock_8spe(), (c) => c.smutex_unlock_8spe(), rowOf],
  ['row', (c) => c.ssync_row(), (c) => c.smutex_lock_row(), (c) => c.smutex_unlock_row(), rowOf],
  ['col', (c) => c.ssync_col(), (c) => c.smutex_lock_col(), (c) => c.smutex_unlock_col(), (tid) => tid & 7],
  [
    '2spc',
    (c) => c.ssync_2spc(),
    (c) => c.smutex_lock_2spc(),
    (c) => c.smutex_unlock_2spc(),
    clusterGroup(8),
  ],
  [
    '16spe',
    (c) => c.ssync_16spe(),
    (c) => c.smutex_lock_16spe(),
    (c) => c.smutex_unlock_16spe(),
    (tid) => tid >> 4,
  ],
  [
    '4spc',
    (c) => c.ssync_4spc(),
    (c) => c.smutex_lock_4spc(),
    (c) => c.smutex_unlock_4spc(),
    (tid) => tid >> 4,
  ],
  [
    '32spe',
    (c) => c.ssync_32spe(),
    (c) => c.smutex_lock_32spe(),
    (c) => c.smutex_unlock_32spe(),
    (tid) => tid >> 5,
  ],
  [
    '8spc',
    (c) => c.ssync_8spc(),
    (c) => c.smutex_lock_8spc(),
    (c) => c.smutex_unlock_8spc(),
    (tid) => tid >> 5,
  ],
  ['col_right', (c) => (c.cid > 3 ? c.ssync_col_right() : c.compute(1)), null, null, (tid) => tid & 7],
  ['sldm', (c) => c.ssync_sldm(), null, null, () => 0],
];

/** CPE 13 comes late; who waits for it leaves no earlier. */
const late = 20_000;

describe.each(groups)('the group %s', (_group, barrier, lock, unlock, groupOf) => {
  const mates = everyTid.filter((tid) => groupOf(tid) === groupOf(13));

  test('the barrier holds exactly the members of a group', () => {
    const left = saidBy(
      saying(function* (c) {
        if (c.tid === 13) yield c.compute(late);
        yield barrier(c);
        return yield c.stime_cycle();
      }),
    );

    expect(everyTid.filter((tid) => left[tid]! > late)).toEqual(mates);
  });

  if (lock === null || unlock === null) return;

  test('the lock keeps out exactly the members of a group, and only its owner gives it back', () => {
    const got = saidBy(
      saying(function* (c) {
        const early = yield unlock(c);
        if (c.tid !== 13) yield c.compute(2000);
        yield lock(c);
        const now = yield c.stime_cycle();
        if (c.tid === 13) yield c.compute(late);
        yield unlock(c);
        return 100 * now + early;
      }),
    );

    expect(got.map((one) => one % 100)).toEqual(everyTid.map(() => returnCode.E_STATE));
    expect(everyTid.filter((tid) => tid === 13 || got[tid]! > 100 * late)).toEqual(mates);
  });
});

test('ssync_col_right is not for the left columns', () => {
  const codes = saidBy(code((c) => (c.cid < 4 ? c.ssync_col_right() : c.compute(1))));

  expect(codes).toEqual(everyTid.map((tid) => ((tid & 7) < 4 ? returnCode.E_STATE : 0)));
});

test('the allocator: the largest block, all of it, and all back (specification 6.4)', () => {
  const said = saidBy(
    saying(function* (c) {
      const [first, free] = [yield c.get_free_addr(), yield c.pldm_get_free_size()];
      const { address, size } = yield* c.pldm_malloc_max();
      const none = yield c.pldm_malloc(64);
      const nothing = yield c.pldm_get_free_size();
      yield c.pldm_free(address, size);
      const again = yield c.pldm_malloc(128);
      yield c.pldm_free_all();
      const all = yield c.pldm_get_free_size();
      return [
        address === first,
        size === free,
        none === 0,
        nothing === 0,
        again === first,
        all === free,
      ].filter(Boolean).length;
    }),
  );

  expect(said).toEqual(everyTid.map(() => 6));
});

/** Blocks of 8 bytes with gaps of 8, from main memory to LDM and back. */
describe('strided forms (specification 4.1, 6.5)', () => {
  const [blocks, gap] = [8, 8];
  type Strided = (
    c: CpeContext,
    to: number,
    from: number,
    reply: ReturnType<CpeContext['rply']>,
  ) => CpeOperation;
  const forms: readonly [string, Strided, boolean][] = [
    ['dma_iget_stride', (c, to, from, reply) => c.dma_iget_stride(to, from, 16, blocks, gap, reply), true],
    [
      'dma_ibcast_stride',
      (c, to, from, reply) => c.dma_ibcast_stride(to, from, 16, blocks, gap, reply),
      true,
    ],
    [
      'dma_row_ibcast_stride',
      (c, t, f, reply) => c.dma_row_ibcast_stride(t, f, 16, blocks, gap, reply),
      true,
    ],
    [
      'dma_col_ibcast_stride',
      (c, t, f, reply) => c.dma_col_ibcast_stride(t, f, 16, blocks, gap, reply),
      true,
    ],
    ['dma_bcast_stride_coll', (c, to, from) => c.dma_bcast_stride_coll(to, from, 16, blocks, gap), false],
    ['dma_row_bcast_stride_coll', (c, t, f) => c.dma_row_bcast_stride_coll(t, f, 16, blocks, gap), false],
    ['dma_col_bcast_stride_coll', (c, t, f) => c.dma_col_bcast_stride_coll(t, f, 16, blocks, gap), false],
  ];

  test.each(forms)('%s skips the gaps, and refuses blocks that do not divide', (name, form, waits) => {
    const issues = (c: CpeContext) =>
      !name.includes('ibcast') ||
      (name.includes('row') ? c.cid === 0 : name.includes('col') ? c.rid === 0 : c.tid === 0);
    const said = saidBy(
      saying(function* (c, out) {
        const [buffer, reply] = [c.ldmStatic('buffer', 32, 8), c.rply()];
        if (c.tid === 0) yield c.stBlock(out, Float64Array.of(1, 2, 3, 4));
        yield c.rplySet(reply, 0);
        yield c.ssync_array();
        const done: number = issues(c) ? yield form(c, buffer, out, reply) : 0;
        if (waits) yield c.dma_wait_value(reply, 1);
        const [one, three] = yield* c.ldBlock(buffer, 'f64', 2);
        yield c.ssync_array();
        return 100 * done + 10 * one! + three!;
      }),
    );

    expect(said).toEqual(everyTid.map(() => 13));
  });

  test('dma_iput_stride leaves the gaps alone', () => {
    const said = saidBy(
      saying(function* (c, out) {
        const [buffer, reply] = [c.ldmStatic('buffer', 16, 8), c.rply()];
        const own = out + 512;
        if (c.tid !== 5) return 0;
        yield c.rplySet(reply, 0);
        yield c.stBlock(buffer, Float64Array.of(7, 9));
        yield c.dma_iput_stride(own, buffer, 16, blocks, gap, reply);
        yield c.dma_wait_value(reply, 1);
        const [a, b, d] = yield* c.ldBlock(own, 'f64', 3);
        return 100 * a! + 10 * b! + d!;
      }),
    );

    expect(said[5]).toBe(709);
  });

  const bad: readonly (readonly [string, Strided])[] = [
    ...forms.map(([name, form]) => [name, form] as const),
  ];
  test.each(bad)('%s refuses an address that is not aligned', (_name, form) => {
    const codes = saidBy(code((c, out) => form(c, 0x2002, out, replyWordAt(0x3000))));

    expect(codes).toEqual(everyTid.map(() => returnCode.E_ALIGN));
  });
});

describe('RMA to some CPEs (specification 4.2, 6.7)', () => {
  type Form = (
    c: CpeContext,
    to: number,
    from: number,
    own: ReturnType<CpeContext['rply']>,
    come: ReturnType<CpeContext['rply']>,
  ) => CpeOperation;
  const forms: readonly [string, Form, (tid: number) => boolean][] = [
    [
      'rma_row_imcast',
      (c, t, f, own, come) => c.rma_row_imcast(t, f, 8, own, 0x05, come),
      (tid) => [0, 2].includes(tid >> 3),
    ],
    ['rma_bcast_other', (c, t, f, _own, come) => c.rma_bcast_other(t, f, 8, come), (tid) => tid !== 10],
    [
      'rma_row_ibcast_other',
      (c, t, f, own, come) => c.rma_row_ibcast_other(t, f, 8, own, come),
      (tid) => tid >> 3 === 1 && tid !== 10,
    ],
    ['rma_col_bcast', (c, t, f, _own, come) => c.rma_col_bcast(t, f, 8, come), (tid) => (tid & 7) === 2],
    [
      'rma_col_ibcast',
      (c, t, f, own, come) => c.rma_col_ibcast(t, f, 8, own, come),
      (tid) => (tid & 7) === 2,
    ],
    [
      'rma_col_mcast',
      (c, t, f, _own, come) => c.rma_col_mcast(t, f, 8, 0x12, come),
      (tid) => [1, 4].includes(tid & 7),
    ],
  ];

  test.each(forms)(
    '%s by CPE 10 counts once at each of its receivers and nowhere else',
    (_name, form, receives) => {
      const said = saidBy(
        saying(function* (c) {
          const [to, from, own, come] = [
            c.ldmStatic('to', 8, 8),
            c.ldmStatic('from', 8, 8),
            c.rply(),
            c.rply(),
          ];
          yield c.rplySet(own, 0);
          yield c.rplySet(come, 0);
          yield c.st(to, 'f64', 0);
          yield c.st(from, 'f64', 5);
          yield c.ssync_array();
          if (c.tid === 10) yield form(c, to, from, own, come);
          if (receives(c.tid)) yield c.rma_wait_value(come, 1);
          yield c.compute(3000);
          const counted = yield c.rplyRead(come);
          const value = yield* c.ld(to, 'f64');
          return 10 * counted + value;
        }),
      );

      expect(said).toEqual(everyTid.map((tid) => (receives(tid) ? 15 : 0)));
    },
  );

  test.each(forms)('%s refuses a length of 6', (_name, form) => {
    const wrong = (c: CpeContext) => ({
      ...form(c, 0x2000, 0x3000, replyWordAt(0x2100), replyWordAt(0x2200)),
      len: 6,
    });

    expect(saidBy(code((c) => wrong(c) as CpeOperation))).toEqual(everyTid.map(() => returnCode.E_LEN));
  });
});

describe('barrier operations (specification 7.2)', () => {
  test.each<[string, (c: CpeContext) => CpeOperation]>([
    ['rma_barrier', (c) => c.rma_barrier()],
    ['dma_all_barrier', (c) => c.dma_all_barrier()],
    ['rma_all_barrier', (c) => c.rma_all_barrier()],
  ])('%s puts what was issued before it in front of what comes after', (_name, between) => {
    const said = saidBy(
      saying(function* (c) {
        const [to, first, own] = [c.ldmStatic('to', 8, 8), c.ldmStatic('first', 8, 8), c.rply()];
        const second = c.ldmStatic('second', 8, 8);
        yield c.rplySet(own, 0);
        yield c.st(first, 'f64', 1);
        yield c.st(second, 'f64', 2);
        yield c.ssync_array();
        yield c.rma_iput(first, own, 8, c.tid ^ 1, to, null);
        const done: number = yield between(c);
        yield c.rma_iput(second, own, 8, c.tid ^ 1, to, null);
        yield c.rma_wait_value(own, 2);
        yield c.ssync_array();
        yield c.compute(3000);
        const value = yield* c.ld(to, 'f64');
        return 10 * done + value;
      }),
      { fidelity: 'tlm', fuzz: { maxJitter: 40, reorder: true } },
    );

    expect(said).toEqual(everyTid.map(() => 2));
  });
});

test('ptab_cpy fills the lanes that it is given tables for, and refuses a count of 17 (specification 6.10)', () => {
  const said = saidBy(
    saying(function* (c) {
      const [one, two, parallel] = [c.ldmStatic('one', 8), c.ldmStatic('two', 8), c.ldmStatic('p', 128, 64)];
      yield c.stBlock(one, Int32Array.of(3, 4));
      yield c.stBlock(two, Int32Array.of(5, 6));
      yield c.stBlock(parallel, new Int32Array(32).fill(9));
      yield c.ptab_cpy([one, two], 2, 2, parallel);
      const refused: number = yield c.ptab_cpy(new Array<number>(17).fill(one), 2, 17, parallel);
      const row = yield* c.ldBlock(parallel + 64, 'i32', 3);
      return 1000 * refused + 100 * row[0]! + 10 * row[1]! + row[2]!;
    }),
  );

  expect(said).toEqual(everyTid.map(() => 1000 * returnCode.E_LEN + 469));
});
