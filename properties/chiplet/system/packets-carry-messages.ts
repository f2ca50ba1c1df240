import { judged } from '../../property.ts';
import { pairOf, type SystemProperty, said } from './context.ts';

/** Through the network a value comes when its packet has, and all packets of the pair before (chiplet specification 12, coupled; 14, M2). */
export const packetsCarryMessages: SystemProperty = {
  sentence:
    'a message through the network comes when the tails of its packet and of all before it were accepted',
  observe: (run, { config: { mode, network } }) =>
    judged(said(run, 'packet.injected', 'packet.finished', 'message.arrived'), (found) => {
      /** By pair of routers: its packets in the order of sending, and messages that came. */
      const packets = new Map<string, { readonly numbers: number[]; came: number }>();
      const finished = new Set<number>();
      const of = (pair: string) => {
        const known = packets.get(pair) ?? { numbers: [], came: 0 };
        packets.set(pair, known);
        return known;
      };
      const routerOf = ([x = 0, y = 0]: readonly number[]): number => x * network.A + y;
      return {
        see({ actor, event }) {
          if (mode !== 'coupled') return;
          if (event.type === 'packet.finished') {
            finished.add(event.packet);
            return;
          }
          if (event.type === 'packet.injected') {
            const source = actor.replace(/^Router\[(\d+)\]$/, '$1');
            of(pairOf(source, String(event.target))).numbers.push(event.packet);
            return;
          }
          if (event.type !== 'message.arrived') return;
          const { src, dst } = event;
          const pair = of(pairOf(String(routerOf(src)), String(routerOf(dst))));
          const packet = pair.numbers[pair.came++];
          if (packet === undefined || !finished.has(packet))
            found([actor], `message ${pair.came - 1} from ${pairOf(src, dst)} comes before its packet`);
        },
      };
    }),
};
