import type { z } from 'zod';
import { dataOf, ShapeError } from '../scenarios/json-data.ts';
import { JsonError, LocatedJson, parseJson } from '../scenarios/json-text.ts';
import { readInput } from './read-input.ts';
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

/** The data of a JSON file that the user named, of the shape of a schema; `help` is told where it is none. Errors: `UsageError` with place. */
export function readJsonAs<Data>(file: string, schema: z.ZodType<Data>, help: string): Data {
  const text = readInput(file);
  try {
    return dataOf(new LocatedJson(text, file, readJson(text, file, help)), schema);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new UsageError(error.message, help);
  }
}
