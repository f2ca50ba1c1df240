import { transcriptOf } from '../../kernel/explore/transcript.ts';
import { valueText } from '../../kernel/value-text.ts';

/** A place in which two values differ. `path` is empty where they differ as wholes; what is absent is undefined. */
export interface Differing {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** The places in which two values of plain data differ, down to the first that are no mappings or lists of the same length. */
export function differing(one: unknown, other: unknown, path = ''): readonly Differing[] {
  const [left, right] = [entriesOf(one), entriesOf(other)];
  const isSameKind = Array.isArray(one) === Array.isArray(other);
  if (!left || !right || !isSameKind || (Array.isArray(one) && left.size !== right.size))
    return transcriptOf(one) === transcriptOf(other) ? [] : [{ path, one, other }];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  return keys.flatMap((key) => {
    const step = Array.isArray(one) ? `[${key}]` : path === '' ? key : `.${key}`;
    return differing(left.get(key), right.get(key), `${path}${step}`);
  });
}

const entriesOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value))
    ? new Map(Object.entries(value).filter(([, one]) => one !== undefined))
    : undefined;

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

const charsMax = 240;

/** A value on one line that is cut where it is long. */
export function shortText(value: unknown): string {
  const text = valueText(value);
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}
