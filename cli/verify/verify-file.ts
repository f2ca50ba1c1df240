import {
  DamagedReference,
  NothingToCompare,
  type ReferenceFile,
  type ReferenceKind,
  type Row,
} from '../../scenarios/reference-kind.ts';
import { exceededByJson } from '../../scenarios/text-limits.ts';
import { readInput } from '../read-input.ts';

/** What came of one file. */
export interface VerifiedFile {
  readonly file: string;
  /** Name of its kind; null when it is of none. */
  readonly kind: string | null;
  /** Comparisons made. */
  readonly rows: number;
  readonly passed: number;
  readonly failed: readonly Omit<Row, 'passed'>[];
  /** Rows of the file that are not compared, with the reason; absent when there are none. */
  readonly notCompared?: readonly { readonly id: string; readonly reason: string }[];
  /** Rows by verdict, for a kind that has more than two; absent for others. */
  readonly verdicts?: Readonly<Record<string, number>>;
  /** Why nothing was compared; null when something was. */
  readonly skipped: string | null;
}

/** Compares one file, of one of these kinds, with what this program gives; `heed` is waited for between comparisons and stops them when it answers false; `explicit` as in `ReferenceFile`. */
export async function verifyFile(
  path: string,
  kinds: readonly ReferenceKind[],
  heed: () => Promise<boolean>,
  explicit = false,
): Promise<VerifiedFile> {
  const file = { ...readReference(path), explicit };
  const kind = kinds.find((one) => recognises(one, file));
  if (!kind) {
    const known = kinds.map(({ name }) => name).join(', ');
    const reason =
      file.json === undefined ? 'not JSON, so of no known format' : `of no known format; known: ${known}`;
    return { file: path, kind: null, rows: 0, passed: 0, failed: [], skipped: reason };
  }
  const failed: Omit<Row, 'passed'>[] = [];
  const notCompared: { readonly id: string; readonly reason: string }[] = [];
  const verdicts: Record<string, number> = {};
  let rows = 0;
  try {
    for await (const { passed, ...row } of kind.rows(file)) {
      if (row.skipped !== undefined) {
        notCompared.push({ id: row.id, reason: row.skipped });
        continue;
      }
      rows++;
      if (row.verdict !== undefined) verdicts[row.verdict] = (verdicts[row.verdict] ?? 0) + 1;
      if (!passed) failed.push(row);
      if (!(await heed())) break;
    }
  } catch (error) {
    if (error instanceof NothingToCompare)
      return { file: path, kind: kind.name, rows: 0, passed: 0, failed: [], skipped: error.message };
    // Not every kind describes its files to the last key: what trips over a damaged one says no less.
    if (!(error instanceof Error)) throw error;
    rows++;
    failed.push({
      id: 'file',
      what: 'the file can be read',
      expected: kind.name,
      found:
        error instanceof DamagedReference
          ? error.message
          : 'values of other kinds, or of other names, than that format has',
      tolerance: null,
    });
  }
  const told = {
    ...(notCompared.length > 0 && { notCompared }),
    ...(Object.keys(verdicts).length > 0 && { verdicts }),
  };
  return { file: path, kind: kind.name, rows, passed: rows - failed.length, failed, ...told, skipped: null };
}

/** A file of no kind may have anything where a kind looks for its marks. */
function recognises(kind: ReferenceKind, file: ReferenceFile): boolean {
  try {
    return kind.recognises(file);
  } catch {
    return false;
  }
}

function readReference(path: string): ReferenceFile {
  const text = readInput(path);
  // What does not look like JSON is not parsed: reference folders also hold prose and large tables.
  const mayBeJson = /^\s*[[{]/.test(text);
  if (!mayBeJson || exceededByJson(text)) return { path, text, json: undefined };
  try {
    return { path, text, json: JSON.parse(text) };
  } catch {
    return { path, text, json: undefined };
  }
}
