import { JsonError, parseJson } from '../scenarios/json-text.ts';
import { UsageError } from './usage-error.ts';

/** Reads the JSON text of a file that the user named; `help` is told where it is none. Errors: `UsageError` with place. */
export function readJson(text: string, file: string, help: string): unknown {
  try {
    return parseJson(text, file);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column } = error.at;
    throw new UsageError(`${file}:${line}:${column} ${error.what}`, error.help ?? help);
  }
}
