import type { Observer } from '../kernel/explore/observer.ts';

export const restSentence = 'every run comes to rest';

/**
 * Every run comes to rest: none goes on for ever. That nobody waits then is judged besides, as a deadlock.
 *
 * Details: `fair` leaves out runs in which a channel that can always step is never served.
 */
export const comesToRest = (fair = false): Observer<object> => ({
  sentence: restSentence,
  watches: [],
  fair,
  begin: () => ({}),
  see: () => undefined,
  atRest: () => undefined,
  pending: () => [{ key: 'rest', actors: [], why: 'it does not come to rest' }],
});
