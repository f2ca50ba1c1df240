import { z } from 'zod';
import type { Shard } from '../../properties/explore/campaign.ts';
import { type LedgerForm, RowsLedger } from '../rows-ledger.ts';
import type { RowTally } from './schedules.ts';

/** Of what a ledger of schedules is: equal ones run the same schedules. */
export interface SchedulesIdentity {
  /** The verb: `sunway races`. */
  readonly campaign: string;
  /** What of its options decides which schedule is which. */
  readonly order: Readonly<Record<string, string | number | readonly string[]>>;
  readonly shard: Shard | null;
}

/** What ledgers of schedules are written as. */
export const schedulesForm: LedgerForm<SchedulesIdentity, RowTally> = {
  format: 'lockstep-schedules/1',
  identity: z.object({
    campaign: z.string(),
    order: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
    shard: z.object({ number: z.int().min(1), of: z.int().min(1) }).nullable(),
  }),
  row: z.strictObject({
    row: z.string(),
    schedules: z.int().min(0),
    found: z.string().exactOptional(),
    at: z.int().min(0).exactOptional(),
  }),
  told: ({ campaign, order, shard }) => {
    const options = Object.entries(order)
      .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => `--${name} ${Array.isArray(value) ? value.join() : value}`);
    if (shard) options.push(`--shard ${shard.number}/${shard.of}`);
    return { words: `${campaign} with ${options.join(' ')}`, options: options.join(' ') };
  },
};

/** The ledger of a campaign of schedules. Errors of reading: `UsageError`. */
export const schedulesLedger = (
  file: string,
  identity: SchedulesIdentity,
): RowsLedger<SchedulesIdentity, RowTally> => new RowsLedger(file, schedulesForm, identity);
