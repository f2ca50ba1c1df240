import type { LockGrant } from '../../actors/sunway/messages.ts';
import { type Found, together } from '../../kernel/explore/observer.ts';
import { sunwayProperty } from './context.ts';

/** A lock that somebody holds or waits for: the core that was told it holds it, and who waits, in their order. */
interface Lock {
  readonly key: string;
  holder: string | null;
  readonly waiting: string[];
}

interface Memory {
  /** By unit and key. */
  readonly locks: Record<string, Lock>;
}

/** A lock has one holder at a time, and is granted in the order in which it was asked for (Sunway specification 6.3; 12, P9). */
export const locksExclude = sunwayProperty(
  'a lock has one holder at a time, in the order of the requests, and every request is granted in the end',
  ['lock.request', 'lock.grant', 'lock.release'],
  () => ({
    begin: (): Memory => ({ locks: {} }),
    see({ locks }: Memory, event, to, from) {
      const { key } = event;
      const name = `${event.type === 'lock.grant' ? from : to} ${key}`;
      locks[name] ??= { key, holder: null, waiting: [] };
      const lock = locks[name];
      let found: Found | undefined;
      if (event.type === 'lock.request') lock.waiting.push(from);
      else if (event.type === 'lock.grant') found = grant(lock, event, to);
      else if (lock.holder === from) lock.holder = null;
      if (lock.holder === null && lock.waiting.length === 0) delete locks[name];
      return found;
    },
    pending: ({ locks }: Memory) =>
      Object.keys(locks)
        .sort()
        .map((name) => ({ name, ...locks[name]! }))
        .filter(({ holder, waiting }) => holder === null && waiting.length > 0)
        .map(({ name, key, waiting }) => ({
          key: `${name}: ${waiting[0]}`,
          actors: waiting,
          why: `nobody holds lock ${key}, and they wait for it`,
        })),
  }),
);

/** Somebody is told whether it has the lock. */
function grant(lock: Lock, { key, held }: LockGrant, to: string): Found | undefined {
  const at = lock.waiting.indexOf(to);
  if (at < 0) return { actors: [to], why: `it is answered about lock ${key}, for which it has not asked` };
  lock.waiting.splice(at, 1);
  if (!held) return undefined;
  const all: Found[] = [];
  if (lock.holder !== null) all.push({ actors: [lock.holder, to], why: `both hold lock ${key}` });
  if (at > 0)
    all.push({ actors: [to], why: `it gets lock ${key} before ${lock.waiting[0]}, which asked earlier` });
  lock.holder = to;
  return together(all);
}
