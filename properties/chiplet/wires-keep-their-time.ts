import { judged, property } from '../property.ts';
import { type ChipletContext, linkIn, numberOf, said } from './context.ts';

/** Each flit takes the time of its wire (chiplet specification 5.3, 5.7). */
export const wiresKeepTheirTime = property<ChipletContext>(
  'a flit is seen at the other end of its wire when the wire takes it there, and only there',
  (run, { links }) =>
    judged(said(run, 'link.carry', 'flit.arrive'), (found) => {
      /** By router, port and channel: flits on the wire, with the cycle in which they must be seen. */
      const flying = new Map<string, { flit: number; cycle: number }[]>();

      return {
        see({ actor, event }) {
          if (event.type === 'link.carry') {
            const link = links.get(linkIn(actor));
            if (!link) return;
            const { to, port, delay } = link;
            // With a delay of one cycle the flit comes just after the turns.
            const cycle = event.cycle + (delay === 1 ? 2 : Math.max(1, Math.ceil(delay)));
            const place = `Router[${to}] ${port}.${event.channel}`;
            flying.set(place, [...(flying.get(place) ?? []), { flit: event.flit, cycle }]);
            return;
          }
          const place = `${actor} ${event.port}.${event.channel}`;
          const next = flying.get(place)?.shift();
          if (next?.flit !== event.flit)
            found([actor], `flit ${numberOf(event.flit)} arrives that is not next on the wire`);
          else if (next.cycle !== event.cycle)
            found(
              [actor],
              `flit ${numberOf(event.flit)} is seen in cycle ${event.cycle}, not in ${next.cycle}`,
            );
        },
      };
    }),
);
