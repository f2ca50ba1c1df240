import type { Observer } from '../kernel/explore/observer.ts';

/**
 * Every run comes to rest: none goes on for ever. That nobody waits then is judged besides, as a deadlock.
 *
 * Details: `fair` leaves out runs in which a channel that can always step is never served.
 */
export const comesToRest = (fair = false): Observer<object> => ({
  sentence: 'every run comes to rest',
  watches: [],
  fair,
  begin: () => ({}),
  see: () => undefined,
  atRest: () => undefined,
  pending: () => [{ key: 'rest', actors: [], why: 'it does not come to rest' }],
});
