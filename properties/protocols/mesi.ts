import type { mesiProtocol } from '../../actors/protocols/mesi-protocol.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { ObservationOf } from '../../kernel/protocol/protocol.ts';
import { always } from '../temporal/safety.ts';
import { symmetric } from '../temporal/symmetric.ts';

/** While a cache may write a line, no other one may read it. */
export const singleWriter = symmetric(
  always('while one cache may write the line, no other may read it', ({ actors }) => {
    const readers = actors.filter(
      ({ name, state }) => name !== 'Directory' && ['S', 'E', 'M'].includes(state),
    );
    const writer = readers.find(({ state }) => state !== 'S');
    const other = readers.find((one) => one !== writer);
    return !writer || !other
      ? true
      : `${writer.name} is in ${writer.state}, and ${other.name} in ${other.state}`;
  }),
);

/** Who reads the line finds what was written last. */
export const dataValue: Observer<{ last: number }, ObservationOf<typeof mesiProtocol>> = {
  sentence: 'a load finds what was stored last',
  watches: ['line.loaded', 'line.stored'],
  begin: () => ({ last: 0 }),
  see(memory, observation) {
    if (observation.kind !== 'probe') return undefined;
    const { type, value } = observation.probe;
    if (type === 'line.stored') memory.last = value;
    else if (value !== memory.last)
      return {
        actors: [observation.actor],
        why: `${observation.actor} loads ${value}, and ${memory.last} was stored last`,
      };
    return undefined;
  },
  exchange: ({ last }) => ({ last }),
};
