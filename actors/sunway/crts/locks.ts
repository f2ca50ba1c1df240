import { returnCode } from '../return-code.ts';
import type { Script } from './primitive.ts';

/** Takes a lock and returns when it is held (specification 6.3). */
export function* takeLock(key: string): Script {
  yield { op: 'lock', key };
  return 0;
}

/** Gives a lock back; a lock that is not held is refused (specification 11, E16). */
export function* giveBack(key: string): Script {
  const right = yield { op: 'unlock', key };
  if (right === 0) yield { op: 'refuse', code: returnCode.E_STATE };
  return 0;
}

/**
 * How often a CPE tries a lock on a word of memory. Each try is a fetch-and-add of 430 cycles: after 43 million cycles, 19 milliseconds of the
 * machine, nobody gives the lock back any more.
 */
export const userLockTriesMax = 100_000;

/** Why such a lock is refused. */
export const userLockNeverFree = `the lock was not free in ${userLockTriesMax} tries; a CPE tries no more often`;

/**
 * Takes a lock on a word of memory: adds 1 until it was 0 (specification 6.3, extension).
 *
 * Details: a CPE that tries again and again never stands still, so no deadlock would be found. One that has tried `userLockTriesMax` times is refused.
 */
export function* takeUserLock(address: number): Script {
  for (let tries = 0; tries < userLockTriesMax; tries++) {
    const before = yield { op: 'add', address, value: 1 };
    if (before === 0) return 0;
  }
  yield { op: 'refuse', code: returnCode.E_STATE };
  return returnCode.E_STATE;
}

/** Gives such a lock back: stores 0 when everything before is in place. A store returns when it is. */
export function* giveUserLockBack(address: number): Script {
  yield { op: 'write', address, data: new Uint8Array(4), flag: true };
  return 0;
}
