import type { RingClass } from './layout.ts';
import type { Header } from './packet.ts';

/** Equal blocks at equal distances, and as many of them again at equal distances; `count` 1 without planes is a contiguous piece of memory. */
export interface Shape {
  /** Bytes of a block. */
  readonly size: number;
  readonly count: number;
  /** Bytes from one block to the next, where they are read and where they are written. */
  readonly srcStride: number;
  readonly dstStride: number;
  /** A second level: the blocks so many times, and bytes from one time to the next at each end. Once when absent. */
  readonly planes?: { readonly count: number; readonly srcStride: number; readonly dstStride: number };
}

/** Which end of a transfer: where bytes are read, or where they are written. */
export type End = 'src' | 'dst';

/** A contiguous piece of memory. */
export const contiguous = (size: number): Shape => ({ size, count: 1, srcStride: 0, dstStride: 0 });

/** Blocks of a shape. */
export const blocksIn = ({ count, planes }: Shape): number => count * (planes?.count ?? 1);

/** Where a block lies at an end, from the first byte of the shape on; blocks are numbered through all planes. */
export function offsetOf({ count, srcStride, dstStride, planes }: Shape, block: number, end: End): number {
  const [stride, pitch] =
    end === 'src' ? [srcStride, planes?.srcStride ?? 0] : [dstStride, planes?.dstStride ?? 0];
  return (block % count) * stride + Math.floor(block / count) * pitch;
}

/** Bytes of memory from the first byte of a shape to its last at an end. */
export const spanOf = (shape: Shape, end: End): number =>
  blocksIn(shape) === 0 || shape.size === 0 ? 0 : shape.size + offsetOf(shape, blocksIn(shape) - 1, end);

/** A shape in words, unique. */
export const shapeKey = ({ size, count, srcStride, dstStride, planes }: Shape): string =>
  [size, count, srcStride, dstStride, ...(planes ? Object.values(planes) : [])].join(' ');

/** Bytes to be moved from this node to another one. */
export interface Movement {
  readonly src: number;
  readonly dst: number;
  readonly shape: Shape;
  /** Whether a DMA channel may read the source, and write the target. */
  readonly srcDmaAble: boolean;
  readonly dstDmaAble: boolean;
}

/** What the packet of a job says beside what the planner knows. */
export type JobHeader = Pick<Header, 'kind' | 'handler' | 'args' | 'address' | 'token' | 'total' | 'reply'>;

/** Something that the processor of a node sends to another node. */
export interface Job {
  readonly target: number;
  readonly ring: RingClass;
  /** Bytes in memory that are moved; null when there is only a packet. */
  readonly data: Movement | null;
  /** Bytes that the packet carries. */
  readonly payload: Uint8Array;
  readonly header: JobHeader;
  /** A copy inside the node by its own chip: nobody is told of it. */
  readonly loopback?: boolean;
  /** Whether the node tells itself when the source has been read. */
  readonly tellsLeft: boolean;
  /** Whether somebody waits for the update message. */
  readonly urgent: boolean;
}

/** A header whose fields that matter are given. */
export const headerOf = (kind: Header['kind'], more: Partial<JobHeader> = {}): JobHeader => ({
  kind,
  handler: 0,
  args: [],
  address: 0,
  token: 0,
  total: 0,
  reply: false,
  ...more,
});
