import type { Batch, Campaign } from '../../properties/explore/campaign.ts';

/** A batch and how long it took, so that the next ones get a fitting size. */
export interface TimedBatch {
  readonly batch: Batch;
  readonly milliseconds: number;
}

/** Carries out a batch by the clock. */
export function timedBatch(
  campaign: Campaign,
  first: number,
  count: number,
  stopAtFailure: boolean,
): TimedBatch {
  const began = performance.now();
  const batch = campaign.batch(first, count, stopAtFailure);
  return { batch, milliseconds: performance.now() - began };
}
