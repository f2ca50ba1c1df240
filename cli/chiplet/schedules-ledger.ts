import { z } from 'zod';
import type { LedgerForm } from '../rows-ledger.ts';

/** What the schedules of one system came to. */
export interface SystemTally {
  /** Number of the system, from 0. */
  readonly system: number;
  readonly name: string;
  /** Schedules that were run, from the first one on. */
  readonly schedules: number;
  /** What is wrong with the last of them; absent when nothing is. */
  readonly found?: string;
}

/** What of an order decides which schedule is which. */
interface SchedulesIdentity {
  readonly seed: number;
  readonly mutants: readonly string[];
}

/** The ledger of schedules of systems, which are to have so many each. */
export const schedulesLedger = (each: number): LedgerForm<SchedulesIdentity, SystemTally> => ({
  format: 'chiplet-schedules/1',
  identity: z.object({ seed: z.int(), mutants: z.array(z.string()) }),
  row: z.strictObject({
    system: z.int().min(0),
    name: z.string(),
    schedules: z.int().min(0),
    found: z.string().exactOptional(),
  }),
  summary: (rows) => ({ each, done: rows.reduce((sum, { schedules }) => sum + schedules, 0) }),
  told: ({ seed, mutants }) => ({
    words: `seed ${seed}${mutants.length > 0 ? ` with ${mutants.join()}` : ''}`,
    options: `--seed ${seed}${mutants.length > 0 ? ` --mutant ${mutants.join()}` : ''}`,
  }),
});

/** What the command goes on with: the schedule that was wrong is tried again. */
export const goneOnWith = ({ system, name, schedules, found }: SystemTally): SystemTally => ({
  system,
  name,
  schedules: found === undefined ? schedules : schedules - 1,
});
