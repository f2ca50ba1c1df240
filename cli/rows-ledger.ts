import { existsSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomically } from '../scenarios/atomic-file.ts';
import { sealBroken, sealedText } from '../scenarios/sealed-json.ts';
import { readInput } from './read-input.ts';
import { readJson } from './read-json.ts';
import { UsageError } from './usage-error.ts';

/** What the ledger of a command holds. */
export interface LedgerForm<Identity, Row> {
  /** Name and number of the format. */
  readonly format: string;
  /** What of an order decides which run is which. */
  readonly identity: z.ZodObject<z.ZodRawShape> & z.ZodType<Identity>;
  readonly row: z.ZodType<Row>;
  /** What else a reader of the file should see of its rows; nothing when absent. */
  readonly summary?: (rows: readonly Row[]) => Readonly<Record<string, number>>;
  /** An order in words, and how to ask for it. */
  readonly told: (identity: Identity) => { readonly words: string; readonly options: string };
}

const cure = 'name another file, or remove this one';

/** Milliseconds between two writings at least. */
const writingMsMin = 2000;

/** A file with how far the rows of a campaign have come, so that the same command goes on from there. */
export class RowsLedger<Identity, Row> {
  readonly #file: string;
  readonly #form: LedgerForm<Identity, Row>;
  readonly #identity: Identity;
  readonly #clock: () => number;
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** `clock` gives milliseconds. */
  constructor(
    file: string,
    form: LedgerForm<Identity, Row>,
    identity: Identity,
    clock: () => number = () => performance.now(),
  ) {
    this.#file = file;
    this.#form = form;
    this.#identity = form.identity.parse(identity);
    this.#clock = clock;
  }

  /** Writes rows, unless the last writing is too young. */
  keep(rows: Iterable<Row>): void {
    if (this.#clock() - this.#writtenAt >= writingMsMin) this.write(rows);
  }

  /** Writes rows. */
  write(rows: Iterable<Row>): void {
    const all = [...rows];
    const { format, summary } = this.#form;
    const content = { format, ...this.#identity, ...summary?.(all), rows: all };
    writeFileAtomically(this.#file, sealedText(content));
    this.#writtenAt = this.#clock();
  }

  /** The rows of the file; none when there is no file. Errors: `UsageError` for a file that holds something else, or another order. */
  read(): readonly Row[] {
    if (!existsSync(this.#file)) return [];
    const { format, identity, row, told } = this.#form;
    const schema = z.object({ format: z.literal(format), rows: z.array(row) });
    const written = readJson(readInput(this.#file), this.#file, cure);
    const [rows, order] = [schema.safeParse(written), identity.safeParse(written)];
    if (!rows.success || !order.success)
      throw new UsageError(`${this.#file}: found something else, expected a ledger of this command`, cure);
    const broken = sealBroken(written);
    if (broken) throw new UsageError(`${this.#file}: ${broken}`, cure);
    if (JSON.stringify(order.data) !== JSON.stringify(this.#identity)) {
      const { words, options } = told(order.data);
      throw new UsageError(
        `${this.#file}: found a ledger of ${words}, expected one of the same order`,
        `go on with ${options}, or name another file`,
      );
    }
    return rows.data.rows;
  }
}
