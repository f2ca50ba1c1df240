import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RaceOrder, RaceRow } from '../../../properties/sunway/race-campaign.ts';
import { writeFileAtomically } from '../../../scenarios/atomic-file.ts';
import { UsageError } from '../../usage-error.ts';

const format = 'sunway-races/1';
const ledgerSchema = z.strictObject({
  format: z.literal(format),
  edition: z.enum(['small', 'full']),
  seed: z.int(),
  rows: z.array(
    z.strictObject({ program: z.string(), schedules: z.int().min(0), found: z.string().optional() }),
  ),
});

/** Milliseconds between two writings at least. */
const writingMsMin = 2000;

/** A file with what has been run of a campaign, so that the same command goes on from there. */
export class Ledger {
  readonly #file: string;
  readonly #order: Pick<RaceOrder, 'edition' | 'seed'>;
  readonly #clock: () => number;
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** `clock` gives milliseconds. */
  constructor(
    file: string,
    { edition, seed }: Pick<RaceOrder, 'edition' | 'seed'>,
    clock: () => number = () => performance.now(),
  ) {
    this.#file = file;
    this.#order = { edition, seed };
    this.#clock = clock;
  }

  /** Writes rows, unless the last writing is too young. */
  keep(rows: Iterable<RaceRow>): void {
    if (this.#clock() - this.#writtenAt >= writingMsMin) this.write(rows);
  }

  /** Writes rows. */
  write(rows: Iterable<RaceRow>): void {
    const content = { format, ...this.#order, rows: [...rows] };
    writeFileAtomically(this.#file, `${JSON.stringify(content, null, 1)}\n`);
    this.#writtenAt = this.#clock();
  }

  /** The rows of the file; none when there is no file. A schedule that was wrong is tried again. Errors: `UsageError`. */
  read(): readonly RaceRow[] {
    if (!existsSync(this.#file)) return [];
    const read = ledgerSchema.safeParse(this.#parsed());
    if (!read.success)
      throw new UsageError(
        `${this.#file}: found something else, expected a ledger of this command`,
        'name another file, or remove this one',
      );
    const { edition, seed, rows } = read.data;
    if (seed !== this.#order.seed || edition !== this.#order.edition)
      throw new UsageError(
        `${this.#file}: found a ledger of ${edition} programs with seed ${seed}, expected one of the same order`,
        `go on with --seed ${seed}${edition === 'full' ? ' --full' : ' and without --full'}, or name another file`,
      );
    return rows.map(({ program, schedules }) => ({ program, schedules }));
  }

  #parsed(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return undefined;
    }
  }
}
