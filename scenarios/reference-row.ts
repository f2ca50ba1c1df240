/** One comparison with reference data. */
export interface Row {
  readonly id: string;
  readonly what: string;
  readonly expected: unknown;
  readonly found: unknown;
  /** How far apart the two may be, as a share of what is expected; null where they must be equal or the row says how it is judged. */
  readonly tolerance: number | null;
  readonly passed: boolean;
  /** Why this was not compared; absent when it was. */
  readonly skipped?: string;
  /** How it was judged, where there are more ways than to pass and to fail; a difference that is allowed says why. */
  readonly verdict?: 'equal' | `allowed: ${string}` | 'wrong' | 'refused';
}

/** A row that passes when two plain values are equal. */
export function equalRow(id: string, what: string, expected: unknown, found: unknown): Row {
  return { id, what, expected, found, tolerance: null, passed: Object.is(expected, found) };
}
