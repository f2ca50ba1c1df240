import { existsSync } from 'node:fs';
import { type CampaignIdentity, Ledger, ledgerSchema } from '../../properties/explore/ledger.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import type { Place } from '../../scenarios/errors.ts';
import { explainIssues } from '../../scenarios/explain.ts';
import { describeFound } from '../../scenarios/found.ts';
import { InputError, inputText } from '../../scenarios/input-file.ts';
import { JsonError, LocatedJson, parseJson } from '../../scenarios/json-text.ts';
import type { Path } from '../../scenarios/located.ts';
import { sealBroken, sealedText } from '../../scenarios/sealed-json.ts';

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
  writeFileAtomically(file, sealedText(ledger.save()));
}

/**
 * Reads the ledger of a campaign; undefined when there is none yet.
 *
 * Errors: throws `LedgerError` when the file cannot be read, is damaged, or is of another campaign.
 */
export function loadLedger(file: string, campaign: CampaignIdentity): Ledger | undefined {
  const saved = savedLedger(file);
  if (!saved) return undefined;
  const { checked, refuse } = saved;
  const found = checked.campaign;
  for (const key of Object.keys(campaign) as (keyof CampaignIdentity)[]) {
    const [there, here] = [found[key], campaign[key]].map((value) => JSON.stringify(value));
    if (there !== here)
      refuse(['campaign', key], `found the ledger of another campaign: ${key} ${there}, expected ${here}`);
  }
  if (checked.parts)
    refuse(
      ['parts'],
      'found shards put together that are no whole campaign yet, expected a campaign or one shard',
    );
  return Ledger.of(checked);
}

/** Reads a ledger of any campaign; undefined when there is none. Errors: `LedgerError`. */
export function ledgerOf(file: string): Ledger | undefined {
  const saved = savedLedger(file);
  return saved && Ledger.of(saved.checked);
}

function savedLedger(file: string) {
  const text = read(file);
  if (text === undefined) return undefined;
  const data = parsed(text, file);
  const document = new LocatedJson(text, file, data);
  const refuse = (path: Path, what: string): never => {
    throw new LedgerError(document.at(path), what);
  };
  const format = (data as { format?: unknown } | null)?.format;
  if (format !== formatName)
    refuse(
      ['format'],
      `format: found ${describeFound(format)}, expected "${formatName}", a ledger of this version`,
    );
  const checked = ledgerSchema.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const [first] = explainIssues(checked.error.issues, ledgerSchema, document);
    throw new LedgerError(first?.at ?? start(file), first?.what ?? 'found a damaged ledger');
  }
  const broken = sealBroken(data);
  if (broken) refuse(['hash'], broken);
  return { checked: checked.data, refuse };
}

/** Refuses a ledger whose last run no longer ends as it did. */
export function staleLedger(file: string, run: number, found: string, ledger: Ledger): LedgerError {
  const text = read(file) ?? '';
  const at = new LocatedJson(text, file, undefined).at(['lastEnd']);
  const what = `found that run ${run} ends in ${found} now, expected ${ledger.lastEnd}: the machine or its scenarios have changed`;
  return new LedgerError(at, what);
}

const formatName = ledgerSchema.shape.format.value;

const start = (file: string): Place => ({ file, line: 1, column: 1 });

function read(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return inputText(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new LedgerError(start(file), error.why);
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return parseJson(text, file, 'the JSON of a ledger');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new LedgerError(error.at, error.what, error.help);
  }
}
