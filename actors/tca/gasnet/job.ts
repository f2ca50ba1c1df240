import type { RingClass } from './layout.ts';
import type { Header } from './packet.ts';

/** Equal blocks at equal distances, of which `count` 1 is a contiguous piece of memory. */
export interface Shape {
  /** Bytes of a block. */
  readonly size: number;
  readonly count: number;
  /** Bytes from one block to the next, where they are read and where they are written. */
  readonly srcStride: number;
  readonly dstStride: number;
}

/** A contiguous piece of memory. */
export const contiguous = (size: number): Shape => ({ size, count: 1, srcStride: 0, dstStride: 0 });

/** Bytes of memory from the first byte of a shape to its last, where it is read or where it is written. */
export const spanOf = ({ size, count }: Shape, stride: number): number =>
  count === 0 || size === 0 ? 0 : size + (count - 1) * stride;

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
