import { byName, dmacName, nodeIn, tcaProperty } from './context.ts';
import { mustEnd } from './left-over.ts';

/** Chains of a channel. */
interface Counter {
  /** Doorbells that the processor has rung and that have not come. */
  rung: number;
  started: number;
  finished: number;
}

/** The performance counter of a channel goes up by one with each chain, and no chain is lost (TCA specification 7, 8). */
export const chainsAreCountedOnce = () =>
  tcaProperty({
    sentence: 'the performance counter of a channel counts every chain once',
    watches: ['doorbell.rung', 'dmac.doorbell', 'chain.done', 'channel.error', 'doorbell.lost'],
    begin: (): Record<string, Counter> => ({}),
    see(counters, { from, to, event }, found) {
      if (event.type === 'doorbell.rung') of(counters, dmacName(nodeIn(from), event.channel)).rung++;
      else if (event.type === 'dmac.doorbell') {
        const counter = of(counters, to);
        counter.rung = Math.max(0, counter.rung - 1);
        counter.started++;
      }
      // A chain that failed, was refused or was not heard of does not count.
      else if (event.type === 'channel.error' || event.type === 'doorbell.lost') of(counters, from).started--;
      else {
        const counter = of(counters, from);
        counter.finished++;
        if (event.count !== counter.finished)
          found([from], `it counts ${event.count} chains, ${counter.finished} have ended`);
        if (counter.finished > counter.started) found([from], 'a chain ends that nobody started');
      }
    },
    ...mustEnd('has not ended', 'chains have not ended', (counters: Record<string, Counter>) =>
      byName(counters).flatMap(([who, { rung, started, finished }]) =>
        Array.from({ length: rung + Math.max(0, started - finished) }, (_, k) => ({
          who,
          what: `a chain of ${who}`,
          key: `${who} ${finished + k}`,
        })),
      ),
    ),
  });

function of(counters: Record<string, Counter>, name: string): Counter {
  counters[name] ??= { rung: 0, started: 0, finished: 0 };
  return counters[name];
}
