import type { z } from 'zod';
import { explainIssues } from './explain.ts';
import { LocatedJson } from './json-text.ts';
import { DamagedReference, type ReferenceFile } from './reference-kind.ts';

/** JSON that is not of the shape that a reader needs; the message is `file:line:column what` of its first fault, and the number of further ones. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** The data of a document, of the shape of a schema. Errors: `ShapeError`. */
export function dataOf<Data>(document: LocatedJson, schema: z.ZodType<Data>): Data {
  const parsed = schema.safeParse(document.data, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [first, ...others] = explainIssues(parsed.error.issues, schema, document);
  const { file, line, column } = first?.at ?? document.at([]);
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new ShapeError(`${file}:${line}:${column} ${first?.what ?? 'found something else'}${more}`);
}

/** The data of a file of reference data, of the shape of a schema. Errors: `DamagedReference`. */
export function referenceData<Data>({ path, text, json }: ReferenceFile, schema: z.ZodType<Data>): Data {
  try {
    return dataOf(new LocatedJson(text, path, json), schema);
  } catch (error) {
    if (error instanceof ShapeError) throw new DamagedReference(error.message);
    throw error;
  }
}
