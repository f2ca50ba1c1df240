/**
 * Sentences about what happens when, for runs and for the exhaustive checker alike: each is an observer whose memory is plain data; `asProperty` makes
 * a property of it. What must never happen is judged at once; what must come is judged when its time is up, or when nothing will happen any more.
 */
export { asProperty } from './as-property.ts';
export { eventually, leadsTo } from './liveness.ts';
export { endOfTick, message, shown } from './pattern.ts';
export { always, atMostOne, before, never } from './safety.ts';
