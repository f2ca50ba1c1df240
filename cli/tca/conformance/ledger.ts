import { z } from 'zod';
import type { RowTally, SuiteOrder } from '../../../scenarios/tca/conformance/suite.ts';
import type { LedgerForm } from '../../rows-ledger.ts';

/** The ledger of a conformance suite. Number 1 ran whole cases under each schedule, which counts other runs. */
export const conformanceLedger: LedgerForm<Pick<SuiteOrder, 'seed' | 'mutants'>, RowTally> = {
  format: 'tca-conformance/2',
  identity: z.object({ seed: z.int(), mutants: z.array(z.string()) }),
  row: z.strictObject({
    row: z.string(),
    case: z.string(),
    topology: z.string(),
    mode: z.string(),
    channels: z.string(),
    mandatory: z.boolean(),
    schedules: z.int().min(1),
    done: z.boolean(),
    found: z.string().exactOptional(),
    schedule: z.string().exactOptional(),
  }),
  told: ({ seed, mutants }) => ({
    words: `seed ${seed}${mutants.length > 0 ? ` with ${mutants.join()}` : ''}`,
    options: `--seed ${seed}`,
  }),
};
