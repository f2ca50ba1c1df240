import { judged, property } from '../property.ts';
import { type ChipletContext, linkIn, numberOf, said } from './context.ts';

/** Each flit takes the time of its wire (chiplet specification 5.3, 5.7). */
export const wiresKeepTheirTime = property<ChipletContext>(
  'a flit is seen at the other end of its wire when the wire takes it there, and only there',
  (run, { links, config }) =>
    judged(said(run, 'link.carry', 'flit.arrive'), (found) => {
      /** By router, port and channel: flits on the wire, with the first and the last cycle in which they may be seen. */
      const flying = new Map<string, { flit: number; first: number; last: number }[]>();

      return {
        see({ actor, event }) {
          if (event.type === 'link.carry') {
            const link = links.get(linkIn(actor));
            if (!link) return;
            const { to, port, delay, periods } = link;
            const [here, there] = periods;
            // A flit that arrives with a turn is late unless the turn was planned after it; a heap decides by its shape.
            const planned = delay > there || (delay === there && here > there);
            const isWhole = Number.isInteger(delay);
            const first =
              event.cycle + (isWhole && config.ties === 'fifo' && !planned ? delay + 1 : Math.ceil(delay));
            const last = isWhole && config.ties !== 'fifo' ? first + 1 : first;
            const place = `Router[${to}] ${port}.${event.channel}`;
            flying.set(place, [...(flying.get(place) ?? []), { flit: event.flit, first, last }]);
            return;
          }
          const place = `${actor} ${event.port}.${event.channel}`;
          const next = flying.get(place)?.shift();
          if (next?.flit !== event.flit)
            found([actor], `flit ${numberOf(event.flit)} arrives that is not next on the wire`);
          else if (event.cycle < next.first || event.cycle > next.last)
            found(
              [actor],
              `flit ${numberOf(event.flit)} is seen in cycle ${event.cycle}, not in ${next.first}`,
            );
        },
      };
    }),
);
