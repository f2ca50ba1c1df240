import { copyContext, refuseOpaque } from './copy.ts';
import type { Address, LockstepEvent, Post } from './message.ts';
import { isResource } from './resource.ts';

/**
 * A message, probe or observation as a value of its own: what it was made of may change afterwards, it does not.
 *
 * Why: a recipe posts a list of its context and adds to the list in a later step, or a receiver keeps the list it was given and adds to it. What is under
 * way, what was recorded and what properties remember must not change with it; the exhaustive checker, which keeps each state by itself, knows no other meaning.
 *
 * Details: with `keepsResources`, resources stay what they are. Errors: KRN007 for a function, a symbol, and for an instance of a class that is no resource.
 */
export function detached<T extends { readonly type: string }>(event: T, keepsResources = false): T {
  return own({ ...event }, keepsResources) as T;
}

/** Makes what a new object holds its own, too. */
function own(made: Record<string, unknown>, keepsResources: boolean): Record<string, unknown> {
  let seen: Map<object, unknown> | undefined;
  for (const key in made) {
    const value = made[key];
    if (typeof value !== 'object' || value === null) {
      refuseOpaque(value, `"${made['type']}".${key}`);
      continue;
    }
    if (keepsResources) seen ??= new ResourcesKept();
    made[key] = copyContext(value, seen ?? new Map(), false, `"${made['type']}".${key}`);
  }
  return made;
}

/**
 * What is said in a post, as a value of its own, without its envelope: to whom it goes and when it was to be there.
 *
 * Why: two messages of one content are one to the checker when they are due at one time, however long each was under way.
 */
export function eventIn(
  post: Post,
  to: Address,
  delay: number | undefined,
  keepsResources = false,
): LockstepEvent {
  const { to: address, delay: ticks, ...event } = post as Post & Record<string, unknown>;
  if (address !== to) event['to'] = address;
  if (ticks !== delay) event['delay'] = ticks;
  return own(event, keepsResources) as unknown as LockstepEvent;
}

/** For `copyContext`: resources stay what they are. */
export class ResourcesKept extends Map<object, unknown> {
  override get(value: object): unknown {
    return isResource(value) ? value : super.get(value);
  }
}
