import { deviceBase, sharedWindow } from './address-space.ts';
import { expectBytes } from './barrier-words.ts';
import { clusterStep } from './cluster.ts';
import type { Views } from './views.ts';
import type { Warp } from './warp.ts';

/** Where a copy begins or ends: device memory, a block's own shared memory, or that of any block of its cluster. */
export type BulkSpace = 'global' | 'own' | 'cluster';

/** What a copy may do with what is there: by its name and type, in bytes of an element. */
export type Reduction = (there: DataView, at: number, from: DataView, source: number) => void;

/** What copies of many bytes move by and are aligned to. */
const bulkStep = 16;

/** Bytes in a memory. */
interface Stretch {
  readonly views: Pick<Views, 'bytes' | 'words'>;
  readonly at: number;
}

/** Copies many bytes for the lanes of a warp, one at a time (PTX ISA, cp.async.bulk), at once, which the memory model allows. */
export class BulkUnit {
  constructor(readonly warp: Warp) {}

  /** Copies `bytes`. Errors: `MemoryFault` for what is outside or not aligned to 16. */
  copy(
    to: number,
    toSpace: BulkSpace,
    from: number,
    fromSpace: BulkSpace,
    bytes: number,
    lane: number,
  ): void {
    this.#checkSize(bytes, lane);
    if (bytes === 0) return;
    const source = this.#find(fromSpace, from, bytes, bulkStep, lane, false);
    const target = this.#find(toSpace, to, bytes, bulkStep, lane, true);
    target.views.bytes.set(source.views.bytes.slice(source.at, source.at + bytes), target.at);
  }

  /** Joins elements of `size` bytes into those that are there. */
  reduce(
    to: number,
    toSpace: BulkSpace,
    from: number,
    bytes: number,
    size: number,
    join: Reduction,
    lane: number,
  ): void {
    this.#checkSize(bytes, lane);
    if (bytes === 0) return;
    const source = this.#find('own', from, bytes, bulkStep, lane, false);
    const target = this.#find(toSpace, to, bytes, bulkStep, lane, true);
    const view = ({ views, at }: Stretch): DataView =>
      new DataView(views.bytes.buffer, views.bytes.byteOffset + at, bytes);
    const [there, given] = [view(target), view(source)];
    for (let at = 0; at < bytes; at += size) join(there, at, given, at);
  }

  /** Joins one element into shared memory of the cluster. */
  reduceOne(to: number, size: number, join: Reduction, value: DataView, lane: number): void {
    const { views, at } = this.#find('cluster', to, size, size, lane, true);
    join(new DataView(views.bytes.buffer, views.bytes.byteOffset + at, size), 0, value, 0);
  }

  /** Tells a barrier that bytes have come. Errors: `MemoryFault`. */
  complete(barrier: number, bytes: number, lane: number): void {
    const { views, at } = this.#find('cluster', barrier, 8, 8, lane, true);
    if (!expectBytes(views.words, at >>> 2, -bytes))
      this.warp.fault('found more bytes than a barrier can count, expected fewer than 2^20', lane);
  }

  /** Fills shared memory with zeros. */
  clear(to: number, bytes: number, lane: number): void {
    if (bytes === 0) return;
    if (bytes % 8 !== 0) this.warp.fault(`found ${bytes} bytes to clear, expected a multiple of 8`, lane);
    const { views, at } = this.#find('cluster', to, bytes, 8, lane, true);
    views.bytes.fill(0, at, at + bytes);
  }

  /** The same place in the shared memory of each block of the cluster whose rank is in `mask`. Errors: `MemoryFault` for a block that there is not. */
  everywhere(address: number, mask: number, lane: number): readonly number[] {
    const own = address % clusterStep;
    const { size } = this.warp.home.cluster;
    const ranks = Array.from({ length: 16 }, (_, rank) => rank).filter((rank) => (mask >>> rank) & 1);
    const most = Math.max(0, ...ranks);
    if (most >= size)
      this.warp.fault(`found the block ${most}, expected one of the ${size} blocks of the cluster`, lane);
    return ranks.map((rank) => own + clusterStep * (1 + rank));
  }

  #checkSize(bytes: number, lane: number): void {
    if (bytes % bulkStep === 0) return;
    this.warp.fault(`found ${bytes} bytes to copy, expected a multiple of ${bulkStep}`, lane);
  }

  #find(
    space: BulkSpace,
    address: number,
    bytes: number,
    align: number,
    lane: number,
    writes: boolean,
  ): Stretch {
    const { warp } = this;
    if (address % align !== 0) warp.misaligned(address, align, lane);
    if (space === 'global') {
      const { memory } = warp;
      if (!memory.find(address, bytes)) warp.outside(address, bytes, lane);
      if (writes) memory.claim();
      warp.touched[lane] = address;
      return { views: memory, at: address - deviceBase };
    }
    // An address of 64 bits may be a generic one.
    const near = address >= sharedWindow ? address - sharedWindow : address;
    if (near >= clusterStep && space === 'cluster')
      return { views: warp.sharedOfCluster(near, bytes, lane), at: near % clusterStep };
    if (near < 0 || near + bytes > warp.shared.bytes.length) warp.outside(near, bytes, lane, 'shared');
    return { views: warp.shared, at: near };
  }
}
