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
  if (json) terminal.out(`${JSON.stringify({ ...runJson(report), ...more })}\n`);
}
