import { remoteAddress } from '../../../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import { receiversOf, timed } from '../case-runs.ts';
import { everyTid, firstWord, type Given, type SlaveCase, type SlaveFailure } from '../function-case.ts';
import * as unloaded from '../unloaded.ts';

const { get, put, poll, dmaIssue } = unloaded;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** 256 bytes from byte 64 on touch three blocks, the first and the last in half: two partial units of a put. */
const [offset, bytes] = [64, 256];
const wordsThere = upTo(bytes / 4).map((k) => firstWord + offset / 4 + k);

/** Three pieces of 16 bytes with gaps of 16, in one block, counted once for each piece. */
const [piece, gap, inPieces] = [16, 16, 48];
const pieceWords = [10, 18, 26].flatMap((first) => upTo(4).map((k) => firstWord + first + k));
const firstPiece = 40;

const unaligned = (call: (c: CpeApi, given: Given) => CpeOperation): SlaveFailure => ({
  with: 'an address that is no multiple of 4',
  call,
  code: 'E_ALIGN',
});
const bytesNotOfWords = (call: (c: CpeApi, given: Given) => CpeOperation): SlaveFailure => ({
  with: 'a length of 6',
  call,
  code: 'E_LEN',
});
const undivided = (call: (c: CpeApi, given: Given) => CpeOperation): SlaveFailure => ({
  with: 'blocks of 12 bytes in 16 with gaps of 8',
  call,
  code: 'E_STRIDE',
});

/** Puts are written a while after they are complete at the CPE. */
const untilWritten = 3000;

/** Gets and puts of one CPE (specification 6.5, 9.2). */
const transfers: readonly SlaveCase[] = [
  {
    name: 'dma_get',
    by: 'one',
    means: 'copies bytes of main memory to LDM, and no more',
    *play(c, { a, memory }) {
      yield c.dma_get(a, memory + offset, bytes - 4);
      return yield* c.ldBlock(a, 'i32', bytes / 4);
    },
    gives: () => [...wordsThere.slice(0, -1), 0],
    takes: { formula: '441 + 14.2 * 2 for three blocks, 1 of polling', cycles: get(3) + poll },
    fails: unaligned((c, { a, memory }) => c.dma_get(a + 2, memory, 8)),
  },
  {
    name: 'dma_get_stride',
    by: 'one',
    means: 'gathers blocks that gaps keep apart',
    *play(c, { a, memory }) {
      yield c.dma_get_stride(a, memory + firstPiece, inPieces, piece, gap);
      return yield* c.ldBlock(a, 'i32', 13);
    },
    gives: () => [...pieceWords, 0],
    takes: { formula: '441 + 14.2 * 2 for three pieces, 1 of polling', cycles: get(3) + poll },
    fails: undivided((c, { a, memory }) => c.dma_get_stride(a, memory, 16, 12, 8)),
  },
  {
    name: 'dma_iget',
    by: 'one',
    means: 'copies after its return; the reply word counts when all bytes are there',
    *play(c, { a, own, memory }) {
      const took = yield* timed(c, [c.dma_iget(a, memory + offset, bytes, own), c.dma_wait_value(own, 1)]);
      return [took, ...(yield* c.ldBlock(a, 'i32', bytes / 4))];
    },
    gives: () => [get(3) + poll, ...wordsThere],
    takes: { formula: 'issue: 30; the reply as dma_get', cycles: dmaIssue },
    fails: bytesNotOfWords((c, { a, memory, own }) => c.dma_iget(a, memory, 6, own)),
  },
  {
    name: 'dma_iget_stride',
    by: 'one',
    means: 'gathers after its return',
    *play(c, { a, own, memory }) {
      const took = yield* timed(c, [
        c.dma_iget_stride(a, memory + firstPiece, inPieces, piece, gap, own),
        c.dma_wait_value(own, 1),
      ]);
      return [took, ...(yield* c.ldBlock(a, 'i32', 13))];
    },
    gives: () => [get(3) + poll, ...pieceWords, 0],
    takes: { formula: 'issue: 30; the reply as dma_get_stride', cycles: dmaIssue },
    fails: undivided((c, { a, memory, own }) => c.dma_iget_stride(a, memory, 16, 12, 8, own)),
  },
  {
    name: 'dma_wait_value',
    by: 'one',
    means:
      'returns when the word is at least the value, at once when it is already, and leaves the word alone',
    *play(c, { a, own, memory }) {
      const late = yield* timed(c, [c.dma_iget(a, memory, 4, own), c.dma_wait_value(own, 1)]);
      const early = yield* timed(c, [c.dma_wait_value(own, -3)]);
      return [late, early, yield c.rplyRead(own)];
    },
    gives: () => [get(1) + poll, unloaded.satisfied, 1],
    takes: {
      formula: 'from issue to reply, here 441 - 30 of the issue, 1 of polling',
      cycles: get(1) - dmaIssue + poll,
    },
    fails: {
      with: 'a word that is none',
      call: (c, { own }) => c.dma_wait_value((own + 2) as typeof own, 1),
      code: 'E_RPLY',
    },
  },
  {
    name: 'dma_put',
    by: 'one',
    means: 'copies bytes of LDM to main memory, and no more',
    *play(c, { a, memory }) {
      yield c.stBlock(a, Int32Array.from(upTo(64)));
      yield c.dma_put(memory + offset, a, bytes);
      yield c.compute(untilWritten);
      return yield* c.ldBlock(memory + offset - 4, 'i32', bytes / 4 + 2);
    },
    gives: () => [firstWord + 15, ...upTo(64), firstWord + 80],
    takes: {
      formula: '234 + 6.83 * 3 + 135 for two partial units, 1 of polling, 6 for the blocking form',
      cycles: put(3, 2) + poll + 6,
    },
    fails: {
      with: 'main memory as its source',
      call: (c, { a, memory }) => c.dma_put(a, memory, 8),
      code: 'E_SPACE',
    },
  },
  {
    name: 'dma_put_stride',
    by: 'one',
    means: 'scatters blocks and leaves the gaps alone',
    *play(c, { a, memory }) {
      yield c.stBlock(a, Int32Array.from(upTo(8)));
      yield c.dma_put_stride(memory, a, 32, piece, gap);
      yield c.compute(untilWritten);
      return yield* c.ldBlock(memory, 'i32', 16);
    },
    gives: () => [0, 1, 2, 3, 104, 105, 106, 107, 4, 5, 6, 7, 112, 113, 114, 115],
    takes: {
      formula: '234 + 6.83 * 2 + 135 for two partial units, 1 of polling, 6 for the blocking form',
      cycles: put(2, 2) + poll + 6,
    },
    fails: {
      with: 'a gap of -4',
      call: (c, { a, memory }) => c.dma_put_stride(memory, a, 16, 4, -4),
      code: 'E_STRIDE',
    },
  },
  {
    name: 'dma_iput',
    by: 'one',
    means: 'copies after its return; the reply word counts when the source may be overwritten',
    *play(c, { a, own, memory }) {
      yield c.st(a, 'i32', 7);
      const took = yield* timed(c, [c.dma_iput(memory, a, 4, own), c.dma_wait_value(own, 1)]);
      yield c.st(a, 'i32', 8);
      yield c.compute(untilWritten);
      return [took, ...(yield* c.ldBlock(memory, 'i32', 2))];
    },
    gives: () => [put(1, 1) + poll, 7, firstWord + 1],
    takes: { formula: 'issue: 30; the reply after 234 + 6.83', cycles: dmaIssue },
    fails: {
      with: 'a reply word in main memory',
      call: (c, { a, memory, own }) => c.dma_iput(memory, a, 8, memory as typeof own),
      code: 'E_RPLY',
    },
  },
  {
    name: 'dma_iput_stride',
    by: 'one',
    means: 'scatters after its return and leaves the gaps alone',
    *play(c, { a, own, memory }) {
      yield c.stBlock(a, Int32Array.from(upTo(8)));
      const took = yield* timed(c, [
        c.dma_iput_stride(memory, a, 32, piece, gap, own),
        c.dma_wait_value(own, 1),
      ]);
      yield c.compute(untilWritten);
      return [took, ...(yield* c.ldBlock(memory, 'i32', 9))];
    },
    gives: () => [put(2, 2) + poll, 0, 1, 2, 3, 104, 105, 106, 107, 4],
    takes: { formula: 'issue: 30; the reply as dma_put_stride', cycles: dmaIssue },
    fails: undivided((c, { a, memory, own }) => c.dma_iput_stride(memory, a, 16, 12, 8, own)),
  },
];

/** Groups of a broadcast by `caller`: who receives, and how far away the last one is. */
const groups = [
  { infix: '', what: 'all 64 CPEs', of: (_tid: number) => true, hops: 2 + 3 },
  { infix: 'row_', what: 'its row', of: (tid: number) => Math.floor(tid / 8) === 1, hops: 2 },
  { infix: 'col_', what: 'its column', of: (tid: number) => tid % 8 === 2, hops: 3 },
] as const;
const forms = ['', '_stride'] as const;

/** The last bytes of `d`, beside the reply words: where all receivers are looked at. */
const target = ({ d }: Given) => d + 248;

type Form = (typeof forms)[number];
/** One word, or two that are six words apart. */
const argumentsOf = (form: Form, given: Given, c: CpeApi, name: `dma_${'' | 'row_' | 'col_'}ibcast`) =>
  form === ''
    ? c[name](target(given), given.memory, 4, given.come)
    : c[`${name}_stride`](target(given), given.memory, 8, 4, 20, given.come);

/** Broadcasts that one CPE issues (specification 4.2, 4.3). */
const issued: readonly SlaveCase[] = groups.flatMap(({ infix, what, of, hops }) =>
  forms.map((form): SlaveCase => {
    const name = `dma_${infix}ibcast` as const;
    const blocks = form === '' ? 1 : 2;
    const isColumn = infix === 'col_';
    return {
      name: `${name}${form}`,
      by: 'one',
      means: `${form === '' ? 'one word' : 'two words with a gap between them'} for ${what}, counted once at each`,
      *play(c, given) {
        const took = yield* timed(c, [argumentsOf(form, given, c, name), c.dma_wait_value(given.come, 1)]);
        const second = form === '' ? 0 : yield c.ld(target(given) + 4, 'i32');
        return [took, second, ...(yield* receiversOf(c, given, firstWord))];
      },
      gives: () => [
        isColumn
          ? Math.ceil(get(blocks) + 4 * hops) + poll
          : get(blocks) + poll + unloaded.rmaArrival(4 * blocks, hops) + poll,
        form === '' ? 0 : firstWord + 6,
        ...everyTid.filter(of),
      ],
      takes: isColumn
        ? { formula: 'issue: 30; a true DMA broadcast, its copies after the hops', cycles: dmaIssue }
        : {
            formula: 'a get, 1 of polling, 58 for the issue of the RMA broadcast',
            cycles: get(blocks) + poll + unloaded.rmaIssue,
          },
      fails:
        form === ''
          ? unaligned((c, { a, memory, come }) => c[name](a, memory + 2, 8, come))
          : undivided((c, { a, memory, come }) => c[`${name}_stride`](a, memory, 16, 12, 8, come)),
    };
  }),
);

/** Collective broadcasts: CPE 0, the first of the row or of the column issues (specification 4.3). */
const collective: readonly SlaveCase[] = groups.flatMap(({ infix, what, of }) =>
  forms.map((form): SlaveCase => {
    const name =
      form === '' ? (`dma_${infix}bcast_coll` as const) : (`dma_${infix}bcast_stride_coll` as const);
    const blocks = form === '' ? 1 : 2;
    const isColumn = infix === 'col_';
    const group = infix === '' ? unloaded.array : unloaded.line;
    // From the first CPE of the group to the last one of it.
    const hops = infix === '' ? 6 : 3;
    const call = (c: CpeApi, to: number, from: number) => {
      if (form === '') return c[`dma_${infix}bcast_coll`](to, from, 4);
      return c[`dma_${infix}bcast_stride_coll`](to, from, 8, 4, 20);
    };
    return {
      name,
      by: 'all',
      means: `all of ${what} call and hold the data at their return`,
      *play(c, { a, memory }) {
        if (of(c.tid)) yield call(c, a, memory);
        return yield* c.ldBlock(a, 'i32', 3);
      },
      gives: (tid) => (of(tid) ? [firstWord, form === '' ? 0 : firstWord + 6, 0] : [0, 0, 0]),
      takes: {
        formula: 'two words cleared, a barrier of the group, a get, its broadcast, polling, a barrier',
        cycles:
          2 * unloaded.ldmAccess +
          group +
          (isColumn
            ? Math.max(dmaIssue, get(blocks) + 4 * hops)
            : get(blocks) + poll + unloaded.rmaArrival(4 * blocks, hops)) +
          poll +
          group,
      },
      fails:
        form === ''
          ? bytesNotOfWords((c, { a, memory }) => c[`dma_${infix}bcast_coll`](a, memory, 6))
          : undivided((c, { a, memory }) => c[`dma_${infix}bcast_stride_coll`](a, memory, 16, 12, 8)),
    };
  }),
);

/** A transfer before a barrier operation, one behind it that needs what the first one brings, and where that arrives. */
type Chain = (
  c: CpeApi,
  given: Given,
) => { readonly first: CpeOperation; readonly second: CpeOperation; readonly at: number };

/** The CPE at the other end of RMA transfers. */
const other = 53;
const brought = 4711;

const ordering = (
  name: 'dma_barrier' | 'dma_all_barrier' | 'rma_barrier' | 'rma_all_barrier',
  means: string,
  chain: Chain,
): SlaveCase => ({
  name,
  by: 'one',
  means,
  *play(c, given) {
    const { first, second, at } = chain(c, given);
    yield c.st(given.a, 'i32', brought);
    yield c.st(given.memory + 4, 'i32', brought);
    yield c.st(remoteAddress(other, given.a), 'i32', brought);
    yield first;
    yield c[name]();
    yield second;
    yield c.dma_wait_value(given.own, 2);
    yield c.compute(untilWritten);
    return [yield c.ld(at, 'i32')];
  },
  gives: () => [brought],
  takes: { formula: 'to the engine and back: 2; the CPE does not stall', cycles: 2 },
  fails: { never: 'takes no arguments, and orders nothing where nothing is under way' },
});

const putAndGet: Chain = (c, { a, b, own, memory }) => ({
  first: c.dma_iput(memory, a, 4, own),
  second: c.dma_iget(b, memory, 4, own),
  at: b,
});
const getAndPutThere: Chain = (c, { b, own, memory }) => ({
  first: c.dma_iget(b, memory + 4, 4, own),
  second: c.rma_iput(b, own, 4, other, b, null),
  at: remoteAddress(other, b),
});
const fetchAndPutThere: Chain = (c, { a, b, own }) => ({
  first: c.rma_iget(b, own, 4, other, a, null),
  second: c.rma_iput(b, own, 4, other, b, null),
  at: remoteAddress(other, b),
});

/** Barrier operations of the engine, of DMA and of RMA (specification 7.2). */
export const orderingCases: readonly SlaveCase[] = [
  ordering('dma_barrier', 'a get behind it reads what the put before it has written', putAndGet),
  ordering('dma_all_barrier', 'an RMA put behind it sends what the get before it brought', getAndPutThere),
  ordering('rma_barrier', 'an RMA put behind it sends what the RMA get before it brought', fetchAndPutThere),
  ordering('rma_all_barrier', 'an RMA put behind it sends what the get before it brought', getAndPutThere),
];

/** DMA (specification 6.5). */
export const dmaCases: readonly SlaveCase[] = [...transfers, ...issued, ...collective];
