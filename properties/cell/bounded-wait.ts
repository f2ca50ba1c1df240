import { judged, property } from '../property.ts';
import { arbiterName, type CellContext, type CellProbe, shown } from './context.ts';

/** A request that waits, in the order (issue, initiator, id). */
interface Waiting {
  readonly request: CellProbe<'REQ'>;
  /** The decision in which it became urgent, and the last cycle in which it may start then; infinite before. */
  bound: number;
}

/** With bounded waiting, a request that is urgent since τ with a older ones starts by τ + (a+1)·(greatest size) (Cell specification 17.5 and 12, CK-26). */
export const urgentRequestsStartInTime = property<CellContext>(
  'with bounded waiting every urgent request starts by its bound',
  (run, { header: { N, K, boundedWait } }) =>
    judged(shown(run, 'REQ', 'GRANT', 'BARRIER'), (found) => {
      let waiting: Waiting[] = [];
      let newcomers: Waiting[] = [];
      let granted = new Set<string>();
      let sizeMax = 0;

      /** How long a request of the pending set may wait until it is urgent. */
      function patience(factor: number, cap: number | null): number {
        let nodeCycles = 0;
        let largest = 0;
        for (const { request } of waiting) {
          const hops = (request.peer - request.spu + N) % N;
          nodeCycles += request.size * (Math.min(hops, N - hops) + 1);
          largest = Math.max(largest, request.size);
        }
        return Math.min(
          Math.floor(factor * (nodeCycles / (2 * K * N) + largest)) + 1,
          cap ?? Number.POSITIVE_INFINITY,
        );
      }

      /** Judges the decision at the end of cycle t, which was about starts in cycle t + 1. */
      function decided(t: number, factor: number, cap: number | null): void {
        waiting.push(
          ...newcomers.sort((a, b) => a.request.spu - b.request.spu || a.request.id - b.request.id),
        );
        newcomers = [];
        const limit = patience(factor, cap);
        for (const [older, one] of waiting.entries()) {
          const { t: issue, spu, id } = one.request;
          if (one.bound === Number.POSITIVE_INFINITY && t - issue >= limit)
            one.bound = t + 1 + (older + 1) * sizeMax;
          // Who is not granted now starts in the cycle after the next one at the earliest.
          const start = granted.has(`${spu} ${id}`) ? t + 1 : t + 2;
          if (start <= one.bound) continue;
          found([arbiterName], `request ${id} of SPU ${spu} had to start by cycle ${one.bound}`);
          one.bound = Number.MAX_VALUE;
        }
        waiting = waiting.filter(({ request }) => !granted.has(`${request.spu} ${request.id}`));
        granted = new Set();
      }

      return {
        see(event) {
          if (boundedWait === null) return;
          if (event.type === 'GRANT') granted.add(`${event.spu} ${event.id}`);
          else if (event.type === 'BARRIER') decided(event.t, boundedWait.factor, boundedWait.cap);
          else if (event.size > 0) {
            newcomers.push({ request: event, bound: Number.POSITIVE_INFINITY });
            sizeMax = Math.max(sizeMax, event.size);
          }
        },
      };
    }),
);
