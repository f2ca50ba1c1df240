import { judged, property } from '../property.ts';
import { type ChipletContext, closes, numberOf, opens, said } from './context.ts';

/** Flits of a packet follow each other in a channel (chiplet specification 14, N4). */
export const packetsStayTogether = property<ChipletContext>(
  'in a channel the flits of a packet come one after the other, head first, tail last',
  (run, { config }) =>
    judged(said(run, 'flit.arrive', 'switch.passed'), (found) => {
      /** By place: the number of the flit that must come next; absent where a head must. */
      const next = new Map<string, number>();

      return {
        see({ actor, event }) {
          const place =
            event.type === 'flit.arrive'
              ? `${actor} arriving at ${event.port}.${event.channel}`
              : `${actor} leaving channel ${event.input}`;
          const { flit } = event;
          const number = numberOf(flit);
          const expected = next.get(place);
          if (expected === undefined && !opens(flit))
            found([actor], `${place}: flit ${number} without its head`);
          // Of a packet that was abandoned, flits are missing.
          const isNext = config.loss ? number >= (expected ?? 0) : number === expected;
          if (expected !== undefined && !isNext)
            found([actor], `${place}: flit ${number}, where ${expected} must come`);
          if (closes(flit)) next.delete(place);
          else next.set(place, number + 1);
        },
      };
    }),
);
