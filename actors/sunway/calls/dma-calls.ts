import { asks } from '../operation.ts';
import type { LocalReplyOrNone, RemoteReply, ReplyWord } from '../reply-word.ts';

/** Which CPEs a broadcast goes to, as seen from the one who issues it (specification 4.2). */
export type GroupShape = 'array' | 'row' | 'column';

/** Any reply word, for those who wait. */
export type AnyReply = LocalReplyOrNone | RemoteReply | ReplyWord;

const contiguous = { bsize: 0, stride: 0 } as const;

/** A copy that is waited for. */
const copy =
  <Op extends string>(op: Op) =>
  (dst: number, src: number, len: number) =>
    asks({ op, dst, src, len, ...contiguous });
const copyStride =
  <Op extends string>(op: Op) =>
  (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op, dst, src, len, bsize, stride });
/** A copy that goes on by itself. */
const icopy =
  <Op extends string>(op: Op) =>
  (dst: number, src: number, len: number, rply: LocalReplyOrNone) =>
    asks({ op, dst, src, len, ...contiguous, rply: rply ?? 0 });
const icopyStride =
  <Op extends string>(op: Op) =>
  (dst: number, src: number, len: number, bsize: number, stride: number, rply: LocalReplyOrNone) =>
    asks({ op, dst, src, len, bsize, stride, rply: rply ?? 0 });

/** A broadcast that goes on by itself. */
const ibcast =
  <Op extends string, Group extends GroupShape>(op: Op, group: Group) =>
  (dst: number, src: number, len: number, rply: ReplyWord) =>
    asks({ op, group, dst, src, len, ...contiguous, rply: rply as number });
const ibcastStride =
  <Op extends string, Group extends GroupShape>(op: Op, group: Group) =>
  (dst: number, src: number, len: number, bsize: number, stride: number, rply: ReplyWord) =>
    asks({ op, group, dst, src, len, bsize, stride, rply: rply as number });
/** A broadcast that all receivers call. */
const bcastColl =
  <Op extends string, Group extends GroupShape>(op: Op, group: Group) =>
  (dst: number, src: number, len: number) =>
    asks({ op, group, dst, src, len, ...contiguous });
const bcastStrideColl =
  <Op extends string, Group extends GroupShape>(op: Op, group: Group) =>
  (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op, group, dst, src, len, bsize, stride });

/** DMA between main memory and LDM (specification 6.5). Lengths, block sizes and gaps in bytes. */
export const dmaCalls = {
  dma_get: copy('dma_get'),
  dma_get_stride: copyStride('dma_get_stride'),
  dma_iget: icopy('dma_iget'),
  dma_iget_stride: icopyStride('dma_iget_stride'),
  dma_wait_value: (rply: AnyReply, value: number) =>
    asks({ op: 'dma_wait_value', rply: (rply ?? 0) as number, value }),
  dma_put: copy('dma_put'),
  dma_put_stride: copyStride('dma_put_stride'),
  dma_iput: icopy('dma_iput'),
  dma_iput_stride: icopyStride('dma_iput_stride'),

  dma_ibcast: ibcast('dma_ibcast', 'array'),
  dma_ibcast_stride: ibcastStride('dma_ibcast_stride', 'array'),
  dma_row_ibcast: ibcast('dma_row_ibcast', 'row'),
  dma_row_ibcast_stride: ibcastStride('dma_row_ibcast_stride', 'row'),
  dma_col_ibcast: ibcast('dma_col_ibcast', 'column'),
  dma_col_ibcast_stride: ibcastStride('dma_col_ibcast_stride', 'column'),

  dma_bcast_coll: bcastColl('dma_bcast_coll', 'array'),
  dma_bcast_stride_coll: bcastStrideColl('dma_bcast_stride_coll', 'array'),
  dma_row_bcast_coll: bcastColl('dma_row_bcast_coll', 'row'),
  dma_row_bcast_stride_coll: bcastStrideColl('dma_row_bcast_stride_coll', 'row'),
  dma_col_bcast_coll: bcastColl('dma_col_bcast_coll', 'column'),
  dma_col_bcast_stride_coll: bcastStrideColl('dma_col_bcast_stride_coll', 'column'),

  memcpy_sldm: (dst: number, src: number, len: number, direction: number) =>
    asks({ op: 'memcpy_sldm', dst, src, len, direction }),
  dma_barrier: () => asks({ op: 'dma_barrier', orders: 'dmaBarrier' }),
  dma_all_barrier: () => asks({ op: 'dma_all_barrier', orders: 'allBarrier' }),
} as const;
