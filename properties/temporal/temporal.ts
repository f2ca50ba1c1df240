/**
 * Sentences about what happens when, for runs and for the exhaustive checker alike: each is a property whose memory is plain data. What must never happen is judged at once; what
 * must come is judged when its time is up, when nothing will happen any more, and by the checker in runs that never end.
 */
export { eventually, leadsTo, until } from './liveness.ts';
export { endOfTick, message, shown } from './pattern.ts';
export { always, atMostOne, atRest, before, never, reachable } from './safety.ts';
