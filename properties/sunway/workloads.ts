import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { Given } from '../../machines/machine.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../../machines/sunway/config.ts';

/** A run of a Sunway node. */
export type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

/** CPEs of a core group in these workloads: two rows. */
const cpes = 16;

/** A run of a host program that has every CPE carry out `program` with a buffer of main memory. */
export function givenOf(
  program: CpeProgram,
  mutants: readonly string[] = [],
  config: object = {},
): SunwayGiven {
  const host: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc(cpes * 1024, 128);
    yield h.stBlock(
      memory,
      Uint8Array.from({ length: cpes * 1024 }, (_, k) => (7 * k + (k >> 8)) % 251),
    );
    yield h.athread_spawn(program, memory);
    yield h.athread_join();
  };
  return {
    name: 'test',
    config: sunwayConfig.parse({ cpesPerCg: cpes, ...config }),
    programs: { module: 'test', program: host },
    mutants,
    scheduled: false,
  };
}

/** Gets and puts of each CPE's own part, contiguous and strided, what is put fetched again. */
const moves: CpeProgram = function* (c, memory) {
  const own = memory + 1024 * c.tid;
  const buffer = c.ldmStatic('buffer', 256, 64);
  const other = c.ldmStatic('other', 256, 64);
  const got = c.rply();
  const put = c.rply();
  yield c.rplySet(got, 0);
  yield c.rplySet(put, 0);
  yield c.dma_iget(buffer, own, 256, got);
  yield c.dma_wait_value(got, 1);
  yield c.dma_iput_stride(own + 256, buffer, 128, 16, 48, put);
  yield c.dma_wait_value(put, 1);
  yield c.dma_barrier();
  yield c.dma_iget_stride(other, own + 256, 128, 16, 48, got);
  yield c.dma_wait_value(got, 2);
  yield c.dma_put(own + 768, other, 128);
};

/** Values that go from CPE to CPE, by put, by get and as broadcasts to a row, all rows and columns. */
const copies: CpeProgram = function* (c) {
  const value = c.ldmStatic('value', 64, 64);
  const from = c.ldmStatic('from', 64, 64);
  const line = c.ldmStatic('line', 64, 64);
  const sent = c.rply();
  const come = c.rply();
  const copied = c.rply();
  for (const word of [sent, come, copied]) yield c.rplySet(word, 0);
  yield c.st(value, 'i32', 1000 + c.tid);
  yield c.ssync_array();
  const next = (c.tid + 1) % cpes;
  yield c.rma_iput(value, sent, 64, next, from, come);
  yield c.rma_wait_value(sent, 1);
  yield c.rma_wait_value(come, 1);
  yield c.ssync_array();
  if (c.cid === 0) yield c.rma_row_ibcast(line, from, 64, sent, copied);
  yield c.rma_wait_value(copied, 1);
  yield c.ssync_array();
  if (c.tid === 0) yield c.rma_ibcast(from, line, sent, 64, copied);
  yield c.rma_wait_value(copied, 2);
  yield c.ssync_array();
  yield c.rma_get(value, 64, next, from, null);
  yield c.ssync_array();
};

/** Both, for the level of flits, where each is more than one packet. */
const movesAndCopies: CpeProgram = function* (c, memory) {
  yield* moves(c, memory);
  yield* copies(c, memory);
};

/** Several that meet in rows, columns and pairs, and take turns with a lock. */
const meetings: CpeProgram = function* (c, memory) {
  const word = c.ldmStatic('word', 8, 8);
  yield c.compute(10 * ((5 * c.tid) % 7));
  yield c.ssync_row();
  yield c.compute(10 * ((3 * c.tid) % 5));
  yield c.ssync_col();
  yield c.ssync_2spe();
  yield c.smutex_lock_array();
  yield c.dma_get(word, memory, 8);
  yield c.st(word, 'i32', (yield* c.ld(word, 'i32')) + 1);
  yield c.dma_put(memory, word, 8);
  yield c.smutex_unlock_array();
  yield c.ssync_array();
};

/** Runs that together use what the properties watch. */
export const workloads = {
  moves: (mutants: readonly string[] = [], config: object = {}) => givenOf(moves, mutants, config),
  copies: (mutants: readonly string[] = [], config: object = {}) => givenOf(copies, mutants, config),
  flits: (mutants: readonly string[] = [], config: object = {}) =>
    givenOf(movesAndCopies, mutants, { fidelity: 'flit', ...config }),
  meetings: (mutants: readonly string[] = [], config: object = {}) => givenOf(meetings, mutants, config),
} as const;
