import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { UsageError } from '../usage-error.ts';

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

const format = 'chiplet-schedules/1';
const ledgerSchema = z.strictObject({
  format: z.literal(format),
  seed: z.int(),
  mutants: z.array(z.string()),
  /** Schedules that each system is to have. */
  each: z.int(),
  done: z.int(),
  rows: z.array(
    z.strictObject({
      system: z.int().min(0),
      name: z.string(),
      schedules: z.int().min(0),
      found: z.string().optional(),
    }),
  ),
});

/** Milliseconds between two writings at least. */
const writingMsMin = 2000;

/** What of an order decides which schedule is which. */
export interface SchedulesIdentity {
  readonly seed: number;
  readonly mutants: readonly string[];
}

/** A file with the schedules that were run, so that the same command goes on from there. */
export class SchedulesLedger {
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** `clock` gives milliseconds. */
  constructor(
    readonly file: string,
    readonly identity: SchedulesIdentity,
    readonly each: number,
    readonly clock: () => number = () => performance.now(),
  ) {}

  /** Writes rows, unless the last writing is too young. */
  keep(rows: Iterable<SystemTally>): void {
    if (this.clock() - this.#writtenAt >= writingMsMin) this.write(rows);
  }

  /** Writes rows. */
  write(rows: Iterable<SystemTally>): void {
    const all = [...rows];
    const done = all.reduce((sum, { schedules }) => sum + schedules, 0);
    const content = { format, ...this.identity, each: this.each, done, rows: all };
    writeFileAtomically(this.file, `${JSON.stringify(content, null, 1)}\n`);
    this.#writtenAt = this.clock();
  }

  /** The rows of the file; none when there is no file. What was wrong is tried again, from the schedule that was wrong. Errors: `UsageError`. */
  read(): readonly SystemTally[] {
    const text = this.#text();
    if (text === undefined) return [];
    const read = ledgerSchema.safeParse(parsed(text));
    if (!read.success)
      throw new UsageError(
        `${this.file}: found something else, expected a ledger of this command`,
        'name another file, or remove this one',
      );
    const { seed, mutants, rows } = read.data;
    if (seed !== this.identity.seed || mutants.join() !== this.identity.mutants.join())
      throw new UsageError(
        `${this.file}: found a ledger of seed ${seed}${mutants.length > 0 ? ` with ${mutants.join()}` : ''}, expected one of the same order`,
        `go on with --seed ${seed}${mutants.length > 0 ? ` --mutant ${mutants.join()}` : ''}, or name another file`,
      );
    return rows.map(({ system, name, schedules, found }) => ({
      system,
      name,
      schedules: found === undefined ? schedules : schedules - 1,
    }));
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new UsageError(`${this.file}: found nothing that can be read (${code})`, 'name another file');
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
