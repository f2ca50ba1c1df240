import { judged, property } from '../../property.ts';
import { type InterchipletContext, saidIn, timingDeskName } from './context.ts';

/** A latency record is of the round's file and serves one transaction (chiplet specification 9.5). */
export const recordsServeOnce = property<InterchipletContext>(
  'a latency record serves one transaction',
  (run) =>
    judged(saidIn(run), (found) => {
      const lines = new Set<number>();
      return {
        see({ from, to, event }) {
          if (event.type === 'round.load' && to === timingDeskName) {
            lines.clear();
            for (const { line } of event.records) lines.add(line);
          }
          if (event.type === 'record.used' && !lines.delete(event.line))
            found([from], `record ${event.line} serves again, or is none of this round`);
        },
      };
    }),
);
