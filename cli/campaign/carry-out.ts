import type { Command } from 'commander';
import type { Shard } from '../../properties/explore/campaign.ts';
import { naturalOption } from '../natural-option.ts';
import { shardFlags, shardOption } from '../shard-option.ts';
import type { Terminal } from '../terminal.ts';
import { inOrder } from '../threads/in-order.ts';
import { serveBatches } from '../threads/serve-batches.ts';
import { orderOfThread } from '../threads/thread.ts';
import { ownThread, threadPool, type WorkerPool } from '../threads/worker-pool.ts';
import { UsageError } from '../usage-error.ts';
import { withProgress } from '../with-progress.ts';
import {
  batchesOf,
  dealtSchedules,
  type Rows,
  type RowsBatch,
  type RowTally,
  runBatch,
} from './schedules.ts';
import { type SchedulesIdentity, schedulesLedger } from './schedules-ledger.ts';

/** What every campaign of schedules is asked for. */
export interface CampaignWords {
  readonly workers: number;
  readonly shard?: Shard;
  readonly ledger?: string;
}

const workersMax = 256;

/** Declares the options that every campaign of schedules has. */
export const declareCampaign = (command: Command): Command =>
  command
    .option(
      '--workers <n>',
      'threads; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option(...shardFlags, shardOption)
    .option('--ledger <file>', 'keep what has been run; the same command goes on from there');

/** A campaign: rows that are each run under so many schedules. */
export interface ScheduleCampaign<Plain> extends Omit<SchedulesIdentity, 'shard'> {
  /** Schedules of each row. */
  readonly each: number;
  /** What makes the rows, as plain data: threads are told so. */
  readonly plain: Plain;
  open(plain: Plain): Promise<Rows>;
  /** The module that threads run, by its path in the sources without the ending; it calls `serveSchedules`. */
  readonly serve: string;
}

/** What a campaign came to. */
export interface CarriedOut {
  /** The rows of this campaign, in their order. */
  readonly rows: readonly RowTally[];
  /** Whether a row was carried out to its end. */
  isDone(row: RowTally): boolean;
  /** Schedules that were run now, and in how many seconds. */
  readonly run: number;
  readonly seconds: number;
  readonly interrupted: boolean;
}

interface ThreadOrder<Plain> {
  readonly plain: Plain;
  readonly shard: Shard | undefined;
}

/** What each thread of a campaign runs. */
export async function serveSchedules<Plain>(open: (plain: Plain) => Promise<Rows>): Promise<void> {
  const { plain, shard } = orderOfThread<ThreadOrder<Plain>>();
  const rows = await open(plain);
  serveBatches((batch: RowsBatch) => runBatch(rows, shard, batch));
}

/**
 * Carries a campaign out from where its ledger is, with progress on the terminal and Ctrl-C heeded; what was wrong is tried again.
 *
 * Errors: `UsageError` for a ledger of another campaign, and for no threads; rejects with what a run threw, and the ledger has what was run before.
 */
export async function carryOutSchedules<Plain>(
  campaign: ScheduleCampaign<Plain>,
  { workers, shard, ledger: file }: CampaignWords,
  terminal: Terminal,
): Promise<CarriedOut> {
  if (workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  const { campaign: name, order, each, plain, open, serve } = campaign;
  const identity = { campaign: name, order, shard: shard ?? null };
  const ledger = file === undefined ? undefined : schedulesLedger(file, identity);
  const tallies = new Map(
    (ledger?.read() ?? []).map(({ row, schedules }) => [row, { row, schedules } as RowTally]),
  );
  const rows = await open(plain);
  const began = performance.now();
  const doneOf = (row: string): number => tallies.get(row)?.schedules ?? 0;
  const dealt = (row: string): number => dealtSchedules(row, each, shard);
  const left = rows.names.reduce((sum, row) => sum + Math.max(0, dealt(row) - doneOf(row)), 0);
  const workerPool: WorkerPool<RowsBatch, RowTally> =
    workers === 1
      ? ownThread((batch) => runBatch(rows, shard, batch))
      : threadPool(serve, { plain, shard } satisfies ThreadOrder<Plain>, workers);
  const batches = batchesOf(rows.names, each, shard, doneOf);
  let run = 0;
  const interrupted = await withProgress(
    terminal,
    left,
    async ({ onProgress, shouldStop }) => {
      // A row in which something is wrong is left.
      const wrong = new Set<string>();
      const asked = (): RowsBatch | undefined => {
        if (shouldStop()) return undefined;
        let next = batches.next();
        while (!next.done && wrong.has(rows.names[next.value.row]!)) next = batches.next();
        return next.done ? undefined : next.value;
      };
      try {
        for await (const tally of inOrder(workerPool, asked)) {
          if (shouldStop()) break;
          if (wrong.has(tally.row)) continue;
          if (tally.found !== undefined) wrong.add(tally.row);
          run += tally.schedules + (tally.found === undefined ? 0 : 1) - doneOf(tally.row);
          tallies.set(tally.row, tally);
          onProgress(run, run);
          ledger?.keep(tallies.values());
        }
        return shouldStop();
      } finally {
        ledger?.write(tallies.values());
        await workerPool.end();
      }
    },
    'schedules',
  );
  return {
    rows: rows.names.map((row) => tallies.get(row) ?? { row, schedules: 0 }),
    isDone: ({ row, schedules }) => schedules >= dealt(row),
    run,
    seconds: (performance.now() - began) / 1000,
    interrupted,
  };
}
