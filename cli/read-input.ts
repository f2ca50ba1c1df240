import { InputError, inputBytes, inputText } from '../scenarios/input-file.ts';
import { UsageError } from './usage-error.ts';

/** The text of a file that the user named, `-` for standard input. Errors: `UsageError` when it cannot be read. */
export const readInput = (file: string): string => asUsage(() => inputText(file));

/** As `readInput`, for a file that is no text. */
export const readInputBytes = (file: string): Uint8Array => asUsage(() => inputBytes(file));

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new UsageError(`${error.file}: ${error.why}`, error.help);
  }
}
