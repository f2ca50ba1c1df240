import { sharedBase } from '../../../../actors/sunway/address/space.ts';
import { copyDirection } from '../../../../actors/sunway/checks/shared-check.ts';
import { firstWord, type SlaveCase } from '../function-case.ts';
import { array, get, poll, rmaGet } from '../unloaded.ts';

/** The share of one CPE of 1 KiB: all of it is in CPE 0. */
const share = 1024;

/** Shared LDM (specification 6.6), on a node whose arrays share 64 times 1 KiB. */
export const sharedCases: readonly SlaveCase[] = [
  {
    name: 'memcpy_sldm',
    by: 'all',
    means: 'brings main memory into the shares that hold it, and every member reads it there',
    *play(c, { memory }) {
      yield c.memcpy_sldm(sharedBase, memory, share, copyDirection.MEM_TO_LDM);
      return [yield c.ld(sharedBase, 'i32'), yield c.ld(sharedBase + share - 4, 'i32')];
    },
    gives: () => [firstWord, firstWord + share / 4 - 1],
    takes: {
      formula: 'a barrier, the get of the owner of eight blocks, polling, a barrier',
      cycles: array + get(8) + poll + array,
    },
    fails: {
      with: 'a direction that the pointers do not have',
      call: (c, { memory }) => c.memcpy_sldm(sharedBase, memory, 64, copyDirection.LDM_TO_MEM),
      code: 'E_SPACE',
    },
  },
  {
    name: 'sldm_get',
    by: 'all',
    means: 'copies from the shares of the owners, for each member what it asks for',
    *play(c, { a }) {
      // Each from its own share but CPE 10, whose piece is CPE 0's: nobody is in its way.
      yield c.st(sharedBase + share * c.spc_tid, 'i32', 2000 + c.tid);
      yield c.ssync_array();
      yield c.sldm_get(a, sharedBase + (c.tid === 10 ? 0 : share * c.spc_tid), 4);
      return [yield c.ld(a, 'i32')];
    },
    gives: (tid) => [tid === 10 ? 2000 : 2000 + tid],
    takes: {
      formula: 'a barrier, an RMA get one hop away, 1 of polling',
      cycles: array + rmaGet(4, 1) + poll,
    },
    fails: {
      with: 'main memory in place of shared space',
      call: (c, { a, memory }) => c.sldm_get(a, memory, 4),
      code: 'E_SPACE',
    },
  },
];
