import type { Address } from '../../../../kernel/message.ts';
import { spcOf } from '../../array/identity.ts';
import type { Descriptor } from '../../descriptor.ts';
import { shapeOf } from '../../memory-pieces.ts';
import type { MemoryClaim, MemoryRead, MemoryWrite } from '../../messages.ts';
import { clusterBit } from '../../network/packet.ts';
import { thousandths } from '../../timing/thousandths.ts';
import type { TimingTable } from '../../timing/timing-table.ts';
import { blockFrom, type PutShape, putShape } from '../../transfer/strided.ts';

/*
 * What the packets of a transfer carry, and the formulas of its blocks (specification 8.4, 9.1).
 */

/** Whether a put has full and partial blocks. */
const isMixed = ({ fullBlocks, partialUnits }: PutShape): boolean => fullBlocks > 0 && partialUnits > 0;

const blockWhere = (descriptor: Descriptor, from: number, requester: Address) => {
  const shape = shapeOf(descriptor);
  const { memory, offset, bytes: len } = blockFrom(shape, from);
  const block = { offset, first: offset === 0, mixed: isMixed(putShape(shape)) };
  return { transfer: descriptor.transfer, memory, len, bsize: 0, stride: 0, block, requester };
};

/** MEM_REQ for the block of a transfer that begins at an offset. */
export function blockRequest(
  descriptor: Descriptor,
  offset: number,
  requester: Address,
): MemoryRead | MemoryClaim {
  const where = blockWhere(descriptor, offset, requester);
  return descriptor.kind === 'dmaPut'
    ? { type: 'memory.claim', ...where }
    : { type: 'memory.read', ...where };
}

/** The bytes of a block of a put. */
export const blockWrite = (
  descriptor: Descriptor,
  offset: number,
  data: Uint8Array,
  requester: Address,
): MemoryWrite => ({ type: 'memory.write', ...blockWhere(descriptor, offset, requester), data });

/** The clusters of CPEs as a set of bits. */
export const clustersOf = (tids: readonly number[]): number =>
  tids.reduce((all, tid) => all | clusterBit(spcOf(tid)), 0);
/** How many clusters CPEs are in. */
export const clusterCount = (tids: readonly number[]): number => new Set(tids.map(spcOf)).size;

/** How much later than the first block of a get another one is written, as measured for the first blocks and for those that stream. */
export const rampTime = ({ dma }: TimingTable, k: number): number =>
  thousandths(dma.getRamp) * Math.min(k, 7) + thousandths(dma.getStep) * Math.max(0, k - 7);

/** Cycles from the last source byte of a put to its reply: the engine hears of what partial blocks held before, once for all of them. */
export const putTail = ({ dma }: TimingTable, { partialUnits }: Pick<PutShape, 'partialUnits'>): number =>
  Math.round(dma.putGrant + (partialUnits >= 2 ? dma.putPartialPenalty : 0));
