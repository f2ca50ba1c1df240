import { copyContext } from './copy.ts';
import { isResource } from './resource.ts';

/**
 * A message, probe or observation as a value of its own: what it was made of may change afterwards, it does not.
 *
 * Why: a recipe posts a list of its context and adds to the list in a later step, or a receiver keeps the list it was given and adds to it. What is under
 * way, what was recorded and what properties remember must not change with it; the exhaustive checker, which keeps each state by itself, knows no other meaning.
 *
 * Details: with `keepsResources`, resources stay what they are. Errors: KRN007 for a function, and for an instance of a class that is no resource.
 */
export function detached<T extends { readonly type: string }>(event: T, keepsResources = false): T {
  const made: Record<string, unknown> = { ...event };
  let seen: Map<object, unknown> | undefined;
  for (const key in made) {
    const value = made[key];
    if (typeof value !== 'object' || value === null) continue;
    if (keepsResources) seen ??= new ResourcesKept();
    made[key] = copyContext(value, seen ?? new Map(), false, `"${event.type}".${key}`);
  }
  return made as T;
}

/** For `copyContext`: resources stay what they are. */
class ResourcesKept extends Map<object, unknown> {
  override get(value: object): unknown {
    return isResource(value) ? value : super.get(value);
  }
}

/**
 * A copy of the plain data of an input; instances of classes, resources and functions stay what they are.
 *
 * Why: a context may be its input itself, and inputs of several runs one object: a run must not begin with what another one has made of it. Details: what several inputs of one run have in common, they
 * have in common afterwards, by `seen`.
 */
export function ownInput(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const made: unknown[] = [];
    seen.set(value, made);
    for (const one of value) made.push(ownInput(one, seen));
    return made;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const made: Record<string, unknown> = {};
    seen.set(value, made);
    for (const [key, one] of Object.entries(value)) made[key] = ownInput(one, seen);
    return made;
  }
  if (value instanceof Map) {
    const made = new Map<unknown, unknown>();
    seen.set(value, made);
    for (const [key, one] of value) made.set(ownInput(key, seen), ownInput(one, seen));
    return made;
  }
  if (value instanceof Set) {
    const made = new Set<unknown>();
    seen.set(value, made);
    for (const one of value) made.add(ownInput(one, seen));
    return made;
  }
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return value;
  const made = (value as Uint8Array).slice();
  seen.set(value, made);
  return made;
}
