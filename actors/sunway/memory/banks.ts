import { blockBytes } from '../transfer/strided.ts';

/** Channels of a controller, and banks of a channel (Sunway specification 1). */
export const channelCount = 2;
export const bankCount = 16;

/** Blocks of a bank's row: 8 KiB. */
const rowBlocks = 64;

/** Where a block lies in the DRAM of a controller. */
export interface BankPlace {
  readonly channel: number;
  readonly bank: number;
  readonly row: number;
}

/** The number of the block that an address lies in. */
export const blockOf = (address: number): number => Math.floor(address / blockBytes);

/**
 * Where a block lies.
 *
 * Details: the manual is silent. Neighbouring blocks alternate between the channels and go round the banks; the digits above are folded in,
 * so that buffers a power of two apart do not all begin in one bank.
 */
export function placeOfBlock(block: number): BankPlace {
  let channel = 0;
  let bank = 0;
  for (let left = block; left > 0; left = Math.floor(left / 2)) channel ^= left % 2;
  for (let left = Math.floor(block / channelCount); left > 0; left = Math.floor(left / bankCount))
    bank ^= left % bankCount;
  return { channel, bank, row: Math.floor(block / (channelCount * bankCount * rowBlocks)) };
}
