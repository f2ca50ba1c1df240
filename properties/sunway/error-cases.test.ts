import { describe, expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { MpeApi, MpeOperation } from '../../actors/sunway/mpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { type ReplyWord, replyWordAt } from '../../actors/sunway/reply-word.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { onArray, type Trial, trial, watchedTrial } from './trial.ts';

/** What a program has at hand for a bad call: three buffers in LDM, a reply word, and an address of main memory. */
interface Given {
  readonly a: number;
  readonly b: number;
  readonly buf: number;
  readonly reply: ReplyWord;
  readonly memory: number;
}

/** A bad call of the slave side: its number in section 11 of the specification, in words, the call, and what it is told. */
type BadCall = readonly [
  id: string,
  what: string,
  call: (c: CpeApi, given: Given) => CpeOperation,
  code: keyof typeof returnCode,
];

/** One row of CPEs: CPE 8 and all after it are offline. */
const small = { cpesPerCg: 8, memoryMiB: 1, fidelity: 'functional' } as const;
const returning = { ...small, onError: 'return' } as const;
const sharing = { sldm: { mode: 4, sizeKiB: 1 } } as const;
const shared = 2 ** 44;
const [toLdm, toMemory] = [0x9000_1000, 0x9000_2000];

/** Those of CPE 5 alone. */
const ofOne: readonly BadCall[] = [
  ['E1', 'DMA to an odd address of LDM', (c, { a, memory }) => c.dma_get(a + 2, memory, 8), 'E_ALIGN'],
  ['E1', 'DMA from an odd address', (c, { a, memory }) => c.dma_put(memory + 1, a, 8), 'E_ALIGN'],
  ['E1', 'RMA at an odd address there', (c, { a }) => c.rma_put(a, 8, 1, a + 2, null), 'E_ALIGN'],
  ['E1', 'a broadcast of an odd address', (c, { a, b }) => c.rma_bcast(a, b + 3, 8, null), 'E_ALIGN'],
  ...[0, -4, 6, 262_144].flatMap((len): BadCall[] => [
    ['E2', `a get of ${len} bytes`, (c, { a, memory }) => c.dma_get(a, memory, len), 'E_LEN'],
    ['E2', `a put of ${len} bytes`, (c, { a, b, reply }) => c.rma_iput(a, reply, len, 1, b, null), 'E_LEN'],
    ['E2', `a broadcast of ${len} bytes`, (c, { a, b }) => c.rma_row_bcast(a, b, len, null), 'E_LEN'],
  ]),
  ['E3', 'a get beyond the end of LDM', (c, { memory }) => c.dma_get(0x3fff8, memory, 16), 'E_RANGE'],
  ['E3', 'a get into the page of the runtime', (c, { memory }) => c.dma_get(0xffc, memory, 8), 'E_RANGE'],
  ['E3', 'a put beyond the end there', (c, { a }) => c.rma_put(a, 16, 1, 0x3fff8, null), 'E_RANGE'],
  ['E3', 'a broadcast into the page', (c, { a }) => c.rma_bcast(0x800, a, 8, null), 'E_RANGE'],
  ['E4', 'a get between two places of LDM', (c, { a, b }) => c.dma_get(a, b, 8), 'E_SPACE'],
  ['E4', 'a put with memory as its source', (c, { a, memory }) => c.dma_put(a, memory, 8), 'E_SPACE'],
  ['E5', 'blocks of 0', (c, { a, memory }) => c.dma_get_stride(a, memory, 16, 0, 8), 'E_STRIDE'],
  ['E5', 'blocks of 12 in 16', (c, { a, memory }) => c.dma_get_stride(a, memory, 16, 12, 8), 'E_STRIDE'],
  ['E5', 'a gap of -4', (c, { a, memory }) => c.dma_put_stride(memory, a, 16, 4, -4), 'E_STRIDE'],
  ['E6', 'RMA with CPE 64', (c, { a, b }) => c.rma_get(a, 8, 64, b, null), 'E_TID'],
  ['E6', 'RMA with CPE -1', (c, { a, b }) => c.rma_put(a, 8, -1, b, null), 'E_TID'],
  ['E6', 'RMA with an offline CPE', (c, { a, b }) => c.rma_put(a, 8, 8, b, null), 'E_TID'],
  ['E7', 'a row mask of 0', (c, { a, b }) => c.rma_row_mcast(a, b, 8, 0, null), 'E_MASK'],
  [
    'E7',
    'a column mask of 0x100',
    (c, { a, b, reply }) => c.rma_col_imcast(a, b, 8, reply, 0x100, null),
    'E_MASK',
  ],
  [
    'E9',
    'a reply word in main memory',
    (c, { a, memory }) => c.dma_iget(a, memory, 8, replyWordAt(memory)),
    'E_RPLY',
  ],
  [
    'E9',
    'a reply word at an odd address',
    (c, { a, memory, reply }) => c.dma_iput(memory, a, 8, replyWordAt(reply + 1)),
    'E_RPLY',
  ],
  [
    'E9',
    'a reply word of another CPE at an odd address',
    (c, { a, b, reply }) => c.rma_iput(a, reply, 8, 1, b, replyWordAt(reply + 2)),
    'E_RPLY',
  ],
  ['E16', 'a lock that nobody holds', (c) => c.smutex_unlock_row(), 'E_STATE'],
  ['E18', 'itself as a peer', (c) => c.ssync_peer(5), 'E_TID'],
  ['E19', 'left columns, in column 5', (c) => c.ssync_col_left(), 'E_STATE'],
  ['E26', 'a table that is not 64-aligned', (c, { a }) => c.get_ptab_addr(a + 4), 'E_ALIGN'],
  ['E26', 'a copy to one that is not', (c, { a, b }) => c.ptab_cpy16(b, 4, a + 32), 'E_ALIGN'],
  ['E26', 'an offset of 6', (c, { a }) => c.ptab_lookup(lanes(6), lanes((a >> 6) << 2)), 'E_ALIGN'],
  ['E26', 'a store at one', (c, { a }) => c.ptab_write(lanes(6), lanes((a >> 6) << 2), lanes(0)), 'E_ALIGN'],
  ['E31', 'an end before its start', (c, { memory }) => c.scache_evict(memory + 64, memory), 'E_RANGE'],
];

/** Those in which all CPEs take part; the members of a group may differ. */
const ofAll: readonly BadCall[] = [
  ['E8', 'root 8 of a row', (c, { a, b }) => c.rma_row_bcast_coll(a, b, 8, 8), 'E_ROOT'],
  ['E8', 'root 64 of the array', (c, { a, b }) => c.rma_bcast_coll(a, b, 8, 64), 'E_ROOT'],
  ['E8', 'different roots', (c, { a, b }) => c.rma_row_bcast_coll(a, b, 8, c.tid === 3 ? 1 : 0), 'E_ARGS'],
  ...(
    [
      ['data type 0x6', 0x6, 1, 'E_DTYPE'],
      ['data type 99', 99, 1, 'E_DTYPE'],
      ['operation 0', 0, 0, 'E_OP'],
      ['operation 8', 0, 8, 'E_OP'],
      ['a bitwise and of doubles', 5, 2, 'E_OP'],
    ] as const
  ).map(
    ([what, dtype, optype, code]): BadCall => [
      'E10',
      what,
      (c, { a, b, buf }) => c.scoll_redurt(a, b, 1, dtype, optype, buf, 1),
      code,
    ],
  ),
  ['E11', 'buffers that overlap', (c, { a }) => c.scoll_alltoall(a, a + 128, 4), 'E_OVERLAP'],
  ['E11', 'units of 6 bytes', (c, { a, b }) => c.scoll_alltoall(a, b, 6), 'E_LEN'],
  ['E11', 'scratch in the buffer', (c, { a }) => c.scoll_alltoall_inplace(a, 4, a + 8, 1), 'E_OVERLAP'],
  ['E11', 'units of 6 in place', (c, { a, b }) => c.scoll_alltoall_inplace(a, 6, b, 1), 'E_LEN'],
  ['E29', 'no sharing', (c, { memory }) => c.memcpy_sldm(shared, memory, 64, toLdm), 'E_STATE'],
];

/** Those that need shared LDM. */
const ofSharers: readonly BadCall[] = [
  [
    'E29',
    'a direction that the pointers do not have',
    (c, { memory }) => c.memcpy_sldm(shared, memory, 64, toMemory),
    'E_SPACE',
  ],
  ['E29', 'no direction', (c, { memory }) => c.memcpy_sldm(shared, memory, 64, 0), 'E_SPACE'],
  [
    'E29',
    'different lengths',
    (c, { memory }) => c.memcpy_sldm(shared, memory, c.tid === 2 ? 32 : 64, toLdm),
    'E_ARGS',
  ],
];

/** The same number in every lane. */
const lanes = (value: number): readonly number[] => new Array<number>(16).fill(value);

/** Runs a call on CPE 5, or on all; CPE 5 is asked what it was told. */
function runCall(call: BadCall[2], everybody: boolean, config: object): Trial {
  const program: CpeProgram = function* (c, memory) {
    const given: Given = {
      a: c.ldmStatic('a', 1024, 64),
      b: c.ldmStatic('b', 1024, 64),
      buf: c.ldmStatic('buf', 1024, 64),
      reply: c.rply(),
      memory,
    };
    const code = c.ldmStatic('code', 8, 8);
    const told = everybody || c.tid === 5 ? yield call(c, given) : 0;
    yield c.st(code, 'f64', told as number);
    yield c.dma_put(memory + 8 * c.tid, code, 8);
  };
  return trial(onArray(program), config);
}

describe.each([
  ['one CPE', ofOne, false, {}],
  ['all CPEs', ofAll, true, {}],
  ['all CPEs that share LDM', ofSharers, true, sharing],
] as const)('a bad call of %s', (_who, calls, everybody, config) => {
  test.each(calls)('%s, %s: its code is returned, or the run stops with it', (_id, _what, call, code) => {
    const returned = runCall(call, everybody, { ...returning, ...config });
    const { verdict, violations } = runCall(call, everybody, { ...small, ...config }).run.outcome;

    expect(Number(returned.told['5'])).toBe(returnCode[code]);
    expect(verdict).toBe('error');
    expect(violations.map(({ why }) => why)).toContainEqual(
      expect.stringMatching(new RegExp(`${code} from \\w+\\(.*\\) on CPE \\d of core group 0 in cycle \\d+`)),
    );
  });
});

test('E5, a gap of 6 is refused, as a stride or as an address', () => {
  const { told } = runCall((c, { a, memory }) => c.dma_get_stride(a, memory, 16, 4, 6), false, returning);

  expect([returnCode.E_STRIDE, returnCode.E_ALIGN]).toContain(Number(told['5']));
});

test.each(['ptab_lookup', 'ptab_write'] as const)('E26, %s beyond the rows of its table', (name) => {
  const program: CpeProgram = function* (c, memory) {
    const [table, parallel] = [c.ldmStatic('table', 16), c.ldmStatic('parallel', 512, 64)];
    const code = c.ldmStatic('code', 8, 8);
    const base = yield* c.ptab_cpy16(table, 4, parallel);
    const last = name === 'ptab_write' ? yield c.ptab_write(lanes(12), base, lanes(1)) : 0;
    const told = yield name === 'ptab_write'
      ? c.ptab_write(lanes(16), base, lanes(1))
      : c.ptab_lookup(lanes(16), base);
    yield c.st(code, 'f64', 100 * Number(last) + Number(told));
    yield c.dma_put(memory + 8 * c.tid, code, 8);
  };

  expect(trial(onArray(program), returning).told['5']).toBe(`${returnCode.E_RANGE}`);
});

/** What a host program of one core group tells under the name `codes`. */
const hostCodes = (host: MpeProgram, config: object = returning) => String(trial(host, config).told['codes']);

const idle: CpeProgram = function* (c) {
  yield c.compute(1);
};

/** Bad calls of the host side, each behind what brings the host there. */
const ofHost: readonly [string, string, MpeProgram, keyof typeof returnCode][] = [
  ['E12', 'a call before init', hostThat((h) => h.athread_spawn(idle), []), 'E_STATE'],
  ['E15', 'a join with nothing', hostThat((h) => h.athread_join()), 'E_STATE'],
  ['E15', 'a wait with nothing', hostThat((h) => h.athread_wait(3)), 'E_STATE'],
  ['E16', 'a lock of hosts that nobody holds', hostThat((h) => h.mutex_unlock_node()), 'E_STATE'],
  ['E28', 'a quit without a pool', hostThat((h) => h.task_quit()), 'E_STATE'],
];

function hostThat(
  call: (h: MpeApi) => MpeOperation,
  before: readonly ((h: MpeApi) => MpeOperation)[] = [(h) => h.init()],
): MpeProgram {
  return function* (h) {
    for (const one of before) yield one(h);
    yield h.tell('codes', yield call(h));
  };
}

describe('a bad call of a host', () => {
  test.each(ofHost)('%s, %s: its code is returned, or the run stops with it', (_id, _what, host, code) => {
    const { verdict, violations } = trial(host, small).run.outcome;

    expect(hostCodes(host)).toBe(`${returnCode[code]}`);
    expect(verdict).toBe('error');
    expect(violations.map(({ why }) => why)).toContainEqual(expect.stringMatching(`${code} from `));
  });

  // E13 and E14 are told under both policies: that a CPE is in use is no mistake.
  test.each([
    ['return', returning],
    ['trap', small],
  ])('E13, E14: who is in use says so, with onError %s', (_policy, config) => {
    const work: CpeProgram = function* (c) {
      yield c.compute(500);
    };
    const single: MpeProgram = function* (h) {
      yield h.init();
      const codes = [yield h.athread_create(3, work, 0), yield h.athread_create(3, work, 0)];
      yield h.compute(5000);
      codes.push(yield h.athread_create(3, work, 0), yield h.athread_wait(3), yield h.athread_end(3));
      codes.push(yield h.athread_create(3, work, 0));
      yield h.tell('codes', codes.join(' '));
    };
    const group: MpeProgram = function* (h) {
      yield h.init();
      const codes = [yield h.athread_spawn(work), yield h.athread_spawn(work)];
      yield h.compute(9000);
      codes.push(yield h.athread_spawn(work), yield h.athread_join(), yield h.athread_halt());
      codes.push(yield h.athread_spawn(work));
      yield h.tell('codes', codes.join(' '));
    };

    expect(hostCodes(single, config)).toBe('0 1 2 0 0 3');
    expect(hostCodes(group, config)).toBe('0 1 2 0 0 3');
  });

  // Two blocks of tasks need two bytes, each 0 or 1.
  test.each([
    ['an empty name', '', 5, 3, {}],
    ['no tasks', 'mid', 0, 3, {}],
    ['blocks of 0', 'mid', 5, 0, {}],
    ['a file of three bytes', 'mid', 5, 3, { mid: '000000' }],
    ['a file with a byte 7', 'mid', 5, 3, { mid: '0007' }],
  ])('E27, a fetch with %s is told -2 under both policies', (_what, name, tasks, block, files) => {
    const host = hostThat((h) => h.task_fetch(name, tasks, block));

    for (const config of [small, returning]) expect(hostCodes(host, { ...config, files })).toBe('-2');
  });
});

/** Everything that a run found: violations, warnings, and why it stands still. */
const findingsOf = ({ run, result }: Trial) =>
  [...run.outcome.violations.map(({ why }) => why), ...result.warnings, ...result.deadlock].join('\n');

/** Programs that are wrong in what they do rather than in what they say, and what the run must tell. */
const reported: readonly [string, string, CpeProgram, RegExp][] = [
  [
    'E16',
    'a lock is given back by another CPE',
    function* (c) {
      if (c.tid === 0) yield c.smutex_lock_row();
      yield c.ssync_peer(c.tid ^ 1);
      if (c.tid === 1) yield c.smutex_unlock_row();
    },
    /BadUnlock: CPE 1 of core group 0 gives back lock 8spe:0/,
  ],
  [
    'E17',
    'a lock is taken twice',
    function* (c) {
      if (c.tid === 3) for (let times = 0; times < 2; times++) yield c.smutex_lock_array();
    },
    /self: CPE 3 waits for the lock array:0/,
  ],
  [
    'E18',
    'a peer meets a third one',
    function* (c) {
      if (c.tid < 3) yield c.ssync_peer((c.tid + 1) % 3);
    },
    /CPE 0 waits at the pair 0 1, CPE 1 at the pair 1 2/,
  ],
  [
    'E20',
    'two masks in a row',
    function* (c) {
      if (c.tid < 2) yield c.synr(c.tid === 0 ? 0x0f : 0xff);
    },
    /MaskMismatch: .*0x0F.*0xFF/,
  ],
  [
    'E21',
    'a reply that nothing can bring',
    function* (c) {
      const reply = c.rply();
      yield c.rplySet(reply, 0);
      if (c.tid === 6) yield c.dma_wait_value(reply, 1);
    },
    /CPE 6 waits for its reply word .* to reach 1 \(it is 0\).*no transfer can ever/,
  ],
  [
    'E22',
    'a reply word is set while an increment is outstanding',
    function* (c, memory) {
      const [reply, own] = [c.rply(), c.ldmStatic('own', 64)];
      yield c.rplySet(reply, 0);
      if (c.tid !== 2) return;
      yield c.dma_iget(own, memory, 64, reply);
      yield c.rplySet(reply, 0);
      yield c.compute(3000);
    },
    /ReplyResetRace/,
  ],
  [
    'E23',
    'a block is freed with another size',
    function* (c) {
      const block = yield c.ldm_malloc(256);
      if (c.tid === 0) yield c.ldm_free(block, 128);
    },
    /BadFree/,
  ],
  [
    'E23',
    'a block is freed twice',
    function* (c) {
      const block = yield c.ldm_malloc(256);
      yield c.ldm_free(block, 256);
      if (c.tid === 0) yield c.ldm_free(block, 256);
    },
    /BadFree/,
  ],
  [
    'E23',
    'a block is freed during a transfer',
    function* (c, memory) {
      const reply = c.rply();
      yield c.rplySet(reply, 0);
      const block = yield c.ldm_malloc(256);
      if (c.tid !== 0) return;
      yield c.dma_iget(block, memory, 256, reply);
      yield c.ldm_free(block, 256);
      yield c.dma_wait_value(reply, 1);
    },
    /FreeWhileInFlight/,
  ],
  [
    'E25',
    'a broadcast goes where a receiver has allocated nothing',
    function* (c) {
      const source = c.ldmStatic('source', 64);
      const block = c.tid === 7 ? 0x8000 : yield c.ldm_malloc(0x10000);
      yield c.ssync_row();
      if (c.tid === 0) yield c.rma_row_bcast(block + 64, source, 64, null);
      yield c.ssync_row();
    },
    /RemoteRangeUnallocated/,
  ],
  [
    'E30',
    'one CPE leaves a collective out',
    function* (c) {
      const word = c.ldmStatic('word', 4);
      if (c.tid !== 4) yield c.rma_row_bcast_coll(word, word, 4, 0);
    },
    /CPE 4 has finished .* never comes to row 0/,
  ],
  [
    'E32',
    'a thread ends with a transfer that nothing covers',
    function* (c, memory) {
      const [reply, own] = [c.rply(), c.ldmStatic('own', 64)];
      yield c.rplySet(reply, 0);
      if (c.tid === 2) yield c.dma_iput(memory, own, 64, reply);
    },
    /OrphanTransfer/,
  ],
];

describe.each(['trap', 'return'] as const)('with onError %s, a run tells of a program', (onError) => {
  test.each(reported)('%s: %s', (_id, _what, program, finding) => {
    expect(findingsOf(watchedTrial(onArray(program), { ...small, fidelity: 'tlm', onError }))).toMatch(
      finding,
    );
  });
});

test('E16, the CPE that gives back the lock of another one is told so', () => {
  const program: CpeProgram = function* (c, memory) {
    const code = c.ldmStatic('code', 8, 8);
    if (c.tid === 0) yield c.smutex_lock_row();
    yield c.ssync_row();
    yield c.st(code, 'f64', c.tid === 1 ? yield c.smutex_unlock_row() : 0);
    yield c.dma_put(memory + 8 * c.tid, code, 8);
    yield c.ssync_row();
    if (c.tid === 0) yield c.smutex_unlock_row();
  };

  expect(trial(onArray(program), returning).told['1']).toBe(`${returnCode.E_STATE}`);
});

test('E24, more than is free is NULL, and as much as is free is not', () => {
  const told = (more: number) => Number(runCall((c) => c.ldm_malloc(more), false, { ...small }).told['5']);

  expect(told(262_144)).toBe(0);
  expect(told(64)).toBeGreaterThan(0);
});

test('E32, the buffer of a transfer that outlives its thread holds until it is done', () => {
  const program: CpeProgram = function* (c, memory) {
    const own = c.ldmStatic('own', 8, 8);
    yield c.st(own, 'f64', 10 + c.tid);
    yield c.dma_iput(memory + 8 * c.tid, own, 8, null);
  };
  const { told } = trial(onArray(program), { ...small, fidelity: 'tlm' });

  expect(Array.from({ length: 8 }, (_, tid) => Number(told[`${tid}`]))).toEqual([
    10, 11, 12, 13, 14, 15, 16, 17,
  ]);
});
