import { inputError } from '../scenarios/input-file.ts';
import { thrownAt } from '../scenarios/thrown-at.ts';
import { exitCodes, type FailureCodes } from './exit-codes.ts';
import { tellable } from './tellable.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Names of errors that tell of a mistake in the user's files; each message is complete. */
const mistakesInFiles = new Set([
  'ScenarioError',
  'ScenarioErrors',
  'WorkloadError',
  'LedgerError',
  'InputError',
  'JsonError',
  'BenchFileError',
  'StepLimitError',
]);

/**
 * Tells of an error that ended a command, and gives the exit code: a user's mistake and what the system refuses without a stack, a defect with it.
 *
 * Details: with `json`, one object `{error: {kind, message}}` goes to the output as well, so that a script finds one in any case.
 */
export function tellFailure(
  error: unknown,
  terminal: Terminal,
  json: boolean,
  codes: FailureCodes = exitCodes,
): number {
  const { kind, message: whole, exitCode } = classify(error, codes);
  const message = tellable(whole);
  terminal.err(`${message}\n`);
  if (json) terminal.out(`${JSON.stringify({ error: { kind, message }, exitCode })}\n`);
  return exitCode;
}

interface Failure {
  readonly kind: 'usage' | 'input' | 'output' | 'system' | 'defect';
  readonly message: string;
  readonly exitCode: number;
}

function classify(error: unknown, { usage, defect }: FailureCodes): Failure {
  if (error instanceof UsageError)
    return { kind: 'usage', message: `lockstep: ${error.message}`, exitCode: error.exitCode ?? usage };
  // By name, so that a command that reads no scenario need not load what reads them.
  if (error instanceof Error && mistakesInFiles.has(error.name))
    return { kind: 'input', message: error.message, exitCode: usage };
  if (error instanceof Error && ['MachineError', 'KernelError'].includes(error.name)) {
    const at = thrownAt(error);
    return {
      kind: 'input',
      message: `lockstep: ${at === undefined ? error.message : error.message.replace('\n', `, at ${at}\n`)}`,
      exitCode: usage,
    };
  }
  if (error instanceof Error && error.name === 'FarmError')
    return { kind: 'system', message: `lockstep: ${error.message}`, exitCode: usage };
  if (error instanceof Error && error.name === 'OutputError')
    return { kind: 'output', message: `lockstep: ${error.message}`, exitCode: usage };
  const refused = refusedBySystem(error);
  if (refused !== undefined) return { kind: 'system', message: `lockstep: ${refused}`, exitCode: usage };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `${stack}\n\nThis is a defect of Lockstep. Please report it, with the command and the lines above.`;
  return { kind: 'defect', message, exitCode: defect };
}

/** What the operating system answered about a file or a folder, which no command can help; undefined for anything else. */
function refusedBySystem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const named = /without null bytes\. Received '(.*)'$/.exec(error.message)?.[1];
  if (named !== undefined) return inputError(named, code).message;
  if (code === undefined || (path === undefined && syscall === undefined)) return undefined;
  return inputError(path ?? syscall!, code).message;
}
