import type { Descriptor } from '../descriptor.ts';
import type { ChannelPart } from '../protocol.ts';
import { type Split, unitBytes } from '../split.ts';
import { blocksIn, contiguous, offsetOf, type Shape } from './job.ts';

/** Words of the chip's internal RAM that a chain writes. */
export const words = (dst: number, data: Uint8Array): Descriptor => ({
  src: 0,
  dst,
  size: data.length,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data,
});

/** What a transfer is split in: blocks, or units of 128 bytes (TCA specification 12.8). */
export const amountOf = (shape: Shape): { readonly amount: number; readonly unit: number } =>
  blocksIn(shape) > 1 ? { amount: blocksIn(shape), unit: 1 } : { amount: shape.size, unit: unitBytes };

/** The descriptors of a transfer: consecutive parts in the order of channels, one for each channel that has a part (TCA specification 12.8). */
export function partsOf(src: number, dst: number, shape: Shape, split: Split): readonly ChannelPart[] {
  let done = 0;
  const parts: ChannelPart[] = [];
  for (const [channel, part] of split.entries()) {
    if (part === 0) continue;
    const data =
      blocksIn(shape) > 1
        ? blocksFrom(src, dst, shape, done, part)
        : [{ src: src + done, dst: dst + done, ...contiguous(part) }];
    parts.push({ channel, data });
    done += part;
  }
  return parts;
}

/** Blocks of a shape from one on, with a descriptor for each plane that they lie in (TCA specification 12.5). */
function blocksFrom(src: number, dst: number, shape: Shape, first: number, many: number): Descriptor[] {
  const { size, count, srcStride, dstStride } = shape;
  const descriptors: Descriptor[] = [];
  for (let block = first; block < first + many; ) {
    const here = Math.min(first + many - block, count - (block % count));
    const [from, to] = [src + offsetOf(shape, block, 'src'), dst + offsetOf(shape, block, 'dst')];
    descriptors.push({ src: from, dst: to, size, count: here, srcStride, dstStride });
    block += here;
  }
  return descriptors;
}
