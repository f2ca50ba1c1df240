import { columnOf, rowOf, spcOf } from '../../../../actors/sunway/array/identity.ts';
import type { LockGroup } from '../../../../actors/sunway/groups.ts';
import { caller, everyTid, firstWord, type SlaveCase, type SlavePlay } from '../function-case.ts';
import { arrayLock, nodeLock } from '../unloaded.ts';

/** How long the first CPE keeps its lock, and how much later the others come. */
const [kept, later] = [200_000, 2000];

interface Lock {
  readonly group: LockGroup;
  readonly each: string;
  /** Number of the lock that a CPE takes, below 64. */
  readonly lockOf: (tid: number) => number;
}

const locks: readonly Lock[] = [
  { group: '2spe', each: 'pair', lockOf: (tid) => Math.floor(tid / 2) },
  { group: '1spc', each: 'cluster', lockOf: spcOf },
  { group: '8spe', each: 'row', lockOf: rowOf },
  { group: 'row', each: 'row', lockOf: rowOf },
  { group: 'col', each: 'column', lockOf: columnOf },
  { group: '2spc', each: 'two clusters', lockOf: (tid) => Math.floor(spcOf(tid) / 2) },
  { group: '16spe', each: 'two rows', lockOf: (tid) => Math.floor(tid / 16) },
  { group: '4spc', each: 'two rows', lockOf: (tid) => Math.floor(tid / 16) },
  { group: '32spe', each: 'four rows', lockOf: (tid) => Math.floor(tid / 32) },
  { group: '8spc', each: 'four rows', lockOf: (tid) => Math.floor(tid / 32) },
  { group: 'array', each: 'core group', lockOf: () => 0 },
  { group: 'node', each: 'node', lockOf: () => 0 },
];

/** CPEs of a lock in the order in which they come: `caller` at once, the others by descending tid. */
const inOrder = ({ lockOf }: Lock, tid: number): readonly number[] => {
  const mates = everyTid.filter((one) => lockOf(one) === lockOf(tid)).reverse();
  return mates.includes(caller) ? [caller, ...mates.filter((one) => one !== caller)] : mates;
};

/** Both calls in one play: whether the CPE had to wait for `caller`, and how many held the lock before it. */
function casesOf(lock: Lock): readonly SlaveCase[] {
  const { group, each, lockOf } = lock;
  const play: SlavePlay = function* (c, { memory }) {
    const count = memory + 4 * lockOf(c.tid);
    if (c.tid !== caller) yield c.compute(later + 10 * (63 - c.tid));
    const begun = yield c.stime_cycle();
    yield c[`smutex_lock_${group}`]();
    const got = yield c.stime_cycle();
    const before = (yield* c.ld(count, 'i32')) - firstWord - lockOf(c.tid);
    yield c.st(count, 'i32', firstWord + lockOf(c.tid) + before + 1);
    if (c.tid === caller) yield c.compute(kept);
    yield c[`smutex_unlock_${group}`]();
    return [got - begun > kept / 2 ? 1 : 0, before];
  };
  // Who shares its lock with `caller` waits for half of the time that it is kept, at the least.
  const gives = (tid: number) => [
    tid !== caller && lockOf(tid) === lockOf(caller) ? 1 : 0,
    inOrder(lock, tid).indexOf(tid),
  ];
  const grant = group === 'node' ? nodeLock : arrayLock;
  return [
    {
      name: `smutex_lock_${group}`,
      by: 'all',
      means: `one CPE of each ${each} holds it, others are not concerned`,
      play,
      gives,
      takes: { formula: `free lock: ${grant}`, cycles: grant },
      fails: {
        when: 'its owner takes it again',
        *play(c) {
          for (let times = 0; times < 2 && c.tid === 0; times++) yield c[`smutex_lock_${group}`]();
          return [];
        },
        report: /self: CPE 0 waits for the lock/,
      },
    },
    {
      name: `smutex_unlock_${group}`,
      by: 'all',
      means: 'the next in the order of coming gets it',
      play,
      gives,
      takes: { formula: 'to the lock and back: 2', cycles: 2 },
      fails: {
        with: 'a lock that nobody holds',
        call: (c) => c[`smutex_unlock_${group}`](),
        code: 'E_STATE',
      },
    },
  ];
}

/** Locks of CPEs (specification 6.3). */
export const lockCases: readonly SlaveCase[] = locks.flatMap(casesOf);
