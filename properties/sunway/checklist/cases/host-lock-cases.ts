import type { MpeApi, MpeOperation } from '../../../../actors/sunway/mpe-api.ts';
import type { HostCase, HostFailure } from '../function-case.ts';
import { nodeLock } from '../unloaded.ts';
import { aWhile, badAfterInit, beforeInit } from './host-plays.ts';

const lockCases = (
  of: 'of the node' | 'on a variable',
  lock: (h: MpeApi, place: number) => MpeOperation,
  tries: (h: MpeApi, place: number) => MpeOperation,
  unlock: (h: MpeApi, place: number) => MpeOperation,
  bad: HostFailure,
): readonly HostCase[] => {
  const suffix = of === 'of the node' ? '_node' : '';
  return [
    {
      name: `mutex_lock${suffix}`,
      means: `lets one host in ${of}; the other one waits until it is given back`,
      *play(h, place) {
        if (h.cgn === 1) yield h.compute(100);
        const begun = yield h.time_cycle();
        const code = yield lock(h, place);
        const waited = (yield h.time_cycle()) - begun;
        if (h.cgn === 0) yield h.compute(aWhile);
        yield unlock(h, place);
        return [code, waited > aWhile / 2 ? 1 : 0];
      },
      gives: (cgn) => [0, cgn],
      takes: { formula: 'free lock: 450', cycles: nodeLock },
      fails: bad,
    },
    {
      name: `mutex_trylock${suffix}`,
      means: `takes a lock ${of} if it is free, and says 1 at once if it is not`,
      *play(h, place) {
        if (h.cgn === 1) yield h.compute(5000);
        const code = yield tries(h, place);
        if (h.cgn === 0) {
          yield h.compute(aWhile);
          yield unlock(h, place);
        }
        return [code];
      },
      gives: (cgn) => [cgn],
      takes: { formula: 'to the lock and back: 2 while it is held, 450 when it is got', cycles: 2 },
      fails: beforeInit((h) => tries(h, h.memAlloc(8))),
    },
    {
      name: `mutex_unlock${suffix}`,
      means: `gives a lock ${of} to the host that waits longest`,
      *play(h, place) {
        if (h.cgn === 0) yield lock(h, place);
        else yield h.compute(2000);
        if (h.cgn === 1) yield lock(h, place);
        else yield h.compute(aWhile);
        return [yield unlock(h, place)];
      },
      gives: () => [0],
      takes: { formula: 'to the lock and back: 2', cycles: 2 },
      fails: badAfterInit('a lock that nobody holds', 'E_STATE', (h) => unlock(h, h.memAlloc(8))),
    },
  ];
};

/** Locks of hosts (specification 5.4). */
export const hostLockCases: readonly HostCase[] = [
  ...lockCases(
    'of the node',
    (h) => h.mutex_lock_node(),
    (h) => h.mutex_trylock_node(),
    (h) => h.mutex_unlock_node(),
    {
      when: 'its owner takes it again',
      *play(h) {
        yield h.init();
        yield h.mutex_lock_node();
        yield h.mutex_lock_node();
        return [];
      },
      report: /waits for the lock/,
    },
  ),
  ...lockCases(
    'on a variable',
    (h, place) => h.mutex_lock(place),
    (h, place) => h.mutex_trylock(place),
    (h, place) => h.mutex_unlock(place),
    badAfterInit('a variable that is nowhere', 'E_RANGE', (h) => h.mutex_lock(64)),
  ),
];
