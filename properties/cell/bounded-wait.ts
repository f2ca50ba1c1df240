import { arbiterName, type CellProbe, cellProperty, type Tell } from './context.ts';

/** A request that waits, in the order (issue, initiator, id). */
interface Waiting {
  readonly request: Pick<CellProbe<'REQ'>, 't' | 'spu' | 'id' | 'peer' | 'size'>;
  /** The decision in which it became urgent, and the last cycle in which it may start then; infinite before. */
  bound: number;
}

interface Memory {
  waiting: Waiting[];
  /** Requests of this cycle, in the order (initiator, id). */
  newcomers: Waiting[];
  /** Initiator and id of those granted in this cycle. */
  granted: string[];
  /** The greatest size of all requests so far, in bytes. */
  sizeMax: number;
}

/** With bounded waiting, a request that is urgent since τ with a older ones starts by τ + (a+1)·(greatest size) (Cell specification 17.5 and 12, CK-26). */
export const urgentRequestsStartInTime = cellProperty(
  'with bounded waiting every urgent request starts by its bound',
  ['REQ', 'GRANT', 'BARRIER'],
  (): Memory => ({ waiting: [], newcomers: [], granted: [], sizeMax: 0 }),
  ({ header: { N, K, boundedWait } }) => {
    /** How long a request of the pending set may wait until it is urgent. */
    function patience(waiting: readonly Waiting[], factor: number, cap: number | null): number {
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
    function decided(memory: Memory, t: number, factor: number, cap: number | null, found: Tell): void {
      const { waiting, granted, sizeMax } = memory;
      waiting.push(...memory.newcomers);
      memory.newcomers = [];
      const limit = patience(waiting, factor, cap);
      for (const [older, one] of waiting.entries()) {
        const { t: issue, spu, id } = one.request;
        if (one.bound === Number.POSITIVE_INFINITY && t - issue >= limit)
          one.bound = t + 1 + (older + 1) * sizeMax;
        // Who is not granted now starts in the cycle after the next one at the earliest.
        const start = granted.includes(`${spu} ${id}`) ? t + 1 : t + 2;
        if (start <= one.bound) continue;
        found([arbiterName], `request ${id} of SPU ${spu} had to start by cycle ${one.bound}`);
        one.bound = Number.MAX_VALUE;
      }
      memory.waiting = waiting.filter(({ request }) => !granted.includes(`${request.spu} ${request.id}`));
      memory.granted = [];
    }

    return {
      judges: ({ type }) => boundedWait !== null && type === 'REQ',
      see(memory, event, found) {
        if (boundedWait === null) return;
        if (event.type === 'GRANT') memory.granted.push(`${event.spu} ${event.id}`);
        else if (event.type === 'BARRIER')
          decided(memory, event.t, boundedWait.factor, boundedWait.cap, found);
        else if (event.size > 0) {
          const { t, spu, id, peer, size } = event;
          memory.newcomers.push({ request: { t, spu, id, peer, size }, bound: Number.POSITIVE_INFINITY });
          memory.newcomers.sort((a, b) => a.request.spu - b.request.spu || a.request.id - b.request.id);
          memory.sizeMax = Math.max(memory.sizeMax, size);
        }
      },
    };
  },
);
