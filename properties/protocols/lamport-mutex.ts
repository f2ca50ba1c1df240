import { type MutexContext, mutexProtocol } from '../../actors/protocols/lamport-mutex.ts';
import { leadsTo } from '../temporal/liveness.ts';
import { patternsOf } from '../temporal/patterns-of.ts';
import { always } from '../temporal/safety.ts';

/** Mutual exclusion. */
export const oneInside = always('one process at a time is inside', (state) => {
  const inside = state.actors.filter((one) => one.state === 'inside');
  return inside.length < 2 || `${inside.map(({ name }) => name).join(' and ')} are inside`;
});

/** Who asked first is first: nobody enters before an older request, by time and process. */
export const inOrderOfRequests = always('who is inside has the oldest request', (state) => {
  const asked = state
    .named<MutexContext>('Process[*]')
    .map((one, at) => ({ ...one, time: one.context.requests[at]! }));
  const within = asked.find((one) => one.state === 'inside');
  if (!within) return true;
  const isOlder = (one: (typeof asked)[number]) =>
    one.time > 0 && (one.time < within.time || (one.time === within.time && one.name < within.name));
  const older = asked.find(isOlder);
  return !older || `${older.name} has asked before ${within.name}`;
});

const { shown } = patternsOf(mutexProtocol);

/** Nobody waits for ever. */
export const everybodyEnters = leadsTo(
  'who asks to enter enters',
  shown('mutex.requested', { key: 'actor' }),
  shown('mutex.entered', { key: 'actor' }),
  { fair: true },
);
