import { columnOf, rowOf, spcOf } from '../../../../actors/sunway/array/identity.ts';
import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import { everyTid, type SlaveCase, type SlaveFailure } from '../function-case.ts';
import { array, barrier, fetchAndAdd, line, ring } from '../unloaded.ts';

/** How much later than the others one CPE comes. */
const late = 5000;

interface Group {
  readonly name: string;
  readonly call: (c: CpeApi) => CpeOperation;
  /** In words: who waits for whom. */
  readonly members: string;
  /** A number that the members of a group, and only they, have in common. */
  readonly groupOf: (tid: number) => number;
  readonly formula: string;
  readonly cycles: number;
  /** Who may call it; all when absent. */
  readonly isFor?: (tid: number) => boolean;
  readonly fails?: SlaveFailure;
}

/** A CPE that stays away is named in the report of the deadlock. */
const standsStill = (call: Group['call']): SlaveFailure => ({
  when: 'a member stays away',
  *play(c) {
    if (c.tid === 0) yield call(c);
    return [];
  },
  report: /CPEs? \d[\d, -]* (?:has|have) finished .*never comes? to/,
});

function barrierOf({ name, call, members, groupOf, formula, cycles, isFor, fails }: Group): SlaveCase {
  const may = isFor ?? (() => true);
  const lateTid = everyTid.filter(may)[10]!;
  return {
    name,
    by: 'all',
    means: `holds ${members} until the last has come, and nobody else`,
    *play(c) {
      if (!may(c.tid)) return [0];
      yield call(c);
      if (c.tid === lateTid) yield c.compute(late);
      const begun = yield c.stime_cycle();
      yield call(c);
      const ended = yield c.stime_cycle();
      return [ended - begun >= late || c.tid === lateTid ? 1 : 0];
    },
    gives: (tid) => [may(tid) && groupOf(tid) === groupOf(lateTid) ? 1 : 0],
    takes: { formula, cycles },
    fails: fails ?? standsStill(call),
  };
}

const inFourRows = (tid: number) => Math.floor(tid / 32);
const inTwoRows = (tid: number) => Math.floor(tid / 16);
const inTwoClusters = (tid: number) => Math.floor(spcOf(tid) / 2);

/** Barriers of CPEs (specification 6.2, 9.4); those with the host are played from its side. */
export const barrierCases: readonly SlaveCase[] = [
  barrierOf({
    name: 'ssync_peer',
    call: (c) => c.ssync_peer(63 - c.tid),
    members: 'two CPEs that name each other',
    groupOf: (tid) => Math.min(tid, 63 - tid),
    // CPE 10 and CPE 53: one column and three rows of clusters apart.
    formula: '14 + 4 (bx + by), for CPE 10 and CPE 53 with bx 1 and by 3',
    cycles: barrier(4),
    fails: { with: 'its own tid', call: (c) => c.ssync_peer(c.tid), code: 'E_TID' },
  }),
  barrierOf({
    name: 'ssync_2spe',
    call: (c) => c.ssync_2spe(),
    members: 't and t xor 1',
    groupOf: (tid) => Math.floor(tid / 2),
    formula: 'synp: 14',
    cycles: barrier(0),
  }),
  barrierOf({
    name: 'ssync_1spc',
    call: (c) => c.ssync_1spc(),
    members: 'the four CPEs of a cluster',
    groupOf: spcOf,
    formula: 'two synp: 14 + 14',
    cycles: 2 * barrier(0),
  }),
  barrierOf({
    name: 'ssync_8spe',
    call: (c) => c.ssync_8spe(),
    members: 'a row',
    groupOf: rowOf,
    formula: 'synr(0xFF): 14 + 4 * 3',
    cycles: line,
  }),
  barrierOf({
    name: 'ssync_row',
    call: (c) => c.ssync_row(),
    members: 'a row',
    groupOf: rowOf,
    formula: 'synr(0xFF): 14 + 4 * 3',
    cycles: line,
  }),
  barrierOf({
    name: 'ssync_col',
    call: (c) => c.ssync_col(),
    members: 'a column',
    groupOf: columnOf,
    formula: 'sync(0xFF): 14 + 4 * 3',
    cycles: line,
  }),
  barrierOf({
    name: 'ssync_col_left',
    call: (c) => c.ssync_col_left(),
    members: 'a column of the left half',
    groupOf: columnOf,
    formula: 'sync(0xFF): 14 + 4 * 3',
    cycles: line,
    isFor: (tid) => columnOf(tid) < 4,
    fails: { with: 'a CPE of column 5', call: (c) => c.ssync_col_left(), code: 'E_STATE', at: 13 },
  }),
  barrierOf({
    name: 'ssync_col_right',
    call: (c) => c.ssync_col_right(),
    members: 'a column of the right half',
    groupOf: columnOf,
    formula: 'sync(0xFF): 14 + 4 * 3',
    cycles: line,
    isFor: (tid) => columnOf(tid) > 3,
    fails: { with: 'a CPE of column 2', call: (c) => c.ssync_col_right(), code: 'E_STATE' },
  }),
  barrierOf({
    name: 'ssync_2spc',
    call: (c) => c.ssync_2spc(),
    members: 'two clusters beside each other',
    groupOf: inTwoClusters,
    formula: 'synr of four columns, synp: 14 + 4 + 14',
    cycles: barrier(1) + barrier(0),
  }),
  ...(['16spe', '4spc'] as const).map((group) =>
    barrierOf({
      name: `ssync_${group}`,
      call: (c) => c[`ssync_${group}`](),
      members: 'rows 2k and 2k + 1',
      groupOf: inTwoRows,
      formula: 'synr(0xFF), synp: 26 + 14',
      cycles: line + barrier(0),
    }),
  ),
  ...(['32spe', '8spc'] as const).map((group) =>
    barrierOf({
      name: `ssync_${group}`,
      call: (c) => c[`ssync_${group}`](),
      members: 'four rows',
      groupOf: inFourRows,
      formula: 'sync of four rows, synr(0xFF): 14 + 4 + 26',
      cycles: barrier(1) + line,
    }),
  ),
  barrierOf({
    name: 'ssync_array',
    call: (c) => c.ssync_array(),
    members: 'all CPEs of the core group',
    groupOf: () => 0,
    formula: 'synr(0xFF), sync(0xFF): 52',
    cycles: array,
  }),
  barrierOf({
    name: 'ssync_sldm',
    call: (c) => c.ssync_sldm(),
    members: 'the share group, here the array',
    groupOf: () => 0,
    formula: 'as the barrier of the group: 52',
    cycles: array,
  }),
  barrierOf({
    name: 'ssync_node',
    call: (c) => c.ssync_node(),
    members: 'all CPEs of all live arrays',
    groupOf: () => 0,
    formula: '2 * 52 + 2 * 430 + 200 of the ring',
    cycles: 2 * array + 2 * fetchAndAdd + ring,
  }),
];
