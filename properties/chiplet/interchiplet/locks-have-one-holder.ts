import type { RoundLoad } from '../../../actors/chiplet/interchiplet/round-messages.ts';
import { listOf } from '../../judging.ts';
import { bits, functionalCoordinatorName, judging, keyOf } from './context.ts';

interface Locks {
  /** By uid: who holds it. */
  holders: Record<number, string>;
  /** By process: the lock that it waits for, and its place. */
  asked: Record<string, { readonly uid: number; readonly source: string }>;
  /** By uid: the places in the order in which they must get it. */
  orders: Record<string, string[]>;
}

/** The recorded order of each lock: sources by cycle plus latency until arrival. */
function ordersOf({ records }: RoundLoad): Locks['orders'] {
  const arrivals = records
    .filter(({ description }) => (description & bits.lock) !== 0)
    .map(({ source, target, cycle, latencies }) => ({
      uid: target.x,
      source: keyOf(source),
      at: cycle + latencies[1]!,
    }))
    .sort((one, other) => one.at - other.at);
  const orders: Locks['orders'] = {};
  for (const { uid, source } of arrivals) listOf(orders, String(uid)).push(source);
  return orders;
}

/**
 * C1: from RESULT of LOCK to UNLOCK a lock has one holder, and holders follow the recorded order (chiplet specification 9.4, 14).
 *
 * Details: the functional coordinator shows a warning in the moment in which it discards the orders: an answer may overtake what it tells the other coordinator.
 */
export const locksHaveOneHolder = () =>
  judging({
    sentence: 'a lock has one holder at a time, in the recorded order',
    watches: ['round.load', 'command.lock', 'command.unlock', 'answer.result', 'order.warning'],
    judges: ({ type }) => type.startsWith('command.'),
    begin: (): Locks => ({ holders: {}, asked: {}, orders: {} }),
    see(locks, { from, to: actor, event }, tell) {
      const { holders, asked } = locks;
      if (event.type === 'order.warning') locks.orders = {};
      else if (event.type === 'round.load') {
        if (actor === functionalCoordinatorName)
          Object.assign(locks, { holders: {}, asked: {}, orders: ordersOf(event) });
      } else if (event.type === 'command.lock') asked[from] = { uid: event.uid, source: keyOf(event.source) };
      else if (event.type === 'command.unlock') delete holders[event.uid];
      else {
        const lock = asked[actor];
        if (!lock) return;
        delete asked[actor];
        const holder = holders[lock.uid];
        const turn = locks.orders[lock.uid]?.shift();
        if (holder === actor) return;
        if (holder !== undefined)
          tell([holder, actor], `lock ${lock.uid} is granted to ${actor} while ${holder} holds it`);
        holders[lock.uid] = actor;
        if (turn !== undefined && turn !== lock.source)
          tell([actor], `lock ${lock.uid} is granted to (${lock.source}), the turn is that of (${turn})`);
      }
    },
  });
