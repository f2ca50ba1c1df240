import { readFileSync } from 'node:fs';
import { type CampaignIdentity, Ledger, ledgerSchema } from '../../properties/explore/ledger.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import type { Place } from '../../scenarios/errors.ts';
import { explainIssues } from '../../scenarios/explain.ts';
import { describeFound } from '../../scenarios/found.ts';
import { jsonErrorOffset } from '../../scenarios/json-place.ts';
import { LocatedDocument, type Path } from '../../scenarios/located-document.ts';

/** A ledger that cannot be continued: where, what was found and expected, and what helps. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  constructor({ file, line, column }: Place, what: string, help = cure) {
    super(`${file}:${line}:${column} ${what}\n  help: ${help}`);
  }
}

const cure = 'give another folder with --out, or delete this one to begin anew';

/** Writes a ledger whole or not at all. */
export function saveLedger(file: string, ledger: Ledger): void {
  writeFileAtomically(file, `${JSON.stringify(ledger.save(), null, 1)}\n`);
}

/**
 * Reads the ledger of a campaign; undefined when there is none yet.
 *
 * Errors: throws `LedgerError` when the file cannot be read, is damaged, or is of another campaign.
 */
export function loadLedger(file: string, campaign: CampaignIdentity): Ledger | undefined {
  const text = read(file);
  if (text === undefined) return undefined;
  const refuse = (path: Path, what: string): never => {
    throw new LedgerError(new LocatedDocument(text, file).at(path), what);
  };
  const data = parsed(text, file);
  const format = (data as { format?: unknown } | null)?.format;
  if (format !== formatName)
    refuse(
      ['format'],
      `format: found ${describeFound(format)}, expected "${formatName}", a ledger of this version`,
    );
  const checked = ledgerSchema.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const [first] = explainIssues(checked.error.issues, ledgerSchema, new LocatedDocument(text, file));
    throw new LedgerError(first?.at ?? start(file), first?.what ?? 'found a damaged ledger');
  }
  const found = checked.data.campaign;
  for (const key of Object.keys(campaign) as (keyof CampaignIdentity)[]) {
    const [there, here] = [found[key], campaign[key]].map((value) => JSON.stringify(value));
    if (there !== here)
      refuse(['campaign', key], `found the ledger of another campaign: ${key} ${there}, expected ${here}`);
  }
  return Ledger.of(checked.data);
}

/** Refuses a ledger whose last run no longer ends as it did. */
export function staleLedger(file: string, found: string, ledger: Ledger): LedgerError {
  const at = new LocatedDocument(readFileSync(file, 'utf8'), file).at(['lastEnd']);
  const what = `found that run ${ledger.runs - 1} ends in ${found} now, expected ${ledger.lastEnd}: the machine or its scenarios have changed`;
  return new LedgerError(at, what);
}

const formatName = ledgerSchema.shape.format.value;

const start = (file: string): Place => ({ file, line: 1, column: 1 });

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new LedgerError(start(file), `the ledger cannot be read (${code ?? String(error)})`);
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const offset = jsonErrorOffset(text);
    const lines = text.slice(0, offset).split('\n');
    const place = { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    const found =
      offset >= text.length ? 'the end of the text' : describeFound(text.slice(offset, offset + 20));
    throw new LedgerError(place, `found ${found}, expected the JSON of a ledger`);
  }
}
