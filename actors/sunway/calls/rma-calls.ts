import { asks } from '../operation.ts';
import type { LocalReplyOrNone, RemoteReplyOrNone } from '../reply-word.ts';
import type { AnyReply } from './dma-calls.ts';

type Local = LocalReplyOrNone;
type Remote = RemoteReplyOrNone;
const none = (word: Local | Remote): number => word ?? 0;
const words = (l_rply: Local, r_rply: Remote) => ({ l_rply: none(l_rply), r_rply: none(r_rply) });

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

  rma_bcast: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_bcast', group: 'array', dst, src, len, r_rply: none(r_rply), other: false }),
  rma_bcast_other: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_bcast_other', group: 'array', dst, src, len, r_rply: none(r_rply), other: true }),
  rma_ibcast: (dst: number, src: number, l_rply: Local, len: number, r_rply: Remote) =>
    asks({
      op: 'rma_ibcast',
      group: 'array',
      dst,
      src,
      len,
      ...words(l_rply, r_rply),
      other: false,
    }),
  rma_ibcast_other: (dst: number, src: number, l_rply: Local, len: number, r_rply: Remote) =>
    asks({
      op: 'rma_ibcast_other',
      group: 'array',
      dst,
      src,
      len,
      ...words(l_rply, r_rply),
      other: true,
    }),
  rma_bcast_coll: (dst: number, src: number, len: number, root: number) =>
    asks({ op: 'rma_bcast_coll', group: 'array', dst, src, len, root }),

  rma_row_bcast: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_row_bcast', group: 'row', dst, src, len, r_rply: none(r_rply), other: false }),
  rma_row_bcast_other: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_row_bcast_other', group: 'row', dst, src, len, r_rply: none(r_rply), other: true }),
  rma_row_ibcast: (dst: number, src: number, len: number, l_rply: Local, r_rply: Remote) =>
    asks({ op: 'rma_row_ibcast', group: 'row', dst, src, len, ...words(l_rply, r_rply), other: false }),
  rma_row_ibcast_other: (dst: number, src: number, len: number, l_rply: Local, r_rply: Remote) =>
    asks({ op: 'rma_row_ibcast_other', group: 'row', dst, src, len, ...words(l_rply, r_rply), other: true }),
  rma_row_bcast_coll: (dst: number, src: number, len: number, root: number) =>
    asks({ op: 'rma_row_bcast_coll', group: 'row', dst, src, len, root }),
  rma_row_mcast: (dst: number, src: number, len: number, mask: number, r_rply: Remote) =>
    asks({ op: 'rma_row_mcast', group: 'row', dst, src, len, mask, r_rply: none(r_rply), other: false }),
  rma_row_mcast_other: (dst: number, src: number, len: number, mask: number, r_rply: Remote) =>
    asks({ op: 'rma_row_mcast_other', group: 'row', dst, src, len, mask, r_rply: none(r_rply), other: true }),
  rma_row_imcast: (dst: number, src: number, len: number, l_rply: Local, mask: number, r_rply: Remote) =>
    asks({ op: 'rma_row_imcast', group: 'row', dst, src, len, mask, ...words(l_rply, r_rply), other: false }),
  rma_row_imcast_other: (
    dst: number,
    src: number,
    len: number,
    l_rply: Local,
    mask: number,
    r_rply: Remote,
  ) =>
    asks({
      op: 'rma_row_imcast_other',
      group: 'row',
      dst,
      src,
      len,
      mask,
      ...words(l_rply, r_rply),
      other: true,
    }),

  rma_col_bcast: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_col_bcast', group: 'column', dst, src, len, r_rply: none(r_rply), other: false }),
  rma_col_bcast_other: (dst: number, src: number, len: number, r_rply: Remote) =>
    asks({ op: 'rma_col_bcast_other', group: 'column', dst, src, len, r_rply: none(r_rply), other: true }),
  rma_col_ibcast: (dst: number, src: number, len: number, l_rply: Local, r_rply: Remote) =>
    asks({ op: 'rma_col_ibcast', group: 'column', dst, src, len, ...words(l_rply, r_rply), other: false }),
  rma_col_ibcast_other: (dst: number, src: number, len: number, l_rply: Local, r_rply: Remote) =>
    asks({
      op: 'rma_col_ibcast_other',
      group: 'column',
      dst,
      src,
      len,
      ...words(l_rply, r_rply),
      other: true,
    }),
  rma_col_bcast_coll: (dst: number, src: number, len: number, root: number) =>
    asks({ op: 'rma_col_bcast_coll', group: 'column', dst, src, len, root }),
  rma_col_mcast: (dst: number, src: number, len: number, mask: number, r_rply: Remote) =>
    asks({ op: 'rma_col_mcast', group: 'column', dst, src, len, mask, r_rply: none(r_rply), other: false }),
  rma_col_mcast_other: (dst: number, src: number, len: number, mask: number, r_rply: Remote) =>
    asks({
      op: 'rma_col_mcast_other',
      group: 'column',
      dst,
      src,
      len,
      mask,
      r_rply: none(r_rply),
      other: true,
    }),
  rma_col_imcast: (dst: number, src: number, len: number, l_rply: Local, mask: number, r_rply: Remote) =>
    asks({
      op: 'rma_col_imcast',
      group: 'column',
      dst,
      src,
      len,
      mask,
      ...words(l_rply, r_rply),
      other: false,
    }),
  rma_col_imcast_other: (
    dst: number,
    src: number,
    len: number,
    l_rply: Local,
    mask: number,
    r_rply: Remote,
  ) =>
    asks({
      op: 'rma_col_imcast_other',
      group: 'column',
      dst,
      src,
      len,
      mask,
      ...words(l_rply, r_rply),
      other: true,
    }),

  rma_barrier: () => asks({ op: 'rma_barrier', orders: 'rmaBarrier' }),
  rma_all_barrier: () => asks({ op: 'rma_all_barrier', orders: 'allBarrier' }),
  sldm_get: (dst: number, src: number, len: number) => asks({ op: 'sldm_get', dst, src, len }),
} as const;
