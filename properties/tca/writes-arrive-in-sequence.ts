import { byName, isMemory, isRouter, nameOfWrite, nodeIn, targetOf, tcaProperty } from './context.ts';
import { mustEnd } from './left-over.ts';

/** The writes of one source and channel to one target. */
interface Way {
  readonly source: number;
  readonly channel: number;
  /** Numbers of those under way, in the order in which they were sent. */
  readonly under: number[];
  /** The number of the last one that has arrived. */
  last: number;
}

/** Writes of one source and channel, or of one PIO window, reach one node in sequence, each once (TCA specification 19, I5). */
export const writesArriveInSequence = () =>
  tcaProperty({
    sentence: 'the writes of a channel arrive at a node in sequence, each once',
    watches: ['tlp.write'],
    begin: (): Record<string, Way> => ({}),
    see(ways, { from, to, event }, found) {
      const { source, channel, seq } = event;
      const leaves = isRouter(to) && nodeIn(to) === source && !from.includes('.Link.');
      if (!leaves && !isMemory(to)) return;
      const key = `${source} ${channel} ${targetOf(event)}`;
      ways[key] ??= { source, channel, under: [], last: -1 };
      const way = ways[key];
      const { under, last } = way;
      if (leaves) {
        under.push(seq);
        return;
      }
      const name = nameOfWrite(event);
      if (nodeIn(to) !== targetOf(event)) found([to], `${name} arrives at another node`);
      const at = under.indexOf(seq);
      const before = under.slice(0, Math.max(0, at)).map((one) => nameOfWrite({ source, channel, seq: one }));
      if (at !== 0) found([to], at < 0 ? `${name} arrives again` : `${name} arrives before ${before}`);
      if (at >= 0) under.splice(at, 1);
      if (seq <= last) found([to], `${name} arrives behind number ${last}`);
      way.last = seq;
    },
    ...mustEnd('has not arrived', 'writes have not arrived', (ways: Record<string, Way>) =>
      byName(ways).flatMap(([, { source, channel, under }]) =>
        under.map((seq) => {
          const what = nameOfWrite({ source, channel, seq });
          return { who: what.slice(what.indexOf('Node')), what };
        }),
      ),
    ),
  });
