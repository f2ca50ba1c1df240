import { type Answer, asks, asksAs, bytesOfAnswer } from '../operation.ts';

/** A vector of 16 lanes of 32 bits. */
export type Lanes = Uint32Array;

const lanesOf = (answer: Answer): Lanes => new Uint32Array(bytesOfAnswer(answer).slice().buffer);
const laneList = (lanes: ArrayLike<number>): readonly number[] => Array.from(lanes);

const reduce = (
  src_addr: number,
  dest_addr: number,
  units: number,
  dtype: number,
  optype: number,
  redu_buf: number,
  buf_item: number,
) => asks({ op: 'scoll_redurt', src_addr, dest_addr, units, dtype, optype, redu_buf, buf_item });

/** Parallel table lookup and collectives (specification 6.10, 6.11). Calls that give a vector give it with `yield*`; a refused one gives no lanes. */
export const collectiveCalls = {
  get_ptab_addr: (ptable: number) => asksAs({ op: 'get_ptab_addr', ptable }, lanesOf),
  ptab_cpy: (orig_table_addr: readonly number[], unit: number, num: number, ptable: number) =>
    asksAs({ op: 'ptab_cpy', orig_table_addr, unit, num, ptable }, lanesOf),
  ptab_cpy16: (orig_table_addr: number, unit: number, ptable: number) =>
    asksAs({ op: 'ptab_cpy16', orig_table_addr, unit, ptable }, lanesOf),
  ptab_lookup: (voffset: ArrayLike<number>, vbase_addr: ArrayLike<number>) =>
    asksAs({ op: 'ptab_lookup', voffset: laneList(voffset), vbase_addr: laneList(vbase_addr) }, lanesOf),
  ptab_write: (voffset: ArrayLike<number>, vbase_addr: ArrayLike<number>, value: ArrayLike<number>) =>
    asks({
      op: 'ptab_write',
      voffset: laneList(voffset),
      vbase_addr: laneList(vbase_addr),
      value: laneList(value),
    }),
  scoll_alltoall: (src_addr: number, dest_addr: number, units_size: number) =>
    asks({ op: 'scoll_alltoall', src_addr, dest_addr, units_size }),
  scoll_alltoall_inplace: (src_addr: number, units_size: number, buf: number, buf_item: number) =>
    asks({ op: 'scoll_alltoall_inplace', src_addr, units_size, buf, buf_item }),
  scoll_redurt: reduce,
  scoll_reduce: reduce,
} as const;
