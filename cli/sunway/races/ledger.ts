import { z } from 'zod';
import type { RaceOrder, RaceRow } from '../../../properties/sunway/race-campaign.ts';
import type { LedgerForm } from '../../rows-ledger.ts';

/** The ledger of a campaign of races. */
export const raceLedger: LedgerForm<Pick<RaceOrder, 'edition' | 'seed'>, RaceRow> = {
  format: 'sunway-races/1',
  identity: z.object({ edition: z.enum(['small', 'full']), seed: z.int() }),
  row: z.strictObject({
    program: z.string(),
    schedules: z.int().min(0),
    found: z.string().exactOptional(),
  }),
  told: ({ edition, seed }) => ({
    words: `${edition} programs with seed ${seed}`,
    options: `--seed ${seed}${edition === 'full' ? ' --full' : ' and without --full'}`,
  }),
};

/** What a campaign goes on with: a schedule that was wrong is tried again. */
export const goneOnWith = ({ program, schedules }: RaceRow): RaceRow => ({ program, schedules });
