/** What a program does to a handler-safe lock, or to the running of handlers as a whole (TCA specification 20, C17). */
export type LockAction =
  | 'init'
  | 'destroy'
  | 'lock'
  | 'trylock'
  | 'unlock'
  | 'holdInterrupts'
  | 'resumeInterrupts';

/** The handler-safe locks of a node. */
export interface Locks {
  known: number[];
  /** Those that are held, the latest last, and since when. */
  held: { readonly lock: number; readonly since: number }[];
  /** Since when handlers are held off; null when they are not. */
  interruptsSince: number | null;
}

/** No locks. */
export const noLocks = (): Locks => ({ known: [], held: [], interruptsSince: null });

/** True while nothing may be sent and nobody may look at the rings. */
export const holdsSomething = ({ held, interruptsSince }: Locks): boolean =>
  held.length > 0 || interruptsSince !== null;

/** What an action comes to: what is wrong with it, or since when what it ends was held. */
export interface LockOutcome {
  readonly wrong?: string;
  readonly since?: number;
}

/**
 * Carries out an action, unless it is illegal.
 *
 * Details: on a node one thing goes on at a time, and handlers run only when no lock is held: a lock that is held already is held by the one who asks.
 */
export function actOnLock(locks: Locks, action: LockAction, lock: number, now: number): LockOutcome {
  const { known, held } = locks;
  const isKnown = known.includes(lock);
  const isHeld = held.some((one) => one.lock === lock);
  switch (action) {
    case 'init':
      if (isKnown) return { wrong: `lock ${lock} is made a second time` };
      known.push(lock);
      return {};
    case 'destroy':
      if (!isKnown) return { wrong: `lock ${lock} is destroyed, and there is none` };
      if (isHeld) return { wrong: `lock ${lock} is destroyed while it is held` };
      known.splice(known.indexOf(lock), 1);
      return {};
    case 'lock':
    case 'trylock':
      if (!isKnown) return { wrong: `lock ${lock} is taken, and there is none` };
      if (isHeld) return { wrong: `lock ${lock} is taken by the one who holds it` };
      held.push({ lock, since: now });
      return {};
    case 'unlock': {
      if (!isHeld) return { wrong: `lock ${lock} is given back, and nobody holds it` };
      const last = held.at(-1)!;
      if (last.lock !== lock)
        return { wrong: `lock ${lock} is given back before lock ${last.lock}, which was taken later` };
      held.pop();
      return { since: last.since };
    }
    case 'holdInterrupts':
      if (locks.interruptsSince !== null) return { wrong: 'handlers are held off a second time' };
      locks.interruptsSince = now;
      return {};
    case 'resumeInterrupts': {
      const since = locks.interruptsSince;
      if (since === null) return { wrong: 'handlers are let on, and nobody holds them off' };
      if (held.length > 0) return { wrong: 'handlers are let on while a lock is held' };
      locks.interruptsSince = null;
      return { since };
    }
    default:
      return action satisfies never;
  }
}

/** Sub-ticks after which a hold is too long: 100 us. The specification leaves the number open. */
export const holdSubTicksMax = 400_000;
