import type { Place } from './errors.ts';

/** Steps from the root of a document to a value in it: keys and indices. */
export type Path = readonly PropertyKey[];

/** Plain data that still knows where everything in it was written. */
export interface Located {
  readonly file: string;
  readonly data: unknown;
  /** Where the value at a path stands; the nearest value around it when it was not written. */
  at(path: Path): Place;
  /** Where a key of the mapping at a path stands; the mapping itself when it has no such key. */
  ofKey(path: Path, key: PropertyKey): Place;
}

/** The line and the column of an offset in a text. */
export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const line = before.lastIndexOf('\n');
  let lines = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) lines++;
  return { file, line: lines, column: offset - line };
}
