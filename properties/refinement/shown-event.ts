import type { Sight } from '../../kernel/explore/observer.ts';

/** What an actor shows, in the form in which logs have it: the actor, the type, and the fields beside them. */
export interface ShownEvent {
  readonly at: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** What a sight shows to somebody outside: a probe, with all its fields; messages are hidden from him. */
export function shownEvent(sight: Sight): ShownEvent | undefined {
  if (sight.kind === 'message') return undefined;
  const { type, ...fields } = sight.probe;
  return { at: sight.actor, event: type, ...fields };
}
