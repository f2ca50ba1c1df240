import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomically } from '../../../scenarios/atomic-file.ts';
import type { RowTally } from '../../../scenarios/tca/conformance/suite.ts';
import { UsageError } from '../../usage-error.ts';

const tallySchema = z.strictObject({
  row: z.string(),
  case: z.string(),
  topology: z.string(),
  mode: z.string(),
  channels: z.string(),
  mandatory: z.boolean(),
  schedules: z.int().min(1),
  done: z.boolean(),
  found: z.string().optional(),
  schedule: z.string().optional(),
});
/** Number 1 ran whole cases under each schedule, which counts other runs. */
const format = 'tca-conformance/2';
const ledgerSchema = z.strictObject({
  format: z.literal(format),
  seed: z.int(),
  mutants: z.array(z.string()),
  rows: z.array(tallySchema),
});

/** Milliseconds between two writings at least. */
const writingMsMin = 2000;

/** A file with what has been run of a suite, so that the same command goes on from there. */
export class Ledger {
  readonly #file: string;
  readonly #seed: number;
  readonly #mutants: readonly string[];
  readonly #clock: () => number;
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** `clock` gives milliseconds. */
  constructor(
    file: string,
    seed: number,
    mutants: readonly string[],
    clock: () => number = () => performance.now(),
  ) {
    this.#file = file;
    this.#seed = seed;
    this.#mutants = mutants;
    this.#clock = clock;
  }

  /** Writes rows, unless the last writing is too young. */
  keep(rows: Iterable<RowTally>): void {
    if (this.#clock() - this.#writtenAt >= writingMsMin) this.write(rows);
  }

  /** Writes rows. */
  write(rows: Iterable<RowTally>): void {
    const content = { format, seed: this.#seed, mutants: this.#mutants, rows: [...rows] };
    writeFileAtomically(this.#file, `${JSON.stringify(content, null, 1)}\n`);
    this.#writtenAt = this.#clock();
  }

  /** The rows of the file; none when there is no file. What was wrong is tried again. Errors: `UsageError`. */
  read(): readonly RowTally[] {
    if (!existsSync(this.#file)) return [];
    const read = ledgerSchema.safeParse(this.#parsed());
    if (!read.success)
      throw new UsageError(
        `${this.#file}: found something else, expected a ledger of this command`,
        'name another file, or remove this one',
      );
    const { seed, mutants, rows } = read.data;
    if (seed !== this.#seed || mutants.join() !== this.#mutants.join())
      throw new UsageError(
        `${this.#file}: found a ledger of seed ${seed}${mutants.length > 0 ? ` with ${mutants.join()}` : ''}, expected one of the same order`,
        `go on with --seed ${seed}, or name another file`,
      );
    return rows.filter(({ found }) => found === undefined) as readonly RowTally[];
  }

  #parsed(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return undefined;
    }
  }
}
