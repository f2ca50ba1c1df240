import { asks } from '../operation.ts';
import type { LocalReplyOrNone, RemoteReplyOrNone } from '../reply-word.ts';
import type { AnyReply, GroupShape } from './dma-calls.ts';

type Local = LocalReplyOrNone;
type Remote = RemoteReplyOrNone;
const none = (word: Local | Remote): number => word ?? 0;
const words = (l_rply: Local, r_rply: Remote) => ({ l_rply: none(l_rply), r_rply: none(r_rply) });

/** A broadcast that waits for its receivers. */
const bcast =
  <Op extends string, Group extends GroupShape, Other extends boolean>(op: Op, group: Group, other: Other) =>
  (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op, group, dst, src, len, r_rply: none(r_rply), other });

/** A broadcast that goes on by itself. */
const ibcast =
  <Op extends string, Group extends GroupShape, Other extends boolean>(op: Op, group: Group, other: Other) =>
  (dst: number, src: number, len: number, l_rply: Local, r_rply: Remote) =>
    asks({ op, group, dst, src, len, ...words(l_rply, r_rply), other });

/** A broadcast that all receivers call. */
const bcastColl =
  <Op extends string, Group extends GroupShape>(op: Op, group: Group) =>
  (dst: number, src: number, len: number, root: number) =>
    asks({ op, group, dst, src, len, root });

/** Copies to the lines of a mask. */
const mcast =
  <Op extends string, Group extends GroupShape, Other extends boolean>(op: Op, group: Group, other: Other) =>
  (dst: number, src: number, len: number, mask: number, r_rply: Remote) =>
    asks({ op, group, dst, src, len, mask, r_rply: none(r_rply), other });

/** Copies to the lines of a mask that go on by themselves. */
const imcast =
  <Op extends string, Group extends GroupShape, Other extends boolean>(op: Op, group: Group, other: Other) =>
  (dst: number, src: number, len: number, l_rply: Local, mask: number, r_rply: Remote) =>
    asks({ op, group, dst, src, len, mask, ...words(l_rply, r_rply), other });

const [ibcastAll, ibcastOthers] = [
  ibcast('rma_ibcast', 'array', false),
  ibcast('rma_ibcast_other', 'array', true),
] as const;

/**
 * RMA between LDMs of one core group (specification 6.7).
 *
 * Gotchas: `rma_ibcast` takes the local word as its third argument, the row and column forms as their fourth: the orders are those of the
 * manual (specification 15, C8). Forms ending in `_other` leave the issuer out of the receivers (specification 4.2).
 */
export const rmaCalls = {
  rma_get: (l_addr: number, len: number, r_tid: number, r_addr: number, r_rply: Remote) =>
    asks({ op: 'rma_get', l_addr, len, r_tid, r_addr, r_rply: none(r_rply) }),
  rma_iget: (l_addr: number, l_rply: Local, len: number, r_tid: number, r_addr: number, r_rply: Remote) =>
    asks({ op: 'rma_iget', l_addr, l_rply: none(l_rply), len, r_tid, r_addr, r_rply: none(r_rply) }),
  rma_wait_value: (rply: AnyReply, value: number) =>
    asks({ op: 'rma_wait_value', rply: (rply ?? 0) as number, value }),
  rma_put: (l_addr: number, len: number, r_tid: number, r_addr: number, r_rply: Remote) =>
    asks({ op: 'rma_put', l_addr, len, r_tid, r_addr, r_rply: none(r_rply) }),
  rma_iput: (l_addr: number, l_rply: Local, len: number, r_tid: number, r_addr: number, r_rply: Remote) =>
    asks({ op: 'rma_iput', l_addr, l_rply: none(l_rply), len, r_tid, r_addr, r_rply: none(r_rply) }),

  rma_bcast: bcast('rma_bcast', 'array', false),
  rma_bcast_other: bcast('rma_bcast_other', 'array', true),
  rma_ibcast: (dst: number, src: number, l_rply: Local, len: number, r_rply: Remote) =>
    ibcastAll(dst, src, len, l_rply, r_rply),
  rma_ibcast_other: (dst: number, src: number, l_rply: Local, len: number, r_rply: Remote) =>
    ibcastOthers(dst, src, len, l_rply, r_rply),
  rma_bcast_coll: bcastColl('rma_bcast_coll', 'array'),

  rma_row_bcast: bcast('rma_row_bcast', 'row', false),
  rma_row_bcast_other: bcast('rma_row_bcast_other', 'row', true),
  rma_row_ibcast: ibcast('rma_row_ibcast', 'row', false),
  rma_row_ibcast_other: ibcast('rma_row_ibcast_other', 'row', true),
  rma_row_bcast_coll: bcastColl('rma_row_bcast_coll', 'row'),
  rma_row_mcast: mcast('rma_row_mcast', 'row', false),
  rma_row_mcast_other: mcast('rma_row_mcast_other', 'row', true),
  rma_row_imcast: imcast('rma_row_imcast', 'row', false),
  rma_row_imcast_other: imcast('rma_row_imcast_other', 'row', true),

  rma_col_bcast: bcast('rma_col_bcast', 'column', false),
  rma_col_bcast_other: bcast('rma_col_bcast_other', 'column', true),
  rma_col_ibcast: ibcast('rma_col_ibcast', 'column', false),
  rma_col_ibcast_other: ibcast('rma_col_ibcast_other', 'column', true),
  rma_col_bcast_coll: bcastColl('rma_col_bcast_coll', 'column'),
  rma_col_mcast: mcast('rma_col_mcast', 'column', false),
  rma_col_mcast_other: mcast('rma_col_mcast_other', 'column', true),
  rma_col_imcast: imcast('rma_col_imcast', 'column', false),
  rma_col_imcast_other: imcast('rma_col_imcast_other', 'column', true),

  rma_barrier: () => asks({ op: 'rma_barrier', orders: 'rmaBarrier' }),
  rma_all_barrier: () => asks({ op: 'rma_all_barrier', orders: 'allBarrier' }),
  sldm_get: (dst: number, src: number, len: number) => asks({ op: 'sldm_get', dst, src, len }),
} as const;
