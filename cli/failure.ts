import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Names of errors that tell of a mistake in the user's files; each message is complete. */
const mistakesInFiles = new Set(['ScenarioError', 'ScenarioErrors', 'WorkloadError', 'LedgerError']);

/**
 * Tells of an error that ended a command, and gives the exit code: a user's mistake without a stack, a defect with it.
 *
 * Details: with `json`, one object `{error: {kind, message}}` goes to the output as well, so that a script finds one in any case.
 */
export function tellFailure(error: unknown, terminal: Terminal, json: boolean): number {
  const { kind, message, exitCode } = classify(error);
  terminal.err(`${message}\n`);
  if (json) terminal.out(`${JSON.stringify({ error: { kind, message }, exitCode })}\n`);
  return exitCode;
}

interface Failure {
  readonly kind: 'usage' | 'input' | 'defect';
  readonly message: string;
  readonly exitCode: number;
}

function classify(error: unknown): Failure {
  if (error instanceof UsageError)
    return { kind: 'usage', message: `lockstep: ${error.message}`, exitCode: error.exitCode };
  // By name, so that a command that reads no scenario need not load what reads them.
  if (error instanceof Error && mistakesInFiles.has(error.name))
    return { kind: 'input', message: error.message, exitCode: exitCodes.usage };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `${stack}\n\nThis is a defect of Lockstep. Please report it, with the command and the lines above.`;
  return { kind: 'defect', message, exitCode: exitCodes.defect };
}
