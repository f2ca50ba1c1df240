import type { Observation } from '../../kernel/explore/observer.ts';

/** What an actor shows, in the form in which logs have it: the actor, the type, and the fields beside them. */
export interface ShownEvent {
  readonly at: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** What a observation shows to somebody outside: a probe, with all its fields; messages are hidden from him. */
export function shownEvent(observation: Observation): ShownEvent | undefined {
  if (observation.kind === 'message') return undefined;
  const { type, ...fields } = observation.probe;
  return { at: observation.actor, event: type, ...fields };
}
