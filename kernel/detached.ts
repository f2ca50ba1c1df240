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
