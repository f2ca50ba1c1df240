import { judged, property } from '../property.ts';
import { said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';

/** The performance counter of a channel goes up by one with each chain, and no chain is lost (TCA specification 7, 8). */
export const chainsAreCountedOnce = property<TcaContext>(
  'the performance counter of a channel counts every chain once',
  (run) =>
    judged(said(run, 'dmac.doorbell', 'chain.done', 'channel.error', 'doorbell.lost'), (found) => {
      const counters = new Map<string, { started: number; finished: number }>();
      const of = (name: string) => {
        const known = counters.get(name) ?? { started: 0, finished: 0 };
        counters.set(name, known);
        return known;
      };

      return {
        see({ from, to, event }) {
          if (event.type === 'dmac.doorbell') of(to).started++;
          // A chain that failed, was refused or was not heard of does not count.
          else if (event.type === 'channel.error' || event.type === 'doorbell.lost') of(from).started--;
          else {
            const counter = of(from);
            counter.finished++;
            if (event.count !== counter.finished)
              found([from], `it counts ${event.count} chains, ${counter.finished} have ended`);
            if (counter.finished > counter.started) found([from], 'a chain ends that nobody started');
          }
        },
        end() {
          if (!run.quiet) return;
          const open = new LeftOver();
          for (const [name, { started, finished }] of counters)
            open.add(name, `a chain of ${name}`, Math.max(0, started - finished));
          open.tell('has not ended', 'chains have not ended', found);
        },
      };
    }),
);
