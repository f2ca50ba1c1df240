import { filter, map, merge } from 'rxjs';
import type { RoundLoad } from '../../../actors/chiplet/interchiplet/round-messages.ts';
import { judged, property, type RunStreams } from '../../property.ts';
import { bits, functionalDeskName, type InterchipletContext, keyOf, saidIn } from './context.ts';

/** The recorded order of each lock: sources by cycle plus latency until arrival. */
function ordersOf({ records }: RoundLoad): Map<number, string[]> {
  const arrivals = records
    .filter(({ description }) => (description & bits.lock) !== 0)
    .map(({ source, target, cycle, latencies }) => ({
      uid: target.x,
      source: keyOf(source),
      at: cycle + latencies[1]!,
    }))
    .sort((one, other) => one.at - other.at);
  const orders = new Map<number, string[]>();
  for (const { uid, source } of arrivals) orders.set(uid, [...(orders.get(uid) ?? []), source]);
  return orders;
}

const discarded = 'discarded' as const;

/** Shown in the moment in which the functional desk discards the orders: an answer may overtake what it tells the other desk. */
const discards = (run: RunStreams) =>
  run.probes$.pipe(
    filter(({ probe }) => probe.type === 'order.warning'),
    map((): typeof discarded => discarded),
  );

/** C1: from RESULT of LOCK to UNLOCK a lock has one holder, and holders follow the recorded order (chiplet specification 9.4, 14). */
export const locksHaveOneHolder = property<InterchipletContext>(
  'a lock has one holder at a time, in the recorded order',
  (run) =>
    judged(merge(saidIn(run), discards(run)), (found) => {
      const holders = new Map<number, string>();
      const asked = new Map<string, { readonly uid: number; readonly source: string }>();
      let orders = new Map<number, string[]>();
      return {
        see(seen) {
          if (seen === discarded) {
            orders = new Map();
            return;
          }
          const { from, to, event } = seen;
          if (event.type === 'round.load' && to === functionalDeskName) {
            orders = ordersOf(event);
            holders.clear();
            asked.clear();
          } else if (event.type === 'command.lock')
            asked.set(from, { uid: event.uid, source: keyOf(event.source) });
          else if (event.type === 'command.unlock') holders.delete(event.uid);
          else if (event.type === 'answer.result') {
            const lock = asked.get(to);
            if (!lock) return;
            asked.delete(to);
            const holder = holders.get(lock.uid);
            const turn = orders.get(lock.uid)?.shift();
            if (holder === to) return;
            if (holder !== undefined)
              found([holder, to], `lock ${lock.uid} is granted to ${to} while ${holder} holds it`);
            holders.set(lock.uid, to);
            if (turn !== undefined && turn !== lock.source)
              found([to], `lock ${lock.uid} is granted to (${lock.source}), the turn is that of (${turn})`);
          }
        },
      };
    }),
);
