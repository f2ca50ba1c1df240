import { asks } from '../operation.ts';
import type { LocalReplyOrNone, RemoteReply, ReplyWord } from '../reply-word.ts';

/** Which CPEs a broadcast goes to, as seen from the one who issues it (specification 4.2). */
export type GroupShape = 'array' | 'row' | 'column';

/** Any reply word, for those who wait. */
export type AnyReply = LocalReplyOrNone | RemoteReply | ReplyWord;

const contiguous = { bsize: 0, stride: 0 } as const;

/** DMA between main memory and LDM (specification 6.5). Lengths, block sizes and gaps in bytes. */
export const dmaCalls = {
  dma_get: (dst: number, src: number, len: number) => asks({ op: 'dma_get', dst, src, len, ...contiguous }),
  dma_get_stride: (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op: 'dma_get_stride', dst, src, len, bsize, stride }),
  dma_iget: (dst: number, src: number, len: number, rply: LocalReplyOrNone) =>
    asks({ op: 'dma_iget', dst, src, len, ...contiguous, rply: rply ?? 0 }),
  dma_iget_stride: (
    dst: number,
    src: number,
    len: number,
    bsize: number,
    stride: number,
    rply: LocalReplyOrNone,
  ) => asks({ op: 'dma_iget_stride', dst, src, len, bsize, stride, rply: rply ?? 0 }),
  dma_wait_value: (rply: AnyReply, value: number) =>
    asks({ op: 'dma_wait_value', rply: (rply ?? 0) as number, value }),
  dma_put: (dst: number, src: number, len: number) => asks({ op: 'dma_put', dst, src, len, ...contiguous }),
  dma_put_stride: (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op: 'dma_put_stride', dst, src, len, bsize, stride }),
  dma_iput: (dst: number, src: number, len: number, rply: LocalReplyOrNone) =>
    asks({ op: 'dma_iput', dst, src, len, ...contiguous, rply: rply ?? 0 }),
  dma_iput_stride: (
    dst: number,
    src: number,
    len: number,
    bsize: number,
    stride: number,
    rply: LocalReplyOrNone,
  ) => asks({ op: 'dma_iput_stride', dst, src, len, bsize, stride, rply: rply ?? 0 }),

  dma_ibcast: (dst: number, src: number, len: number, rply: ReplyWord) =>
    asks({ op: 'dma_ibcast', group: 'array', dst, src, len, ...contiguous, rply: rply as number }),
  dma_ibcast_stride: (
    dst: number,
    src: number,
    len: number,
    bsize: number,
    stride: number,
    rply: ReplyWord,
  ) => asks({ op: 'dma_ibcast_stride', group: 'array', dst, src, len, bsize, stride, rply: rply as number }),
  dma_row_ibcast: (dst: number, src: number, len: number, rply: ReplyWord) =>
    asks({ op: 'dma_row_ibcast', group: 'row', dst, src, len, ...contiguous, rply: rply as number }),
  dma_row_ibcast_stride: (
    dst: number,
    src: number,
    len: number,
    bsize: number,
    stride: number,
    rply: ReplyWord,
  ) =>
    asks({ op: 'dma_row_ibcast_stride', group: 'row', dst, src, len, bsize, stride, rply: rply as number }),
  dma_col_ibcast: (dst: number, src: number, len: number, rply: ReplyWord) =>
    asks({ op: 'dma_col_ibcast', group: 'column', dst, src, len, ...contiguous, rply: rply as number }),
  dma_col_ibcast_stride: (
    dst: number,
    src: number,
    len: number,
    bsize: number,
    stride: number,
    rply: ReplyWord,
  ) =>
    asks({
      op: 'dma_col_ibcast_stride',
      group: 'column',
      dst,
      src,
      len,
      bsize,
      stride,
      rply: rply as number,
    }),

  dma_bcast_coll: (dst: number, src: number, len: number) =>
    asks({ op: 'dma_bcast_coll', group: 'array', dst, src, len, ...contiguous }),
  dma_bcast_stride_coll: (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op: 'dma_bcast_stride_coll', group: 'array', dst, src, len, bsize, stride }),
  dma_row_bcast_coll: (dst: number, src: number, len: number) =>
    asks({ op: 'dma_row_bcast_coll', group: 'row', dst, src, len, ...contiguous }),
  dma_row_bcast_stride_coll: (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op: 'dma_row_bcast_stride_coll', group: 'row', dst, src, len, bsize, stride }),
  dma_col_bcast_coll: (dst: number, src: number, len: number) =>
    asks({ op: 'dma_col_bcast_coll', group: 'column', dst, src, len, ...contiguous }),
  dma_col_bcast_stride_coll: (dst: number, src: number, len: number, bsize: number, stride: number) =>
    asks({ op: 'dma_col_bcast_stride_coll', group: 'column', dst, src, len, bsize, stride }),

  memcpy_sldm: (dst: number, src: number, len: number, direction: number) =>
    asks({ op: 'memcpy_sldm', dst, src, len, direction }),
  dma_barrier: () => asks({ op: 'dma_barrier', orders: 'dmaBarrier' }),
  dma_all_barrier: () => asks({ op: 'dma_all_barrier', orders: 'allBarrier' }),
} as const;
