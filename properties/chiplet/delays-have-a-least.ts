import { count } from '../judging.ts';
import { type ChipletContext, judging, numberOf } from './context.ts';

interface Ways {
  /** By packet: the hops that its head has made. */
  readonly hops: Record<string, number>;
  /** By the number of the first flit. */
  readonly packetOf: Record<number, number>;
}

/** Five cycles a hop, and one for each flit behind the head (chiplet specification 14, N9; 5.5). */
export const delaysHaveALeast = ({ packets, config }: ChipletContext) => {
  const fromZero = (config.firstStart ?? (config.ties === 'heap' ? 'zero' : 'trace')) === 'zero';
  return judging({
    sentence: 'a packet takes five cycles a hop and one more for each flit behind its head, at least',
    watches: ['packet.injected', 'link.carry', 'packet.finished'],
    begin: (): Ways => ({ hops: {}, packetOf: {} }),
    see({ hops, packetOf }, { to: actor, event }, tell) {
      if (event.type === 'packet.injected') packetOf[event.first] = event.packet;
      else if (event.type === 'link.carry') {
        const packet = packetOf[numberOf(event.flit)];
        if (packet !== undefined) count(hops, String(packet), 1);
      } else {
        const order = packets[event.packet];
        if (!order) return;
        const least = 5 * (hops[event.packet] ?? 0) + order.size - 1;
        const taken = event.cycle - order.time;
        if (taken < least) tell([actor], `packet ${event.packet} took ${taken} cycles, at least ${least}`);
        if (!fromZero && event.delay !== taken)
          tell([actor], `packet ${event.packet} took ${taken} cycles, its delay is told as ${event.delay}`);
      }
    },
  });
};
