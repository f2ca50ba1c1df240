import type { Ledger } from '../../properties/explore/ledger.ts';
import { inOrder } from '../threads/in-order.ts';
import type { CampaignPool } from './timed-batch.ts';

/** When a campaign is over. */
export interface CampaignLimits {
  /** Runs in all, those that the ledger had before among them. */
  readonly runs: number;
  /** End after the first run that fails. */
  readonly stopAtFailure: boolean;
  /** Asked before each batch; what is under way is still taken in, so that nothing is lost. */
  readonly shouldStop: () => boolean;
  /** True once somebody waits for the end: what takes longer than a moment is given up then. */
  readonly isInterrupted?: () => boolean;
}

/**
 * Carries a campaign on from where its ledger is, until a limit is reached.
 *
 * Details: batches are handed out in the order of their runs and taken in in this order, so the ledger holds a beginning of the campaign at any
 * time, the same whoever does the work. Where several do it, the schedules of one generated scenario stay in one batch: what is made once a scenario is made by one of them. Errors: rejects with what a run threw; the runs before its batch are in the ledger then.
 */
export async function runCampaign(
  workerPool: CampaignPool,
  ledger: Ledger,
  { runs, stopAtFailure, shouldStop, isInterrupted }: CampaignLimits,
  onProgress: () => void = () => {},
): Promise<void> {
  if (stopAtFailure && ledger.findings.length > 0) return;
  const { scenario, strategies } = ledger.campaign;
  const kept = workerPool.underWayMax > 1 && scenario === null ? strategies.length : 1;
  let next = ledger.runs;
  let size = 1;
  /** Runs that stay together. */
  let together = kept;
  const asked = () => {
    if (next >= runs || shouldStop()) return undefined;
    const first = next;
    const count = Math.min(wholeCount(first, size, together), runs - first);
    next += count;
    return { first, count, stopAtFailure };
  };
  for await (const { batch, milliseconds } of inOrder(workerPool, asked, isInterrupted)) {
    if (batch.runs > 0) ledger.add(batch);
    onProgress();
    if (stopAtFailure && batch.failures.length > 0) return;
    size = fittingCount(batch.runs, milliseconds);
    together = (kept * milliseconds) / Math.max(1, batch.runs) > togetherMilliseconds ? 1 : kept;
  }
}

/** Milliseconds that runs which stay together take at most: longer ones are dealt one by one. */
const togetherMilliseconds = 2000;

/** About `count` runs from `next` on, so that they end where a group of those that stay together does. */
function wholeCount(next: number, count: number, together: number): number {
  const end = Math.round((next + count) / together) * together;
  return (end > next ? end : (Math.floor(next / together) + 1) * together) - next;
}

/** Milliseconds that a batch should take: long beside the way to a thread and back, short beside a person's patience. */
const batchMilliseconds = 60;

const fittingCount = (runs: number, milliseconds: number): number =>
  Math.max(1, Math.min(4 * runs, Math.round((runs * batchMilliseconds) / Math.max(milliseconds, 0.01))));
