import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { ReplyWord } from '../../actors/sunway/reply-word.ts';

const everyLine = 0xff;
const wordBytes = 4;

type Steps = Generator<CpeOperation, void, number>;

/** One form of RMA: what a CPE does with the word `a` and the reply word, and what the word holds afterwards. */
interface Step {
  readonly name: string;
  /** What `a` holds before, by CPE; 0 everywhere but the number of the step in CPE 0 when absent. */
  readonly before?: (tid: number) => number;
  readonly moves: (c: CpeApi, a: number, reply: ReplyWord) => Steps;
  /** Which CPE's word a CPE has afterwards. */
  readonly from: (tid: number) => number;
}

const own = (tid: number): number => tid;
const first = (): number => 0;
const toNext = (tid: number): number => (tid === 1 ? 0 : tid);
const inFirstRow = (tid: number): number => (tid < 8 ? 0 : tid);
const inFirstColumn = (tid: number): number => (tid % 8 === 0 ? 0 : tid);

/** The forms, in the order of the specification (13, S2). */
const steps: readonly Step[] = [
  {
    name: 'rma_get',
    from: first,
    *moves(c, a, reply) {
      yield c.rma_get(a, wordBytes, 0, a, reply);
    },
  },
  {
    name: 'rma_iget',
    from: first,
    *moves(c, a, reply) {
      yield c.rma_iget(a, reply, wordBytes, 0, a, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_put',
    from: toNext,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_put(a, wordBytes, 1, a, reply);
      if (c.tid === 1) yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_iput',
    from: toNext,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_iput(a, reply, wordBytes, 1, a, reply);
      if (c.tid <= 1) yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_bcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_bcast(a, a, wordBytes, reply);
    },
  },
  {
    name: 'rma_ibcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid !== 0) return;
      yield c.rma_ibcast(a, a, reply, wordBytes, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_bcast_coll',
    from: first,
    *moves(c, a) {
      yield c.rma_bcast_coll(a, a, wordBytes, 0);
    },
  },
  {
    name: 'rma_row_bcast',
    from: inFirstRow,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_row_bcast(a, a, wordBytes, reply);
    },
  },
  {
    name: 'rma_row_ibcast',
    from: inFirstRow,
    *moves(c, a, reply) {
      if (c.tid !== 0) return;
      yield c.rma_row_ibcast(a, a, wordBytes, reply, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_row_bcast_coll',
    before: own,
    from: (tid) => tid - (tid % 8),
    *moves(c, a) {
      yield c.rma_row_bcast_coll(a, a, wordBytes, 0);
    },
  },
  {
    name: 'rma_row_mcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_row_mcast(a, a, wordBytes, everyLine, reply);
    },
  },
  {
    name: 'rma_row_imcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_row_imcast(a, a, wordBytes, reply, everyLine, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_col_bcast',
    from: inFirstColumn,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_col_bcast(a, a, wordBytes, reply);
    },
  },
  {
    name: 'rma_col_ibcast',
    from: inFirstColumn,
    *moves(c, a, reply) {
      if (c.tid !== 0) return;
      yield c.rma_col_ibcast(a, a, wordBytes, reply, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
  {
    name: 'rma_col_bcast_coll',
    before: own,
    from: (tid) => tid % 8,
    *moves(c, a) {
      yield c.rma_col_bcast_coll(a, a, wordBytes, 0);
    },
  },
  {
    name: 'rma_col_mcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_col_mcast(a, a, wordBytes, everyLine, reply);
    },
  },
  {
    name: 'rma_col_imcast',
    from: first,
    *moves(c, a, reply) {
      if (c.tid === 0) yield c.rma_col_imcast(a, a, wordBytes, reply, everyLine, reply);
      yield c.rma_wait_value(reply, 1);
    },
  },
];

const replyBytes = wordBytes * steps.length;
const recordBytes = 2 * replyBytes;

const before = (step: number, tid: number): number =>
  steps[step]!.before?.(tid) ?? (tid === 0 ? step + 1 : 0);

/** Takes all steps with one word and one reply word, and tells what both hold after each. */
const walk: CpeProgram = function* (c, out) {
  const a = c.ldmStatic('a', wordBytes);
  const reply = c.rply();
  const record = c.ldmStatic('record', recordBytes);
  for (const [index, { moves }] of steps.entries()) {
    yield c.st(a, 'i32', before(index, c.tid));
    yield c.rplySet(reply, 0);
    yield c.ssync_array();
    yield* moves(c, a, reply);
    yield c.ssync_array();
    yield c.st(record + wordBytes * index, 'i32', yield* c.ld(a, 'i32'));
    yield c.st(record + replyBytes + wordBytes * index, 'i32', yield c.rplyRead(reply));
    yield c.ssync_array();
  }
  yield c.dma_put(out + recordBytes * c.tid, record, recordBytes);
};

/** Has an array of `cpes` CPEs walk through every form of RMA, and counts those that have what they should (specification 13, S2). */
export const rmaWalkOf = (cpes: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(recordBytes * cpes);
    yield h.athread_spawn(walk, out);
    yield h.athread_join();
    const told = yield* h.ldBlock(out, 'i32', (recordBytes / wordBytes) * cpes);
    const at = (tid: number, index: number): number => told[(recordBytes / wordBytes) * tid + index]!;
    for (const [index, { name, from }] of steps.entries()) {
      const tids = Array.from({ length: cpes }, (_, tid) => tid);
      const right = tids.filter((tid) => at(tid, index) === before(index, from(tid)));
      yield h.tell(`right after step ${index + 1}, ${name}`, right.length);
    }
    yield h.tell('reply word of CPE 0 after step 12', at(0, steps.length + 11));
  };
/** The same on the whole array. */
export const rmaWalk = rmaWalkOf(64);
