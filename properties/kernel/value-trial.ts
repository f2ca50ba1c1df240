import { copyContext } from '../../kernel/copy.ts';
import { firstDifference } from '../../kernel/difference.ts';
import { hashOf } from '../../kernel/hash.ts';

type Pick = (count: number) => number;

/**
 * Tries hashes, copies and differences of values on two random values that are equal or differ in one place: hashes are equal exactly where the values are, whatever the order of their
 * keys; a copy is equal and shares nothing that changes. Returns what is wrong, in one line.
 */
export function valuesDiffer(pick: Pick): string | undefined {
  const tape = Array.from({ length: 80 }, () => pick(1000));
  const changed = pick(3) === 0 ? undefined : pick(60);
  const one = drawn(tape);
  const other = drawn(tape.map((value, at) => (at === changed ? value + 1 : value)));
  const equal = spelled(one) === spelled(other);
  if ((hashOf(one) === hashOf(other)) !== equal)
    return `two values are ${equal ? 'equal' : 'different'}, and their hashes are not: ${spelled(one)} and ${spelled(other)}`;
  if (hashOf(one) !== hashOf(turned(one))) return `the hash depends on the order of keys: ${spelled(one)}`;
  const alike = spelled(withoutKinds(one)) === spelled(withoutKinds(other));
  if ((firstDifference(one, other) === undefined) !== alike)
    return `two values are ${alike ? 'alike' : 'different'}, found ${firstDifference(one, other)}: ${spelled(one)} and ${spelled(other)}`;
  const before = spelled(one);
  const copy = copyContext(one, new Map(), false);
  if (spelled(copy) !== before) return `a copy is ${spelled(copy)}, expected ${before}`;
  spoil(copy);
  if (spelled(one) !== before) return `what is done to a copy changes its original: ${before}`;
  return undefined;
}

/** A value made from decisions: numbers, texts, lists, objects, maps, sets, arrays of bytes; one object may stand in it twice. */
function drawn(tape: readonly number[]): object {
  let at = 0;
  const next = (count: number) => (tape[at++] ?? 0) % count;
  const known: object[] = [];
  const kept = <T extends object>(value: T): T => {
    known.push(value);
    return value;
  };
  const list = (depth: number) => Array.from({ length: next(4) }, () => value(depth + 1));
  const plain = () =>
    [
      0,
      1,
      2,
      -1,
      0.5,
      2 ** 31,
      2 ** 40,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      'a',
      'b',
      'ab',
      true,
      false,
      null,
    ][next(16)];
  const value = (depth: number): unknown => {
    switch (depth > 3 ? 0 : next(8)) {
      case 1:
        return kept(list(depth));
      case 2:
      case 3:
        return object(depth);
      case 4:
        return kept(new Map(list(depth).map((one, index) => [index === 0 ? plain() : `k${next(3)}`, one])));
      case 5:
        return kept(new Set(Array.from({ length: next(4) }, plain)));
      case 6:
        return kept(Uint8Array.from({ length: next(5) }, () => next(3)));
      case 7:
        return known.length > 0 ? known[next(known.length)] : plain();
      default:
        return plain();
    }
  };
  const object = (depth: number): object =>
    kept(
      Object.fromEntries(
        list(depth).map((one, index) => [['x', 'y', 'zz', 'xy'][(index + next(2)) % 4], one]),
      ),
    );
  return { a: value(0), b: value(0), c: object(0) };
}

/** A value as text, by which values are equal: the keys of objects sorted, those of maps and sets in their order. */
function spelled(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spelled).join()}]`;
  if (value instanceof Map) return `Map(${[...value].map((entry) => entry.map(spelled).join(':')).join()})`;
  if (value instanceof Set) return `Set(${[...value].map(spelled).join()})`;
  if (value instanceof Uint8Array) return `Bytes(${value.join()})`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, one]) => `${key}:${spelled(one)}`).join()}}`;
}

/** A value as differences look at it: a map, a set or an array of bytes is an object with the places as keys. */
function withoutKinds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKinds);
  if (typeof value !== 'object' || value === null) return value;
  const entries = value instanceof Map || value instanceof Set ? [...value].entries() : Object.entries(value);
  return Object.fromEntries([...entries].map(([key, one]) => [key, withoutKinds(one)]));
}

/** The same value with the keys of its objects in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, turned(one)]));
  if (value instanceof Set || value instanceof Uint8Array || typeof value !== 'object' || value === null)
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, turned(one)])
      .toReversed(),
  );
}

/** Changes everything in a value that can be changed. */
function spoil(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Uint8Array) value.fill(9);
  else if (value instanceof Map || value instanceof Set) {
    for (const one of value.values()) spoil(one, seen);
    value.clear();
  } else {
    for (const one of Object.values(value)) spoil(one, seen);
    for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key];
    Object.assign(value, { spoiled: true });
  }
}
