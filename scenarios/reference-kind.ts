import { equalRow, type Row } from './reference-row.ts';

export { equalRow, type Row };

/** A file that may hold reference data, read. */
export interface ReferenceFile {
  readonly path: string;
  readonly text: string;
  /** The parsed JSON; undefined for a file that is none. */
  readonly json: unknown;
  /** True: rows are compared with state machines for all parts of a machine, also where plain code does the same faster. */
  readonly explicit?: boolean;
}

/** A kind of reference data that can be recognised and compared with. */
export interface ReferenceKind {
  readonly name: string;
  /** What is compared, in a few words. */
  readonly summary: string;
  recognises(file: ReferenceFile): boolean;
  /**
   * Makes the comparisons of a file, one by one.
   *
   * Errors: `NothingToCompare` when the file has no counterpart, `DamagedReference` when it cannot be read as its kind.
   */
  rows(file: ReferenceFile): Iterable<Row> | AsyncIterable<Row>;
}

/** A file of a known kind that there is nothing to compare with; the message is the reason. */
export class NothingToCompare extends Error {
  override readonly name = 'NothingToCompare';
}

/** A file of a known kind whose content is not what the kind says; the message names the place. */
export class DamagedReference extends Error {
  override readonly name = 'DamagedReference';
}

/** The `format` of a JSON file, empty when it has none. */
export function formatOf({ json }: ReferenceFile): string {
  const format =
    typeof json === 'object' && json !== null ? (json as { format?: unknown }).format : undefined;
  return typeof format === 'string' ? format : '';
}
