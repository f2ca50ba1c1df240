import { judged, property } from '../../property.ts';
import { type InterchipletContext, saidIn, timingDeskName } from './context.ts';

/**
 * C4: a round that is given the delays of an earlier one makes the same trace: the loop then stands still (chiplet specification 14).
 *
 * Details: rounds without delays, and those that discarded theirs (W-ORDER), are left out: there the order of locks is that of arrival.
 */
export const equalDelaysEqualTraces = property<InterchipletContext>(
  'rounds with equal delays make equal traces',
  (run) =>
    judged(saidIn(run), (found) => {
      const traces = new Map<string, { readonly round: number; readonly trace: string }>();
      let delays = '';
      let round = 0;
      let lines: string[] = [];
      const close = (): void => {
        if (delays === '' || delays === '[]') return;
        const trace = lines.sort().join('\n');
        const before = traces.get(delays);
        if (before && before.trace !== trace)
          found([timingDeskName], `round ${round} has the delays of round ${before.round} and another trace`);
        if (!before) traces.set(delays, { round, trace });
      };
      return {
        see({ to, event }) {
          if (event.type === 'round.load' && to === timingDeskName) {
            close();
            delays = JSON.stringify(event.records);
            round = event.round;
            lines = [];
          } else if (event.type === 'records.discard') delays = '';
          else if (event.type === 'bench.add') lines.push(JSON.stringify(event.line));
        },
        end: () => {
          if (run.quiet) close();
        },
      };
    }),
);
