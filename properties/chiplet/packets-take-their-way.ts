import { judged, property } from '../property.ts';
import { addressOf, type ChipletContext, linkIn, numberOf, said } from './context.ts';

/** Hops that are shortest along one dimension: on a line, or on a ring. */
const shortest = (from: number, to: number, side: number, wraps: boolean): number => {
  const straight = Math.abs(to - from);
  return wraps ? Math.min(straight, side - straight) : straight;
};

/** Dimension order: mesh from the last coordinate, torus from the first (chiplet specification 14, N7; 5.7). */
export const packetsTakeTheirWay = property<ChipletContext>(
  'packets in a mesh or torus take a shortest way, one dimension after the other',
  (run, { config, packets }) =>
    judged(said(run, 'packet.injected', 'link.carry', 'packet.finished'), (found) => {
      const { A, R, c } = config;
      const hops = new Map<number, number>();
      const dimensions = new Map<number, number>();
      const packetOf = new Map<number, number>();

      return {
        see({ actor, event }) {
          if (R > 1) return;
          if (event.type === 'packet.injected') {
            packetOf.set(event.first, event.packet);
            return;
          }
          if (event.type === 'link.carry') {
            const packet = packetOf.get(numberOf(event.flit));
            if (packet === undefined) return;
            hops.set(packet, (hops.get(packet) ?? 0) + 1);
            const dimension = (Number(linkIn(actor).split('.')[1]) - 1) >> 1;
            const before = dimensions.get(packet) ?? dimension;
            if (R === 0 ? dimension > before : dimension < before)
              found([actor], `packet ${packet} goes back to dimension ${dimension} after ${before}`);
            dimensions.set(packet, dimension);
            return;
          }
          const order = packets[event.packet];
          if (!order) return;
          const [from, to] = [addressOf(config, order.source), addressOf(config, order.target)];
          let least = 0;
          for (let k = 0; k < c; k++) least += shortest(from[k]!, to[k]!, A, R === 1);
          const taken = hops.get(event.packet) ?? 0;
          if (taken !== least)
            found([actor], `packet ${event.packet} took ${taken} hops, ${least} are enough`);
        },
      };
    }),
);
