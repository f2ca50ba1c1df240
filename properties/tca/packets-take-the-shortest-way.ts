import {
  hopsBetween,
  isCable,
  isHostSwitch,
  nameOfWrite,
  nodeIn,
  type TcaKnown,
  targetOf,
  tcaProperty,
} from './context.ts';

/** A write crosses as few cables as there are between its nodes, and no chip twice (TCA specification 2, 6). */
export const packetsTakeTheShortestWay = ({ config }: TcaKnown) =>
  tcaProperty({
    sentence: 'a write crosses as many cables as lie between its nodes',
    watches: ['tlp.write'],
    // By write under way: the cables that it has crossed.
    begin: (): Record<string, number> => ({}),
    see(hops, { from, to, event }, found) {
      const crosses = isCable(from);
      const arrives = isHostSwitch(to);
      if (!crosses && !arrives) return;
      const name = nameOfWrite(event);
      const wanted = hopsBetween(config, event.source, targetOf(event));
      if (crosses) {
        hops[name] = (hops[name] ?? 0) + 1;
        if (hops[name] === wanted + 1) found([to], `${name} crosses more than ${wanted} cables`);
      }
      if (!arrives) return;
      if (nodeIn(to) !== targetOf(event)) found([to], `${name} is for node ${targetOf(event)}`);
      else if ((hops[name] ?? 0) < wanted) found([to], `${name} has not crossed ${wanted} cables`);
      delete hops[name];
    },
  });
