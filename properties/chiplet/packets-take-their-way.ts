import { count } from '../judging.ts';
import { addressOf, type ChipletContext, judging, linkIn, numberOf } from './context.ts';

/** Hops that are shortest along one dimension: on a line, or on a ring. */
const shortest = (from: number, to: number, side: number, wraps: boolean): number => {
  const straight = Math.abs(to - from);
  return wraps ? Math.min(straight, side - straight) : straight;
};

interface Ways {
  /** By packet: the hops that its head has made, and the dimension of the last one. */
  readonly hops: Record<string, number>;
  readonly dimensions: Record<number, number>;
  /** By the number of the first flit. */
  readonly packetOf: Record<number, number>;
}

/** Dimension order: mesh from the last coordinate, torus from the first (chiplet specification 14, N7; 5.7). */
export const packetsTakeTheirWay = ({ config, packets }: ChipletContext) => {
  const { A, R, c } = config;
  return judging({
    sentence: 'packets in a mesh or torus take a shortest way, one dimension after the other',
    watches: R > 1 ? [] : ['packet.injected', 'link.carry', 'packet.finished'],
    begin: (): Ways => ({ hops: {}, dimensions: {}, packetOf: {} }),
    see({ hops, dimensions, packetOf }, { to: actor, event }, tell) {
      if (event.type === 'packet.injected') {
        packetOf[event.first] = event.packet;
        return;
      }
      if (event.type === 'link.carry') {
        const packet = packetOf[numberOf(event.flit)];
        if (packet === undefined) return;
        count(hops, String(packet), 1);
        const dimension = (Number(linkIn(actor).split('.')[1]) - 1) >> 1;
        const before = dimensions[packet] ?? dimension;
        if (R === 0 ? dimension > before : dimension < before)
          tell([actor], `packet ${packet} goes back to dimension ${dimension} after ${before}`);
        dimensions[packet] = dimension;
        return;
      }
      const order = packets[event.packet];
      if (!order) return;
      const [from, to] = [addressOf(config, order.source), addressOf(config, order.target)];
      let least = 0;
      for (let k = 0; k < c; k++) least += shortest(from[k]!, to[k]!, A, R === 1);
      const taken = hops[event.packet] ?? 0;
      if (taken !== least) tell([actor], `packet ${event.packet} took ${taken} hops, ${least} are enough`);
    },
  });
};
