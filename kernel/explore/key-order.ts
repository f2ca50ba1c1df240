import { isResource } from '../resource.ts';

/** An object whose keys come in one order in one of two values, and in another one in the other. */
export interface KeyOrders {
  /** Path from the value to the object. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly others: readonly string[];
}

/**
 * The first object in a value whose keys come in another order in a second value, which is equal to it as data.
 *
 * Why: the order of keys is no part of a state, but a program that goes through them goes through them in it.
 */
export function otherKeyOrder(one: unknown, other: unknown): KeyOrders | undefined {
  if (one === other || typeof one !== 'object' || one === null || isResource(one) || ArrayBuffer.isView(one))
    return undefined;
  if (Array.isArray(one)) return inLists(one, other as typeof one);
  if (one instanceof Map || one instanceof Set)
    return inLists([...one].flat(), [...(other as typeof one)].flat());
  const keys = Object.keys(one);
  const others = Object.keys(other as object);
  for (let at = 0; at < keys.length; at++) if (keys[at] !== others[at]) return { path: '', keys, others };
  for (const key of keys) {
    const found = otherKeyOrder(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
    );
    if (found) return { ...found, path: joined(key, found.path) };
  }
  return undefined;
}

function inLists(one: readonly unknown[], other: readonly unknown[]): KeyOrders | undefined {
  for (let at = 0; at < one.length; at++) {
    const found = otherKeyOrder(one[at], other[at]);
    if (found) return { ...found, path: joined(`[${at}]`, found.path) };
  }
  return undefined;
}

/** The path to what is at a path in a part. */
const joined = (part: string, path: string): string =>
  path === '' || path.startsWith('[') ? part + path : `${part}.${path}`;

/** A hash of the order in which the keys of the objects in a value come, the same in all threads. */
export function keyOrderHash(value: unknown, hash = 0): number {
  if (typeof value !== 'object' || value === null || isResource(value) || ArrayBuffer.isView(value))
    return hash;
  let mixed = hash;
  if (Array.isArray(value)) for (const one of value) mixed = keyOrderHash(one, mixed);
  else if (value instanceof Map || value instanceof Set)
    for (const one of [...value].flat()) mixed = keyOrderHash(one, mixed);
  else
    for (const [key, one] of Object.entries(value)) {
      for (let at = 0; at < key.length; at++) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x01000193);
      mixed = keyOrderHash(one, Math.imul(mixed ^ key.length, 0x01000193));
    }
  return mixed;
}

/** Both orders in words. */
export const keyOrdersText = ({ path, keys, others }: KeyOrders): string =>
  `the keys of its context${path === '' ? '' : `, in ${path},`} came as ${listed(others)} and not as ${listed(keys)}`;

const listed = (keys: readonly string[]): string =>
  `${keys
    .slice(0, shownMax)
    .map((key) => JSON.stringify(key))
    .join(', ')}${keys.length > shownMax ? ', …' : ''}`;

const shownMax = 8;
