import { judged, property } from '../property.ts';
import { type ChipletContext, closes, numberOf, opens, said } from './context.ts';

/** Flits of a packet follow each other in a channel (chiplet specification 14, N4, N10); one that is missing was dropped, and told. */
export const packetsStayTogether = property<ChipletContext>(
  'in a channel the flits of a packet come one after the other, head first, tail last',
  (run) =>
    judged(said(run, 'flit.arrive', 'switch.passed', 'flit.dropped'), (found) => {
      /** By place: the number of the flit that must come next; absent where a head must. */
      const next = new Map<string, number>();
      const dropped = new Set<number>();
      const isGone = (from: number, to: number): boolean => {
        for (let flit = from; flit < to; flit++) if (!dropped.has(flit)) return false;
        return from <= to;
      };

      return {
        see({ actor, event }) {
          if (event.type === 'flit.dropped') {
            dropped.add(numberOf(event.flit));
            return;
          }
          const place =
            event.type === 'flit.arrive'
              ? `${actor} arriving at ${event.port}.${event.channel}`
              : `${actor} leaving channel ${event.input}`;
          const { flit } = event;
          const number = numberOf(flit);
          const expected = next.get(place);
          if (expected === undefined && !opens(flit))
            found([actor], `${place}: flit ${number} without its head`);
          if (expected !== undefined && number !== expected && !isGone(expected, number))
            found([actor], `${place}: flit ${number}, where ${expected} must come`);
          if (closes(flit)) next.delete(place);
          else next.set(place, number + 1);
        },
      };
    }),
);
