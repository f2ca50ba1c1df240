import { blockBytes, type PutShape } from '../transfer/strided.ts';
import { perCycle, thousandths, transferTime } from './thousandths.ts';
import type { TimingTable } from './timing-table.ts';

/** CPEs that the crowd of puts of a controller is counted against. */
const crowdCpes = 64;

/** Issue to reply of a get of so many blocks on an idle machine, in thousandths (Sunway specification 9.2). */
export const unloadedGet = ({ dma }: TimingTable, blocks: number): number =>
  thousandths(dma.getLatency) +
  thousandths(dma.getRamp) * Math.min(blocks - 1, 7) +
  thousandths(dma.getStep) * Math.max(0, blocks - 8);

/** Issue to reply of a put on an idle machine, in thousandths; `blocking` for the form that waits (Sunway specification 9.2). */
export const unloadedPut = ({ dma }: TimingTable, put: PutShape, blocking = false): number =>
  thousandths(dma.putLatency) +
  thousandths(dma.putStep) * put.blocks +
  (put.partialUnits >= 2 ? thousandths(dma.putPartialPenalty) : 0) +
  (blocking ? thousandths(dma.putBlocking) : 0);

/** How long a get occupies the DMA side of the engine of its cluster, in thousandths. */
export const engineGet = ({ tbox }: TimingTable, blocks: number): number =>
  transferTime(blocks * blockBytes, tbox.getBytesPerCycle);

/** How long a put occupies the DMA side of the engine of its cluster, in thousandths. */
export const enginePut = ({ tbox }: TimingTable, blocks: number): number =>
  transferTime(blocks * blockBytes, tbox.putBytesPerCycle);

/** How long a get occupies the controller, in thousandths. */
export const controllerGet = ({ mc }: TimingTable, blocks: number): number =>
  thousandths(mc.getDescCost) + thousandths(mc.getBlockCost) * blocks;

/**
 * How long a put occupies the controller, in thousandths.
 *
 * Details: `cpes` are those with puts outstanding at the controller, 1..64, the one of this put included.
 */
export const controllerPut = ({ mc }: TimingTable, put: PutShape, cpes: number): number =>
  Math.round((put.fullBlocks * fullBlockTime(mc, cpes)) / (crowdCpes * crowdCpes)) +
  thousandths(mc.putPartialUnit) * put.partialUnits +
  (put.fullBlocks > 0 && put.partialUnits > 0 ? thousandths(mc.putMix) : 0);

/** When a get replies, in thousandths: as on an idle machine, but not before the controller has served it. */
export const getReply = (
  timing: TimingTable,
  issued: number,
  blocks: number,
  controllerEnd: number,
): number =>
  Math.max(issued + unloadedGet(timing, blocks), controllerEnd + thousandths(timing.dma.getReturn));

/** When a put replies, in thousandths: as on an idle machine, but not before its last block was granted. */
export const putReply = (
  timing: TimingTable,
  issued: number,
  put: PutShape,
  lastGrant: number,
  blocking = false,
): number =>
  Math.max(issued + unloadedPut(timing, put, blocking), lastGrant + thousandths(timing.dma.putGrant));

/** Time of a full block, in thousandths times 64 squared, so that it stays an integer. */
const fullBlockTime = (mc: TimingTable['mc'], cpes: number): number =>
  Math.round(mc.putFullBlock * perCycle) * crowdCpes * crowdCpes +
  Math.round(mc.putCrowd * perCycle) * cpes * cpes;
