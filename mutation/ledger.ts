import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type LedgerForm, RowsLedger } from '../cli/rows-ledger.ts';
import { writeFileAtomically } from '../scenarios/atomic-file.ts';
import { type Baseline, noBaseline } from './judges.ts';
import { operatorNames } from './operators.ts';
import { filesOf, projectFolder } from './project-files.ts';
import type { Row } from './report.ts';

const judgement = z.object({
  noticed: z.boolean(),
  how: z.string(),
  seconds: z.number(),
  reached: z.boolean().optional(),
  changed: z.boolean().optional(),
});

const row = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number(),
  operator: z.enum(operatorNames),
  before: z.string(),
  after: z.string(),
  judgements: z.object({
    scenarios: judgement.optional(),
    fuzz: judgement.optional(),
    tests: judgement.optional(),
  }),
});

const identity = z.object({
  family: z.string(),
  seed: z.number(),
  runs: z.number(),
  views: z.boolean(),
});

/** Which campaign a ledger is of. Its size is not part of it: a larger sample goes on from a smaller one. */
export type MutationIdentity = z.output<typeof identity>;

const form: LedgerForm<MutationIdentity, Row> = {
  format: 'lockstep-mutation/1',
  identity,
  row: row as unknown as z.ZodType<Row>,
  told: ({ family, seed, runs }) => ({
    words: `--family ${family} --seed ${seed} --runs ${runs}`,
    options: `--family ${family} --seed ${seed} --runs ${runs}`,
  }),
};

/** The ledger of a campaign of mutants. Errors of reading: `UsageError`. */
export const mutationLedger = (file: string, campaign: MutationIdentity): RowsLedger<MutationIdentity, Row> =>
  new RowsLedger(file, form, campaign);

/** The figures of the sources as they are, in a file for as long as the sources stay. */
export class BaselineFile {
  readonly #sources: string;

  constructor(
    readonly file: string,
    asked: object,
  ) {
    const hash = createHash('sha256').update(JSON.stringify(asked));
    for (const folder of ['kernel', 'actors', 'machines', 'scenarios', 'properties', 'mutation'])
      for (const one of filesOf(folder))
        if (/(?<!\.test)\.(ts|yaml|mjs)$/.test(one)) hash.update(readFileSync(join(projectFolder, one)));
    this.#sources = hash.digest('hex');
  }

  /** What is known so far. */
  read(): Baseline {
    try {
      const kept = JSON.parse(readFileSync(this.file, 'utf8'));
      if (kept.sources === this.#sources) return kept.baseline;
    } catch {
      // There is none yet.
    }
    return noBaseline;
  }

  keep(baseline: Baseline): void {
    writeFileAtomically(this.file, `${JSON.stringify({ sources: this.#sources, baseline }, null, 1)}\n`);
  }
}
