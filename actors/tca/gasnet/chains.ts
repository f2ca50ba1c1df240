import type { Descriptor } from '../descriptor.ts';
import { type Split, unitBytes } from '../split.ts';
import { contiguous, type Shape } from './job.ts';
import type { ChannelPart } from './messages.ts';

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
export const amountOf = ({ size, count }: Shape): { readonly amount: number; readonly unit: number } =>
  count > 1 ? { amount: count, unit: 1 } : { amount: size, unit: unitBytes };

/** The descriptors of a transfer: consecutive parts in the order of channels, one for each channel that has a part (TCA specification 12.8). */
export function partsOf(src: number, dst: number, shape: Shape, split: Split): readonly ChannelPart[] {
  const { count, srcStride, dstStride } = shape;
  let done = 0;
  const parts: ChannelPart[] = [];
  for (const [channel, part] of split.entries()) {
    if (part === 0) continue;
    const [read, written] = count > 1 ? [done * srcStride, done * dstStride] : [done, done];
    const piece = count > 1 ? { ...shape, count: part } : contiguous(part);
    parts.push({ channel, data: { src: src + read, dst: dst + written, ...piece } });
    done += part;
  }
  return parts;
}
