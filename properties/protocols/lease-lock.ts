import type { leaseProtocol } from '../../actors/protocols/lease-lock.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { ObservationOf, ShownBy } from '../../kernel/protocol/protocol.ts';
import { always, reachable } from '../temporal/safety.ts';

/** What leases are for: it depends on the clocks. */
export const oneHolder = always('one client at a time takes the lock for its own', (state) => {
  const holders = state.named('Client[*]').filter((one) => one.state === 'holding');
  return holders.length < 2 || `${holders.map(({ name }) => name).join(' and ')} do`;
});

/** Tokens that are shown never fall; `same`: nor come again. */
const growing = (
  sentence: string,
  type: ShownBy<typeof leaseProtocol>['type'],
  same: boolean,
): Observer<{ last: number }, ObservationOf<typeof leaseProtocol>> => ({
  sentence,
  watches: [type],
  begin: () => ({ last: 0 }),
  see(memory, observation) {
    if (observation.kind !== 'probe') return undefined;
    const { token } = observation.probe;
    const { last } = memory;
    memory.last = Math.max(last, token);
    if (token > last || (same && token === last)) return undefined;
    return { actors: [observation.actor], why: `token ${token} comes after ${last}` };
  },
});

/** What tokens are for: it does not depend on any clock. */
export const writesAreFenced = growing('no write is taken after one of a later lease', 'write.taken', true);

/** Every lease has a token of its own. */
export const tokensGrow = growing(
  'every lease has a greater token than the one before',
  'lease.granted',
  false,
);

/** The lock comes to be held at all. */
export const lockIsHeld = reachable('a client has the lock', (state) =>
  state.named('Client[*]').some((one) => one.state === 'holding'),
);
