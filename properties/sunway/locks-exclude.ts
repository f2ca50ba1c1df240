import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';

/** A lock has one holder at a time, and is granted in the order in which it was asked for (Sunway specification 6.3; 12, P9). */
export const locksExclude = property<SunwayPropertyContext>(
  'a lock has one holder at a time, in the order of the requests, and every request is granted in the end',
  (run) =>
    judged(said(run, 'lock.request', 'lock.grant', 'lock.release'), (found) => {
      /** By unit and key: the core that was told it holds it, and who waits, in their order. */
      const locks = new Map<string, { holder: string | null; waiting: string[] }>();
      const of = (unit: string, key: string) => {
        const name = `${unit} ${key}`;
        const known = locks.get(name) ?? { holder: null, waiting: [] };
        locks.set(name, known);
        return known;
      };
      return {
        see({ from, to, event }) {
          if (event.type === 'lock.request') {
            of(to, event.key).waiting.push(from);
            return;
          }
          if (event.type === 'lock.release') {
            const lock = of(to, event.key);
            if (lock.holder === from) lock.holder = null;
            return;
          }
          const lock = of(from, event.key);
          const at = lock.waiting.indexOf(to);
          if (at < 0) {
            found([to], `it is answered about lock ${event.key}, for which it has not asked`);
            return;
          }
          lock.waiting.splice(at, 1);
          if (!event.held) return;
          if (lock.holder !== null) found([lock.holder, to], `both hold lock ${event.key}`);
          if (at > 0) found([to], `it gets lock ${event.key} before ${lock.waiting[0]}, which asked earlier`);
          lock.holder = to;
        },
        end() {
          if (!run.quiet) return;
          for (const [name, { holder, waiting }] of locks)
            if (holder === null && waiting.length > 0)
              found(waiting, `nobody holds lock ${name.split(' ')[1]}, and they wait for it`);
        },
      };
    }),
);
