import { remoteAddress } from '../../../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import type { ReplyWord } from '../../../../actors/sunway/reply-word.ts';
import { receiversOf, timed, underOtherName } from '../case-runs.ts';
import { caller, everyTid, type Given, type SlaveCase, type SlaveFailure } from '../function-case.ts';
import {
  array,
  ldmAccess,
  line,
  poll,
  rmaArrival,
  rmaGet,
  rmaIssue,
  rmaLocal,
  satisfied,
} from '../unloaded.ts';

/** The CPE at the other end of gets and puts: one column and three rows of clusters away from `caller`. */
const [other, hops] = [53, 4];
/** Bytes that take their time: 256 / 25.6 = 10 cycles of the engine. */
const bytes = 256;
const value = 5;

/** The last bytes of `d`, beside the reply words: where all receivers are looked at. */
const target = ({ d }: Given) => d + 248;

const word = (k: number) => 10 + 3 * k;
const words = Array.from({ length: bytes / 4 }, (_, k) => word(k));

function* filled(c: CpeApi, at: number): Generator<CpeOperation, void, number> {
  yield c.stBlock(at, Int32Array.from(words));
}

const replyHere = {
  formula: '58 + S / 25.6 + 56, here for 256 bytes, 1 of polling',
  cycles: rmaLocal(bytes) + poll,
};
const issue = { formula: 'issue: 58', cycles: rmaIssue };

const refused = (
  wrong: string,
  code: 'E_ALIGN' | 'E_LEN' | 'E_TID' | 'E_MASK' | 'E_RANGE' | 'E_ROOT' | 'E_RPLY',
  call: (c: CpeApi, given: Given) => CpeOperation,
): SlaveFailure => ({ with: wrong, call, code });

/** Gets and puts between two LDMs (specification 6.7, 9.3). */
const pairs: readonly SlaveCase[] = [
  {
    name: 'rma_get',
    by: 'one',
    means: 'copies bytes of another LDM; the other CPE counts when they have been read',
    *play(c, { a, b, come }) {
      yield* filled(c, remoteAddress(other, b));
      yield c.rma_get(a, bytes, other, b, come);
      const counted = yield* c.ld(remoteAddress(other, come), 'i32');
      return [counted, yield c.rplyRead(come), ...(yield* c.ldBlock(a, 'i32', 64))];
    },
    gives: () => [1, 0, ...words],
    takes: {
      formula: '58 + 4 hops + 40 + S / 25.6 + 40 + 4 hops, for four hops and 256 bytes, 1 of polling',
      cycles: rmaGet(bytes, hops) + poll,
    },
    fails: refused('a CPE 64', 'E_TID', (c, { a, b }) => c.rma_get(a, 8, 64, b, null)),
  },
  {
    name: 'rma_iget',
    by: 'one',
    means: 'copies after its return; both sides count once',
    *play(c, { a, b, own, come }) {
      yield* filled(c, remoteAddress(other, b));
      const took = yield* timed(c, [c.rma_iget(a, own, bytes, other, b, come), c.rma_wait_value(own, 1)]);
      const counted = yield* c.ld(remoteAddress(other, come), 'i32');
      return [took, counted, ...(yield* c.ldBlock(a, 'i32', 64))];
    },
    gives: () => [rmaGet(bytes, hops) + poll, 1, ...words],
    takes: issue,
    fails: refused('a CPE -1', 'E_TID', (c, { a, b, own }) => c.rma_iget(a, own, 8, -1, b, null)),
  },
  {
    name: 'rma_wait_value',
    by: 'one',
    means: 'returns when the word is at least the value, and leaves the word alone',
    *play(c, { a, own }) {
      yield c.rma_iput(a, own, 4, caller, a + 64, own);
      yield c.rma_wait_value(own, 2);
      const again = yield* timed(c, [c.rma_wait_value(own, 1)]);
      return [again, yield c.rplyRead(own)];
    },
    gives: () => [satisfied, 2],
    // To itself both words are local; the data arrive 40 cycles after the read, the local reply comes after 56.
    takes: {
      formula: 'from issue to reply: S / 25.6 + 56, 1 of polling',
      cycles: rmaLocal(4) - rmaIssue + poll,
    },
    fails: refused('a word in the page of the runtime', 'E_RPLY', (c) =>
      c.rma_wait_value(0x800 as ReplyWord, 1),
    ),
  },
  {
    name: 'rma_put',
    by: 'one',
    means: 'copies bytes into another LDM, which counts when they are there',
    *play(c, { a, b, come }) {
      yield* filled(c, a);
      yield c.rma_put(a, bytes, other, b, come);
      yield c.compute(100);
      const counted = yield* c.ld(remoteAddress(other, come), 'i32');
      return [counted, yield c.rplyRead(come), ...(yield* c.ldBlock(remoteAddress(other, b), 'i32', 64))];
    },
    gives: () => [1, 0, ...words],
    takes: replyHere,
    fails: refused('a length of 262144', 'E_LEN', (c, { a, b }) => c.rma_put(a, 262_144, 1, b, null)),
  },
  {
    name: 'rma_iput',
    by: 'one',
    means: 'copies after its return; both sides count once, and without words nobody does',
    *play(c, { a, b, own, come }) {
      yield* filled(c, a);
      const took = yield* timed(c, [c.rma_iput(a, own, bytes, other, b, come), c.rma_wait_value(own, 1)]);
      yield c.rma_iput(a, null, 4, other, b, null);
      yield c.compute(1000);
      const counted = yield* c.ld(remoteAddress(other, come), 'i32');
      return [
        took,
        counted,
        yield c.rplyRead(own),
        ...(yield* c.ldBlock(remoteAddress(other, b), 'i32', 64)),
      ];
    },
    gives: () => [rmaLocal(bytes) + poll, 1, 1, ...words],
    takes: issue,
    fails: refused('an unaligned place there', 'E_ALIGN', (c, { a, b, own }) =>
      c.rma_iput(a, own, 8, 1, b + 2, null),
    ),
  },
];

interface Form {
  readonly name: string;
  /** Whom a call by `caller`, in row 1 and column 2, goes to. */
  readonly what: string;
  readonly of: (tid: number) => boolean;
  readonly call: (c: CpeApi, to: number, from: number, given: Given) => CpeOperation;
  readonly fails: SlaveFailure;
}

const mask = 0x86;
const inMask = (row: number) => Math.floor(mask / 2 ** row) % 2 === 1;
const rowOf = (tid: number) => Math.floor(tid / 8);
const columnOf = (tid: number) => tid % 8;

const noLength = (call: (c: CpeApi, given: Given) => CpeOperation) => refused('no bytes', 'E_LEN', call);

/** Blocking forms: the source may be overwritten at their return. */
const blocking: readonly Form[] = [
  {
    name: 'rma_bcast',
    what: 'all 64 CPEs',
    of: () => true,
    call: (c, to, from, { come }) => c.rma_bcast(to, from, 4, come),
    fails: noLength((c, { a, b }) => c.rma_bcast(a, b, 0, null)),
  },
  {
    name: 'rma_row_bcast',
    what: 'its row',
    of: (tid) => rowOf(tid) === 1,
    call: (c, to, from, { come }) => c.rma_row_bcast(to, from, 4, come),
    fails: refused('a place in the page of the runtime', 'E_RANGE', (c, { a }) =>
      c.rma_row_bcast(0x800, a, 8, null),
    ),
  },
  {
    name: 'rma_row_mcast',
    what: 'rows 1, 2 and 7 of a mask of 0x86',
    of: (tid) => inMask(rowOf(tid)),
    call: (c, to, from, { come }) => c.rma_row_mcast(to, from, 4, mask, come),
    fails: refused('a mask of 0', 'E_MASK', (c, { a, b }) => c.rma_row_mcast(a, b, 8, 0, null)),
  },
  {
    name: 'rma_col_bcast',
    what: 'its column',
    of: (tid) => columnOf(tid) === 2,
    call: (c, to, from, { come }) => c.rma_col_bcast(to, from, 4, come),
    fails: noLength((c, { a, b }) => c.rma_col_bcast(a, b, 0, null)),
  },
  {
    name: 'rma_col_mcast',
    what: 'columns 1, 2 and 7 of a mask of 0x86',
    of: (tid) => inMask(columnOf(tid)),
    call: (c, to, from, { come }) => c.rma_col_mcast(to, from, 4, mask, come),
    fails: refused('a mask of 0x100', 'E_MASK', (c, { a, b }) => c.rma_col_mcast(a, b, 8, 0x100, null)),
  },
];

/** Forms that return when they are issued. */
const issued: readonly Form[] = [
  {
    name: 'rma_ibcast',
    what: 'all 64 CPEs',
    of: () => true,
    call: (c, to, from, { own, come }) => c.rma_ibcast(to, from, own, 4, come),
    fails: noLength((c, { a, b, own }) => c.rma_ibcast(a, b, own, 0, null)),
  },
  {
    name: 'rma_row_ibcast',
    what: 'its row',
    of: (tid) => rowOf(tid) === 1,
    call: (c, to, from, { own, come }) => c.rma_row_ibcast(to, from, 4, own, come),
    fails: noLength((c, { a, b, own }) => c.rma_row_ibcast(a, b, 0, own, null)),
  },
  {
    name: 'rma_row_imcast',
    what: 'rows 1, 2 and 7 of a mask of 0x86',
    of: (tid) => inMask(rowOf(tid)),
    call: (c, to, from, { own, come }) => c.rma_row_imcast(to, from, 4, own, mask, come),
    fails: refused('a mask of 0x100', 'E_MASK', (c, { a, b, own }) =>
      c.rma_row_imcast(a, b, 8, own, 0x100, null),
    ),
  },
  {
    name: 'rma_col_ibcast',
    what: 'its column',
    of: (tid) => columnOf(tid) === 2,
    call: (c, to, from, { own, come }) => c.rma_col_ibcast(to, from, 4, own, come),
    fails: refused('an unaligned source', 'E_ALIGN', (c, { a, b, own }) =>
      c.rma_col_ibcast(a, b + 1, 8, own, null),
    ),
  },
  {
    name: 'rma_col_imcast',
    what: 'columns 1, 2 and 7 of a mask of 0x86',
    of: (tid) => inMask(columnOf(tid)),
    call: (c, to, from, { own, come }) => c.rma_col_imcast(to, from, 4, own, mask, come),
    fails: refused('a mask of 0', 'E_MASK', (c, { a, b, own }) => c.rma_col_imcast(a, b, 8, own, 0, null)),
  },
];

/** One word for some CPEs: what came to whom, and what the issuer has counted. */
const oneToMany = ({ name, what, of, call, fails }: Form, isBlocking: boolean): SlaveCase => ({
  name,
  by: 'one',
  means: `one word for ${what}; each of them counts it once`,
  *play(c, given) {
    yield c.st(given.a, 'i32', value);
    const work = call(c, target(given), given.a, given);
    const took = yield* timed(c, isBlocking ? [work] : [work, c.rma_wait_value(given.own, 1)]);
    yield c.compute(100);
    return [took, yield c.rplyRead(given.own), ...(yield* receiversOf(c, given, value))];
  },
  gives: () => [rmaLocal(4) + poll, isBlocking ? 0 : 1, ...everyTid.filter(of)],
  takes: isBlocking
    ? { formula: '58 + S / 25.6 + 56, 1 of polling', cycles: rmaLocal(4) + poll }
    : { formula: 'issue: 58; the local reply after S / 25.6 + 56 more', cycles: rmaIssue },
  fails,
});

/** Collective broadcasts: root is a tid, a column of the row, a row of the column (specification 6.7). */
const collective: readonly SlaveCase[] = (
  [
    // From CPE 10 the corner that is farthest away is three rows and two columns of clusters off.
    { infix: '', root: caller, from: caller, of: () => true, group: array, way: 5, bad: 64 },
    { infix: 'row_', root: 5, from: 13, of: (tid: number) => rowOf(tid) === 1, group: line, way: 2, bad: 8 },
    {
      infix: 'col_',
      root: 6,
      from: 50,
      of: (tid: number) => columnOf(tid) === 2,
      group: line,
      way: 3,
      bad: -1,
    },
  ] as const
).map(
  ({ infix, root, from, of, group, way, bad }): SlaveCase => ({
    name: `rma_${infix}bcast_coll`,
    by: 'all',
    means: `all of the group call and hold what CPE ${from}, root ${root}, had`,
    *play(c, { a, b }) {
      yield c.st(a, 'i32', 1000 + c.tid);
      // All stores take the same time: the group begins together.
      if (of(c.tid)) yield c[`rma_${infix}bcast_coll`](b, a, 4, root);
      return [yield c.ld(b, 'i32')];
    },
    gives: (tid) => [of(tid) ? 1000 + from : 0],
    takes: {
      formula: 'two words cleared, a barrier of the group, the broadcast, polling, a barrier',
      cycles: 2 * ldmAccess + group + rmaArrival(4, way) + poll + group,
    },
    fails: refused(`a root ${bad}`, 'E_ROOT', (c, { a, b }) => c[`rma_${infix}bcast_coll`](b, a, 4, bad)),
  }),
);

/** RMA (specification 6.7). */
export const rmaCases: readonly SlaveCase[] = [
  ...pairs,
  ...blocking.map((form) => oneToMany(form, true)),
  ...issued.map((form) => oneToMany(form, false)),
  ...collective,
];

/** Forms of which the issuer does not receive: one row of the checklist, SW-141 (specification 4.2). */
export const otherCases: readonly SlaveCase[] = [
  ...blocking.map((form) => oneToMany(withoutIssuer(form), true)),
  ...issued.map((form) => oneToMany(withoutIssuer(form), false)),
];

function withoutIssuer({ name, what, of, call, fails }: Form): Form {
  const other = `${name}_other`;
  return {
    name: other,
    what: `${what} but the issuer`,
    of: (tid) => of(tid) && tid !== caller,
    call: (c, to, from, given) => call(underOtherName(c, name, other), to, from, given),
    fails:
      'code' in fails
        ? { ...fails, call: (c, given) => fails.call(underOtherName(c, name, other), given) }
        : fails,
  };
}
