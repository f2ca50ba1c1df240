import { judged, property } from '../property.ts';
import { isMemory, isRouter, nameOfWrite, nodeIn, said, type TcaContext, targetOf } from './context.ts';
import { LeftOver } from './left-over.ts';

/** Writes of one source and channel, or of one PIO window, reach one node in sequence, each once (TCA specification 19, I5). */
export const writesArriveInSequence = property<TcaContext>(
  'the writes of a channel arrive at a node in sequence, each once',
  (run) =>
    judged(said(run, 'tlp.write'), (found) => {
      /** By source, channel and target: the writes under way, in the order in which they were sent. */
      const ways = new Map<string, string[]>();

      /** By the same: the number of the last one that has arrived. */
      const last = new Map<string, number>();

      return {
        see({ from, to, event }) {
          const way = `${event.source} ${event.channel} ${targetOf(event)}`;
          const name = nameOfWrite(event);
          const under = ways.get(way) ?? [];
          ways.set(way, under);
          if (isRouter(to) && nodeIn(to) === event.source && !from.includes('.Link.')) under.push(name);
          if (!isMemory(to)) return;
          if (nodeIn(to) !== targetOf(event)) found([to], `${name} arrives at another node`);
          const at = under.indexOf(name);
          if (at !== 0)
            found([to], at < 0 ? `${name} arrives again` : `${name} arrives before ${under.slice(0, at)}`);
          if (at >= 0) under.splice(at, 1);
          if (event.seq <= (last.get(way) ?? -1))
            found([to], `${name} arrives behind number ${last.get(way)}`);
          last.set(way, event.seq);
        },
        end() {
          if (!run.quiet) return;
          const lost = new LeftOver();
          for (const under of ways.values())
            for (const name of under) lost.add(name.slice(name.indexOf('Node')), name);
          lost.tell('has not arrived', 'writes have not arrived', found);
        },
      };
    }),
);
