import { valueText } from './value-text.ts';

/**
 * Where two values first differ as data, in words: `steps[3].context.queue[0] is 1, expected 2`; undefined when they are equal.
 *
 * Details: prototypes are not looked at; -0 equals 0, NaN equals NaN, and a key with the value undefined differs from a missing one.
 */
export function firstDifference(found: unknown, expected: unknown, path = 'it'): string | undefined {
  return isSame(found, expected) ? undefined : differenceOf(found, expected, path);
}

/** True for values that are equal as data, in a fraction of the time that it takes to say where they differ. False where only a closer look tells. */
function isSame(found: unknown, expected: unknown): boolean {
  if (found === expected) return true;
  if (typeof found !== 'object' || typeof expected !== 'object' || found === null || expected === null)
    return Number.isNaN(found) && Number.isNaN(expected);
  if (Array.isArray(found) && Array.isArray(expected)) {
    if (found.length !== expected.length) return false;
    for (let i = 0; i < found.length; i++) if (!isSame(found[i], expected[i])) return false;
    return true;
  }
  if (found instanceof Uint8Array && expected instanceof Uint8Array)
    return found.length === expected.length && found.every((byte, k) => byte === expected[k]);
  if (!isPlain(found) || !isPlain(expected)) return false;
  const keys = Object.keys(expected);
  if (Object.keys(found).length !== keys.length) return false;
  for (const key of keys)
    if (
      !Object.hasOwn(found, key) ||
      !isSame((found as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key])
    )
      return false;
  return true;
}

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

function differenceOf(found: unknown, expected: unknown, path: string): string | undefined {
  if (found === expected || (Number.isNaN(found) && Number.isNaN(expected))) return undefined;
  if (typeof found !== 'object' || typeof expected !== 'object' || found === null || expected === null)
    return `${path} is ${show(found)}, expected ${show(expected)}`;
  if (Array.isArray(found) !== Array.isArray(expected))
    return `${path} is ${show(found)}, expected ${show(expected)}`;
  const mine = entriesOf(found);
  const theirs = entriesOf(expected);
  for (const [key, value] of theirs) {
    if (!mine.has(key)) return `${path}${step(found, key)} is missing, expected ${show(value)}`;
    const inside = differenceOf(mine.get(key), value, path + step(found, key));
    if (inside !== undefined) return inside;
  }
  for (const [key, value] of mine)
    if (!theirs.has(key)) return `${path}${step(found, key)} is ${show(value)}, expected nothing`;
  return undefined;
}

function entriesOf(value: object): ReadonlyMap<unknown, unknown> {
  // The order of a map and a set is part of what they are: programs go through them in it.
  if (value instanceof Map || value instanceof Set) return new Map([...value].entries());
  return new Map(Object.entries(value));
}

function step(owner: object, key: unknown): string {
  return Array.isArray(owner) || ArrayBuffer.isView(owner) ? `[${String(key)}]` : `.${String(key)}`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : valueText(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
