import { judged, property } from '../property.ts';
import { type ChipletContext, routerIn, said } from './context.ts';

/** A channel never has more flits ahead than its buffer holds, and gets back every place (chiplet specification 14, N2, N3). */
export const creditsCoverBuffers = property<ChipletContext>(
  'no more flits are sent to a buffer than it holds, and the place of each comes back once',
  (run, { config, links }) =>
    judged(said(run, 'switch.passed', 'flit.arrive', 'credit.return'), (found) => {
      const { B, V } = config;
      /** By output channel: flits whose place has not come back. */
      const ahead = new Map<string, number>();
      /** By input channel: flits in its buffer. */
      const held = new Map<string, number>();
      const add = (counts: Map<string, number>, key: string, change: number): number => {
        const count = (counts.get(key) ?? 0) + change;
        counts.set(key, count);
        return count;
      };

      return {
        see({ actor, event }) {
          const router = routerIn(actor);
          if (event.type === 'switch.passed') {
            const count = add(ahead, `${router}.${event.output}`, 1);
            // Where packets may be lost, nobody waits for a place.
            if (count > B && !config.loss)
              found(
                [actor],
                `${count} flits are sent through channel ${event.output}, its buffer holds ${B}`,
              );
            if (event.input >= V) add(held, `${router}.${event.input}`, -1);
            return;
          }
          const channel = event.port * V + event.channel;
          if (event.type === 'flit.arrive') {
            add(held, `${router}.${channel}`, 1);
            return;
          }
          if (add(ahead, `${router}.${channel}`, -1) < 0)
            found([actor], `a place behind channel ${channel} comes back that was not taken`);
          if (!links.has(`${router}.${event.port}`))
            found([actor], `a credit for port ${event.port}, where no link is`);
        },
        end() {
          if (!run.quiet || [...held.values()].some((count) => count < 0)) return;
          const waiting = [...ahead].filter(([, count]) => count > 0);
          const stuck = run.ended && waiting.length > 0;
          if (stuck)
            for (const [channel, count] of waiting)
              found(
                [`Router[${channel.split('.')[0]}]`],
                `${count} places behind channel ${channel} have not come back`,
              );
        },
      };
    }),
);
