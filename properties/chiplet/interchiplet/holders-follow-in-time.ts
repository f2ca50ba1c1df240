import { judged, property } from '../../property.ts';
import { bits, type InterchipletContext, rateOf, saidIn, timingDeskName } from './context.ts';

/** A WRITE of a lock that waits for its SYNC. */
interface Asked {
  readonly uid: number;
}

/** C1: in simulated time a lock is taken after it was given back (chiplet specification 9.5, 14). Clocks are whole: a cycle of the taker is allowed. */
export const holdersFollowInTime = property<InterchipletContext>(
  'a lock is taken in simulated time after it was given back',
  (run, context) =>
    judged(saidIn(run), (found) => {
      const asked = new Map<string, Asked>();
      /** By uid, when it was given back last and by whom. */
      const back = new Map<number, { readonly time: number; readonly by: string }>();
      return {
        see({ from, to, event }) {
          if (event.type === 'round.load' && to === timingDeskName) {
            asked.clear();
            back.clear();
          } else if (event.type === 'command.write') {
            const uid = event.target.x;
            if ((event.description & bits.lock) !== 0) asked.set(from, { uid });
            if ((event.description & bits.unlock) !== 0)
              back.set(uid, { time: event.cycle / rateOf(context, from), by: from });
          } else if (event.type === 'answer.sync') {
            const lock = asked.get(to);
            if (!lock) return;
            asked.delete(to);
            const last = back.get(lock.uid);
            const rate = rateOf(context, to);
            if (last && last.by !== to && (event.cycle + 1) / rate <= last.time)
              found(
                [last.by, to],
                `${to} has lock ${lock.uid} from ${event.cycle / rate} on, ${last.by} gave it back at ${last.time}`,
              );
          }
        },
      };
    }),
);
