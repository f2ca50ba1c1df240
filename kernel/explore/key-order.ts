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
export function otherKeyOrder(one: unknown, other: unknown, path = ''): KeyOrders | undefined {
  if (one === other || typeof one !== 'object' || one === null || isResource(one) || ArrayBuffer.isView(one))
    return undefined;
  if (Array.isArray(one)) return inLists(one, other as typeof one, path);
  if (one instanceof Map || one instanceof Set)
    return inLists([...one].flat(), [...(other as typeof one)].flat(), path);
  const keys = Object.keys(one);
  const others = Object.keys(other as object);
  if (keys.some((key, at) => key !== others[at])) return { path, keys, others };
  for (const key of keys) {
    const [mine, theirs] = [one, other].map((value) => (value as Record<string, unknown>)[key]);
    const found = otherKeyOrder(mine, theirs, path === '' ? key : `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

function inLists(one: readonly unknown[], other: readonly unknown[], path: string): KeyOrders | undefined {
  for (let at = 0; at < one.length; at++) {
    const found = otherKeyOrder(one[at], other[at], `${path}[${at}]`);
    if (found) return found;
  }
  return undefined;
}

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
