import { everyTid, type SlaveCase } from '../function-case.ts';
import {
  array,
  barrier,
  ldmAccess,
  poll,
  rmaArrival,
  rmaGet,
  rmaIssue,
  rmaLocal,
  satisfied,
} from '../unloaded.ts';

const sumOfTids = (63 * 64) / 2;
const cleared = 2 * ldmAccess;

/** Clusters between a CPE and the one with which it combines, at each step of the tree of CPE 0 (specification 6.11). */
const treeHops = [0, 1, 2, 0, 1, 2];
const combining = treeHops
  .map((hops) => barrier(hops) + rmaGet(4, hops) + poll + 2 * ldmAccess + 1 + ldmAccess)
  .reduce((all, one) => all + one);

/** The others, and the local reply of a put to one of them. */
const partners = 63;
const tail = rmaLocal(4) - rmaIssue;

/** Collectives of the array (specification 6.11). */
export const collectiveCases: readonly SlaveCase[] = [
  {
    name: 'scoll_alltoall',
    by: 'all',
    means: 'unit i of the destination of CPE t is unit t of the source of CPE i',
    *play(c, { a, b }) {
      yield c.stBlock(
        a,
        Int32Array.from(everyTid, (to) => 1000 * c.tid + to),
      );
      yield c.scoll_alltoall(a, b, 4);
      const units = yield* c.ldBlock(b, 'i32', 64);
      return [units.findIndex((unit, from) => unit !== 1000 * from + c.tid)];
    },
    gives: () => [-1],
    takes: {
      formula: 'two words cleared, a barrier, 63 puts issued, the tail of the last, two waits',
      cycles: cleared + array + partners * rmaIssue + tail + poll + satisfied,
    },
    fails: {
      with: 'buffers that overlap',
      call: (c, { a }) => c.scoll_alltoall(a, a + 128, 4),
      code: 'E_OVERLAP',
    },
  },
  {
    name: 'scoll_alltoall_inplace',
    by: 'all',
    means: 'the same in place, with scratch for 64 units',
    *play(c, { a, b }) {
      yield c.stBlock(
        a,
        Int32Array.from(everyTid, (to) => 1000 * c.tid + to),
      );
      yield c.scoll_alltoall_inplace(a, 4, b, 64);
      const units = yield* c.ldBlock(a, 'i32', 64);
      return [units.findIndex((unit, from) => unit !== 1000 * from + c.tid)];
    },
    gives: () => [-1],
    takes: {
      formula:
        'two words cleared, a barrier, 63 gets issued, the last one six hops away, a barrier, 63 units moved',
      cycles:
        cleared + array + (partners - 1) * rmaIssue + rmaGet(4, 6) + poll + array + partners * 2 * ldmAccess,
      // Each engine serves the gets of 64 CPEs from its four.
      queueing: 40,
    },
    fails: {
      with: 'scratch in the buffer',
      call: (c, { a }) => c.scoll_alltoall_inplace(a, 4, a + 8, 1),
      code: 'E_OVERLAP',
    },
  },
  {
    name: 'scoll_redurt',
    by: 'all',
    means: 'every CPE gets the sum over all 64',
    *play(c, { a, b, d }) {
      yield c.st(a, 'i32', c.tid);
      yield c.scoll_redurt(a, b, 1, 0, 1, d, 1);
      return [yield c.ld(b, 'i32')];
    },
    gives: () => [sumOfTids],
    takes: {
      formula:
        'scratch looked at, words cleared, a barrier, a copy, six steps of the tree, a broadcast, a barrier',
      cycles: 2 + cleared + array + 2 * ldmAccess + combining + rmaArrival(4, 6) + poll + array,
    },
    fails: {
      with: 'a bitwise and of doubles',
      call: (c, { a, b, d }) => c.scoll_redurt(a, b, 1, 5, 2, d, 1),
      code: 'E_OP',
    },
  },
];
