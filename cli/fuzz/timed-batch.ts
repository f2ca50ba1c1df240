import type { Batch, Campaign } from '../../properties/explore/campaign.ts';
import { threadPool, type WorkerPool } from '../threads/worker-pool.ts';
import type { CampaignOrder } from './order.ts';

/** A batch and how long it took, so that the next ones get a fitting size. */
export interface TimedBatch {
  readonly batch: Batch;
  readonly milliseconds: number;
}

/** The batch that somebody is asked for. */
export interface AskedBatch {
  readonly first: number;
  readonly count: number;
  readonly stopAtFailure: boolean;
}

/** Those who carry out the runs of a campaign. */
export type CampaignPool = WorkerPool<AskedBatch, TimedBatch>;

/** Carries out batches of a campaign by the clock. */
export const timedBatches =
  (campaign: Campaign) =>
  ({ first, count, stopAtFailure }: AskedBatch): TimedBatch => {
    const began = performance.now();
    const batch = campaign.batch(first, count, stopAtFailure);
    return { batch, milliseconds: performance.now() - began };
  };

/** Milliseconds after which the process hears of signals during a run. */
const turnMilliseconds = 100;

/** The same in the thread of the command: it turns to the event loop now and then, and leaves the run at hand when it should stop, since that may have no end. */
export const interruptedBatches =
  (campaign: Campaign, shouldStop: () => boolean) =>
  async ({ first, count, stopAtFailure }: AskedBatch): Promise<TimedBatch> => {
    const began = performance.now();
    const slices = campaign.batchInSlices(first, count, stopAtFailure);
    let turned = began;
    for (let next = slices.next(); ; next = slices.next(shouldStop())) {
      if (next.done) return { batch: next.value, milliseconds: performance.now() - began };
      if (performance.now() - turned < turnMilliseconds) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turned = performance.now();
    }
  };

/** Threads that each have a campaign of their own, made from the same order. */
export const campaignThreads = (order: CampaignOrder, size: number): CampaignPool =>
  threadPool('cli/fuzz/serve', order, size);
