import { exitCodes } from './exit-codes.ts';
import { type RunReport, runJson, runText } from './run-report.ts';
import type { Terminal } from './terminal.ts';

/** Tells of a run: text for people unless it is as it should be and they asked for quiet, and one JSON object for scripts. */
export function tellRun(
  report: RunReport,
  terminal: Terminal,
  { json, quiet, more }: { readonly json: boolean; readonly quiet: boolean; readonly more?: object },
): void {
  if (!quiet || report.verdict.exitCode !== exitCodes.ok) terminal.err(runText(report));
  if (json) terminal.out(`${JSON.stringify({ ...runJson(report), ...more }, asJson)}\n`);
}

/** Values that JSON does not have as text: infinities, what is no number, integers of any length. */
const asJson = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
