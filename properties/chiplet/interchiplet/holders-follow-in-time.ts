import { bits, type InterchipletContext, judging, rateOf, timingCoordinatorName } from './context.ts';

interface Locks {
  /** By process: the lock whose WRITE waits for its SYNC. */
  asked: Record<string, number>;
  /** By uid, when it was given back last and by whom. */
  back: Record<number, { readonly time: number; readonly by: string }>;
}

/** C1: in simulated time a lock is taken after it was given back (chiplet specification 9.5, 14). Clocks are whole: a cycle of the taker is allowed. */
export const holdersFollowInTime = (context: InterchipletContext) =>
  judging({
    sentence: 'a lock is taken in simulated time after it was given back',
    watches: ['round.load', 'command.write', 'answer.sync'],
    judges: (event) =>
      event.type === 'command.write' && (event.description & (bits.lock | bits.unlock)) !== 0,
    begin: (): Locks => ({ asked: {}, back: {} }),
    see(locks, { from, to: actor, event }, tell) {
      if (event.type === 'round.load') {
        if (actor === timingCoordinatorName) Object.assign(locks, { asked: {}, back: {} });
      } else if (event.type === 'command.write') {
        const uid = event.target.x;
        if ((event.description & bits.lock) !== 0) locks.asked[from] = uid;
        if ((event.description & bits.unlock) !== 0)
          locks.back[uid] = { time: event.cycle / rateOf(context, from), by: from };
      } else {
        const uid = locks.asked[actor];
        if (uid === undefined) return;
        delete locks.asked[actor];
        const last = locks.back[uid];
        const rate = rateOf(context, actor);
        if (last && last.by !== actor && (event.cycle + 1) / rate <= last.time)
          tell(
            [last.by, actor],
            `${actor} has lock ${uid} from ${event.cycle / rate} on, ${last.by} gave it back at ${last.time}`,
          );
      }
    },
  });
