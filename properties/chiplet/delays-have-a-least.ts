import { judged, property } from '../property.ts';
import { type ChipletContext, numberOf, said } from './context.ts';

/** Five cycles a hop, and one for each flit behind the head (chiplet specification 14, N9; 5.5). */
export const delaysHaveALeast = property<ChipletContext>(
  'a packet takes five cycles a hop and one more for each flit behind its head, at least',
  (run, { packets, config }) =>
    judged(said(run, 'packet.injected', 'link.carry', 'packet.finished'), (found) => {
      const hops = new Map<number, number>();
      const packetOf = new Map<number, number>();
      const fromZero = (config.firstStart ?? (config.ties === 'heap' ? 'zero' : 'trace')) === 'zero';

      return {
        see({ actor, event }) {
          if (event.type === 'packet.injected') packetOf.set(event.first, event.packet);
          else if (event.type === 'link.carry') {
            const packet = packetOf.get(numberOf(event.flit));
            if (packet !== undefined) hops.set(packet, (hops.get(packet) ?? 0) + 1);
          } else {
            const order = packets[event.packet];
            if (!order) return;
            const least = 5 * (hops.get(event.packet) ?? 0) + order.size - 1;
            const taken = event.cycle - order.time;
            if (taken < least)
              found([actor], `packet ${event.packet} took ${taken} cycles, at least ${least}`);
            if (!fromZero && event.delay !== taken)
              found(
                [actor],
                `packet ${event.packet} took ${taken} cycles, its delay is told as ${event.delay}`,
              );
          }
        },
      };
    }),
);
