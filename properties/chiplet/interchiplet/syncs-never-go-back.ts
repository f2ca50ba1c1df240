import { judged, property } from '../../property.ts';
import { type InterchipletContext, rateOf, saidIn } from './context.ts';

/**
 * C2: SYNC is not before the command that it answers (chiplet specification 14).
 *
 * Details: the cycle is divided by a rate and multiplied again, in doubles, and floored (9.3): for some rates that alone loses a cycle, and
 * what it leaves is what counts.
 */
export const syncsNeverGoBack = property<InterchipletContext>(
  'no process goes on before the cycle of its command',
  (run, context) =>
    judged(saidIn(run), (found) => {
      const issued = new Map<string, number>();
      return {
        see({ from, to, event }) {
          if (event.type === 'command.write' || event.type === 'command.read') issued.set(from, event.cycle);
          if (event.type !== 'answer.sync') return;
          const cycle = issued.get(to);
          if (cycle === undefined) {
            found([to], `${to} is told cycle ${event.cycle} without having asked`);
            return;
          }
          issued.delete(to);
          const rate = rateOf(context, to);
          if (event.cycle < Math.floor((cycle / rate) * rate))
            found([to], `${to} asks in cycle ${cycle} and goes on in cycle ${event.cycle}`);
        },
      };
    }),
);
