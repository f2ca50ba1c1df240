/** A block, or equal blocks at equal distances, that a DMA channel moves (TCA specification 7). */
export interface Descriptor {
  readonly src: number;
  readonly dst: number;
  /** Bytes of a block. */
  readonly size: number;
  /** Blocks. */
  readonly count: number;
  /** Bytes from one block to the next. */
  readonly srcStride: number;
  readonly dstStride: number;
  /** What is written without being read from a memory outside of the chip: words of its internal RAM. */
  readonly data?: Uint8Array;
  /** False when the channel is to have all of its tags back before it fetches the next descriptor; true when absent. */
  readonly pipeline?: boolean;
  /** False when the descriptor lies in CPU memory, which takes longer to fetch; true when absent: in the RAM of the chip. */
  readonly useInternal?: boolean;
}

/** A read of at most `bytesPerTag` bytes, and where its bytes go. */
export interface ReadRequest {
  readonly src: number;
  readonly dst: number;
  readonly bytes: number;
  /** First request of a block. */
  readonly opens: boolean;
}

/** Why a descriptor cannot be (TCA specification 17). */
export type DescriptorError = 'EALIGN' | 'ECHAIN';

/** Descriptors that a chain has at most. */
export const chainMax = 1024;

/** What is wrong with a chain, or undefined: alignment, empty blocks, length (TCA specification 7, 17). */
export function chainError(chain: readonly Descriptor[]): DescriptorError | undefined {
  if (chain.length === 0 || chain.length > chainMax) return 'ECHAIN';
  for (const { src, dst, size, count, srcStride, dstStride, data } of chain) {
    if (size <= 0 || count <= 0) return 'ECHAIN';
    if (data) continue;
    if (size % 4 !== 0 || src % 16 !== dst % 16) return 'EALIGN';
    if (count > 1 && (srcStride - dstStride) % 16 !== 0) return 'EALIGN';
  }
  return undefined;
}

/**
 * The reads of a descriptor in order: each block cut where the source address is a multiple of `bytesPerTag`, which divides a page
 * (TCA specification 4).
 */
export function readsOf(descriptor: Descriptor, bytesPerTag: number): readonly ReadRequest[] {
  const { src, dst, size, count, srcStride, dstStride } = descriptor;
  const reads: ReadRequest[] = [];
  for (let block = 0; block < count; block++) {
    const from = src + block * srcStride;
    const to = dst + block * dstStride;
    for (let done = 0; done < size; ) {
      const bytes = Math.min(size - done, bytesPerTag - ((from + done) % bytesPerTag));
      reads.push({ src: from + done, dst: to + done, bytes, opens: done === 0 });
      done += bytes;
    }
  }
  return reads;
}
