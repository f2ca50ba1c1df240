import { readFileSync } from 'node:fs';
import { exitCodes } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** The text of a file that the user named. Errors: `UsageError` when it cannot be read, with the exit code given. */
export function readInput(file: string, exitCode: number = exitCodes.usage): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const what = reason === 'ENOENT' ? 'found no such file' : `the file cannot be read (${reason})`;
    throw new UsageError(`${file}: ${what}`, 'check the path and the rights of the file', exitCode);
  }
}
