import { exporters } from '../scenarios/exports/exporters.ts';
import { UsageError } from './usage-error.ts';

/** The kind of export that is the machine's own event log, one JSON object a line. */
export const logKind = 'log';

/** One `--export KIND=FILE`. */
export interface ExportRequest {
  readonly kind: string;
  readonly file: string;
}

/** Kinds of export besides the views of a machine. */
export const exportKinds: readonly string[] = [...Object.keys(exporters), logKind];

/** Reads a further `--export`; for commander, which hands in those before. Errors: `UsageError` for a missing file. */
export function addExport(text: string, before: readonly ExportRequest[] = []): readonly ExportRequest[] {
  const at = text.indexOf('=');
  const kind = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? '' : text.slice(at + 1);
  if (file === '')
    throw new UsageError(
      `found --export ${text}, expected --export KIND=FILE`,
      `for example --export ${kind}=run.${exporters[kind]?.extension ?? 'jsonl'}`,
    );
  return [...before, { kind, file }];
}

/** Reads a further `--view`; for commander. */
export const addView = (view: string, before: readonly string[] = []): readonly string[] => [...before, view];
