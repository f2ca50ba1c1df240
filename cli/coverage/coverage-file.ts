import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Coverage, emptyCoverage, mergeCoverage } from '../../kernel/coverage.ts';
import { ledgerSchema } from '../../properties/explore/ledger.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { explainIssues } from '../../scenarios/explain.ts';
import { describeFound } from '../../scenarios/found.ts';
import { LocatedJson } from '../../scenarios/json-text.ts';
import { sealBroken, sealedText } from '../../scenarios/sealed-json.ts';
import { readInput } from '../read-input.ts';
import { readJson } from '../read-json.ts';
import { UsageError } from '../usage-error.ts';

const format = 'lockstep-coverage/1';

const coverageFileSchema = z.strictObject({
  format: z.literal(format),
  ...ledgerSchema.shape.coverage.shape,
  hash: ledgerSchema.shape.hash,
});

const cure = 'give a file that `lockstep run --coverage` wrote, or the ledger of `lockstep fuzz`';

/** Reads the coverage in a file of its own or in the ledger of a campaign. Errors: `UsageError`, at the place in the file. */
export function loadCoverage(file: string): Coverage {
  const text = readInput(file);
  const refuse = (what: string): never => {
    throw new UsageError(what, cure);
  };
  const data = readJson(text, file, cure);
  const found = (data as { format?: unknown } | null)?.format;
  const isLedger = found === ledgerSchema.shape.format.value;
  if (!isLedger && found !== format)
    return refuse(`${file}:1:1 format: found ${describeFound(found)}, expected "${format}"`);
  const schema = isLedger ? ledgerSchema : coverageFileSchema;
  const checked = schema.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const [first] = explainIssues(checked.error.issues, schema, new LocatedJson(text, file, data));
    const { line, column } = first?.at ?? { line: 1, column: 1 };
    return refuse(`${file}:${line}:${column} ${first?.what ?? 'found damaged coverage'}`);
  }
  const broken = sealBroken(data);
  if (broken) {
    const { line, column } = new LocatedJson(text, file, data).at(['hash']);
    return refuse(`${file}:${line}:${column} ${broken}`);
  }
  if ('campaign' in checked.data) return checked.data.coverage;
  const { format: _, hash: __, ...coverage } = checked.data;
  return coverage;
}

/** A file to which the coverage of runs is added. */
export class CoverageFile {
  readonly #before: Coverage;

  /** What is in the file already is read at once. Errors: as `loadCoverage`. */
  constructor(readonly file: string) {
    this.#before = existsSync(file) ? loadCoverage(file) : emptyCoverage;
  }

  /** Writes what was in the file together with what is new. */
  add(coverage: Coverage): void {
    const all = mergeCoverage(this.#before, coverage);
    writeFileAtomically(this.file, sealedText({ format, ...all }));
  }
}
