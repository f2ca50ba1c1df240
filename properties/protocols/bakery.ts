import { bakeryProtocol } from '../../actors/protocols/bakery.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { ObservationOf } from '../../kernel/protocol/protocol.ts';
import { leadsTo } from '../temporal/liveness.ts';
import { patternsOf } from '../temporal/patterns-of.ts';
import { always } from '../temporal/safety.ts';

/** Mutual exclusion. */
export const oneIsServed = always('one customer at a time is served', (state) => {
  const inside = state.named('Customer[*]').filter((one) => one.state === 'inside');
  return inside.length < 2 || `${inside.map(({ name }) => name).join(' and ')} are served`;
});

/** First come, first served: of who has a number, and of who came before whom. */
interface Queue {
  /** Customers with a number that are not served yet, ascending. */
  waiting: string[];
  /** By customer: who had a number when it reached the door, and is not served yet. */
  before: Record<string, string[]>;
}

export const firstComeFirstServed: Observer<Queue, ObservationOf<typeof bakeryProtocol>> = {
  sentence: 'who has a number when another one reaches the door is served first',
  watches: ['door.reached', 'number.taken', 'service.begun'],
  begin: () => ({ waiting: [], before: {} }),
  see(queue, observation) {
    if (observation.kind !== 'probe') return undefined;
    const { actor } = observation;
    switch (observation.probe.type) {
      case 'door.reached':
        queue.before[actor] = [...queue.waiting];
        return undefined;
      case 'number.taken':
        queue.waiting = [...queue.waiting, actor].sort();
        return undefined;
      case 'service.begun': {
        const [first] = queue.before[actor] ?? [];
        queue.waiting = queue.waiting.filter((one) => one !== actor);
        queue.before = Object.fromEntries(
          Object.entries(queue.before)
            .filter(([one]) => one !== actor)
            .map(([one, ahead]) => [one, ahead.filter((other) => other !== actor)]),
        );
        return first === undefined
          ? undefined
          : { actors: [actor, first], why: `${actor} is served before ${first}, who had a number already` };
      }
    }
  },
};

const { shown } = patternsOf(bakeryProtocol);

/** Nobody waits for ever. */
export const everybodyIsServed = leadsTo(
  'who reaches the door is served',
  shown('door.reached', { key: 'actor' }),
  shown('service.begun', { key: 'actor' }),
  { fair: true },
);
