import { judged, property } from '../property.ts';
import {
  hopsBetween,
  isCable,
  isHostSwitch,
  nameOfWrite,
  nodeIn,
  said,
  type TcaContext,
  targetOf,
} from './context.ts';

/** A write crosses as few cables as there are between its nodes, and no chip twice (TCA specification 2, 6). */
export const packetsTakeTheShortestWay = property<TcaContext>(
  'a write crosses as many cables as lie between its nodes',
  (run, { config }) =>
    judged(said(run, 'tlp.write'), (found) => {
      const hops = new Map<string, number>();

      return {
        see({ from, to, event }) {
          const name = nameOfWrite(event);
          const wanted = hopsBetween(config, event.source, targetOf(event));
          if (isCable(from)) {
            const count = (hops.get(name) ?? 0) + 1;
            hops.set(name, count);
            if (count === wanted + 1) found([to], `${name} crosses more than ${wanted} cables`);
          }
          if (!isHostSwitch(to)) return;
          if (nodeIn(to) !== targetOf(event)) found([to], `${name} is for node ${targetOf(event)}`);
          else if ((hops.get(name) ?? 0) < wanted) found([to], `${name} has not crossed ${wanted} cables`);
          hops.delete(name);
        },
      };
    }),
);
