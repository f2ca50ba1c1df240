import { machines } from '../machines/machines.ts';
import { exporters } from '../scenarios/exports/exporters.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** The kind of export that is the machine's own event log, one JSON object a line. */
export const logKind = 'log';

/** One `--export KIND=FILE`. */
export interface ExportRequest {
  readonly kind: string;
  readonly file: string;
}

/** Views that some machine has, by name. */
export const viewKinds: readonly string[] = [
  ...new Set(machines.flatMap(({ views = {} }) => Object.keys(views))),
];

/** All kinds of export. */
export const exportKinds: readonly string[] = [...Object.keys(exporters), logKind, ...viewKinds];

/** Reads a further `--export`; for commander, which hands in those before. Errors: `UsageError` for an unknown kind or a missing file. */
export function addExport(text: string, before: readonly ExportRequest[] = []): readonly ExportRequest[] {
  const at = text.indexOf('=');
  const kind = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? '' : text.slice(at + 1);
  if (!exportKinds.includes(kind))
    throw new UsageError(`unknown kind of export "${kind}"`, didYouMean(kind, exportKinds, 'kinds'));
  if (file === '')
    throw new UsageError(
      `found --export ${text}, expected --export KIND=FILE`,
      `for example --export ${kind}=run.${extensionOf(kind)}`,
    );
  return [...before, { kind, file }];
}

const extensionOf = (kind: string): string =>
  exporters[kind]?.extension ??
  machines.find(({ views = {} }) => views[kind])?.views?.[kind]?.extension ??
  'jsonl';

/** Reads a further `--view`; for commander. */
export const addView = (view: string, before: readonly string[] = []): readonly string[] => [...before, view];
