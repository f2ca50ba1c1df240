import { judging, pairOf, type SystemContext } from './context.ts';

interface Pairs {
  /** By pair of routers: its packets in the order of sending, and messages that came. */
  readonly packets: Record<string, { readonly numbers: number[]; came: number }>;
  readonly finished: Record<number, true>;
}

/** Through the network a value comes when its packet has, and all packets of the pair before (chiplet specification 12, coupled; 14, M2). */
export const packetsCarryMessages = ({ config: { mode, network } }: SystemContext) => {
  const routerOf = ([x = 0, y = 0]: readonly number[]): number => x * network.A + y;
  return judging({
    sentence:
      'a message through the network comes when the tails of its packet and of all before it were accepted',
    watches: mode === 'coupled' ? ['packet.injected', 'packet.finished', 'message.arrived'] : [],
    begin: (): Pairs => ({ packets: {}, finished: {} }),
    see({ packets, finished }, { to: actor, event }, tell) {
      const of = (pair: string) => {
        packets[pair] ??= { numbers: [], came: 0 };
        return packets[pair];
      };
      if (event.type === 'packet.finished') {
        finished[event.packet] = true;
        return;
      }
      if (event.type === 'packet.injected') {
        const source = actor.replace(/^Router\[(\d+)\]$/, '$1');
        of(pairOf(source, String(event.target))).numbers.push(event.packet);
        return;
      }
      const { src, dst } = event;
      const pair = of(pairOf(String(routerOf(src)), String(routerOf(dst))));
      const packet = pair.numbers[pair.came++];
      if (packet === undefined || !finished[packet])
        tell([actor], `message ${pair.came - 1} from ${pairOf(src, dst)} comes before its packet`);
    },
  });
};
