import { current, isDraft } from 'immer';

/** A value of a context as plain data: what a draft stands for, and anything else itself. For resources that keep it. */
export const undrafted = <T extends object>(value: T): T =>
  isDraft(value) ? (current(value as object) as T) : value;

/**
 * A value as plain data, for what outlives the recipe that hands it on: a message, a probe, a resource.
 *
 * Details: with persistent contexts a recipe sees drafts of Immer, which are gone when it ends. A draft becomes the data it stands for, also inside
 * of objects and lists that the recipe has made; everything else stays the very same object.
 */
export function undraft<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isDraft(value)) return current(value as object) as T;
  // What is frozen holds no draft, and what is no plain object is a resource, which knows what it keeps.
  if (Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    const plain = value.map(undraft);
    return plain.some((one, at) => one !== value[at]) ? (plain as T) : value;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(value)) {
    const plain = undraft(one);
    if (plain === one) continue;
    changed ??= { ...(value as Record<string, unknown>) };
    changed[key] = plain;
  }
  return (changed as T | undefined) ?? value;
}
