import { type RingBoard, type RingDirection, segmentNodeCount } from '../rings.ts';
import type { ArbitrationView, Grant, PendingRequest, Policy, PolicySpec, PolicyState } from './policy.ts';
import { Round } from './round.ts';

/** The fairness option of Cell specification 17.5. */
export interface BoundedWait {
  /** How many times the backlog, in cycles, a request waits before it becomes urgent; at least 0. */
  readonly factor: number;
  /** Cycles of waiting after which a request becomes urgent in any case, at least 0; null for no such limit. */
  readonly cap: number | null;
}

type BoundedWaitState = PolicyState & {
  /** Requests issued up to this cycle are urgent; -1 at first. */
  urgentThrough: number;
  inner: PolicyState;
};

/**
 * The wait, in cycles, from which on a request is urgent by the backlog: U of Cell specification 17.5, at least 1.
 */
export function urgentWait(N: number, K: number, pending: readonly PendingRequest[], factor: number): number {
  let nodeCycles = 0;
  let largest = 0;
  for (const { src, dst, size } of pending) {
    nodeCycles += size * Math.min(segmentNodeCount(N, 0, src, dst), segmentNodeCount(N, 1, src, dst));
    largest = Math.max(largest, size);
  }
  return Math.floor(factor * (nodeCycles / (2 * K * N) + largest)) + 1;
}

/**
 * Wraps any policy so that no request starves: urgent requests start before the others, oldest first, and the first that cannot start gets a
 * segment held for it (Cell specification 17.5).
 *
 * *Details*: who has waited longer was issued earlier, so the urgent requests are always the head of the FIFO list, and the set
 * that "stays so" is one number: the last urgent issue cycle. RangeError for a negative factor or cap.
 */
export function boundedWait(spec: PolicySpec, inner: Policy, { factor, cap }: BoundedWait): Policy {
  if (!(factor >= 0))
    throw new RangeError(`boundedWait.factor is ${factor}, expected a number of at least 0`);
  if (cap !== null && !(cap >= 0))
    throw new RangeError(`boundedWait.cap is ${cap}, expected null or a number of at least 0`);
  const { N, K } = spec;
  const round = new Round(spec);
  return {
    name: `${inner.name} with bounded wait`,
    workConserving: false,
    // Waiting alone makes a request urgent.
    decidesOnlyOnChange: false,
    restsAfterEmptyRound: false,
    initialState: (): BoundedWaitState => ({ urgentThrough: -1, inner: inner.initialState() }),
    decide(view, anyState) {
      const state = anyState as BoundedWaitState;
      const { t, pending } = view;
      const limit = urgentWait(N, K, pending, factor);
      state.urgentThrough = Math.max(
        state.urgentThrough,
        t - 1 - (cap === null ? limit : Math.min(limit, cap)),
      );
      if (pending.length === 0 || pending[0]!.issue > state.urgentThrough)
        return inner.decide(view, state.inner);
      round.begin(view);
      let started = 0;
      for (; started < pending.length && pending[started]!.issue <= state.urgentThrough; started++) {
        if (!startOrHold(round, pending[started]!, started, t)) break;
      }
      const rest: ArbitrationView = { t, N, K, board: round.board, pending: pending.slice(started) };
      const later = inner.decide(rest, state.inner);
      return [...round.grants, ...later.map((grant): Grant => ({ ...grant, index: grant.index + started }))];
    },
  };
}

/** Starts an urgent request in cycle `t` and says true, or holds the segment that is free first and says false. */
function startOrHold(round: Round, request: PendingRequest, index: number, t: number): boolean {
  const { N } = round.board;
  const { src, dst } = request;
  const up = segmentNodeCount(N, 0, src, dst);
  const down = segmentNodeCount(N, 1, src, dst);
  const short: RingDirection = up <= down ? 0 : 1;
  const long: RingDirection = short === 0 ? 1 : 0;
  const [shortNodes, longNodes] = short === 0 ? [up, down] : [down, up];
  const shortRing = firstFreeRing(round.board, short, src, shortNodes, t);
  const longRing = firstFreeRing(round.board, long, src, longNodes, t);
  const shortFree = round.board.latestFree(short, shortRing, src, shortNodes);
  const longFree = round.board.latestFree(long, longRing, src, longNodes);
  const detour = Math.max(t, longFree) < Math.max(t, shortFree);
  const [dir, ring, nodes, free] = detour
    ? ([long, longRing, longNodes, longFree] as const)
    : ([short, shortRing, shortNodes, shortFree] as const);
  if (free <= t) {
    round.grant(request, index, dir, ring, nodes);
    return true;
  }
  round.own();
  round.board.hold(dir, ring, src, nodes, free);
  return false;
}

/** The ring of `dir` whose segment is free first, from cycle `t` on; the lowest of equals. */
function firstFreeRing(board: RingBoard, dir: RingDirection, src: number, nodes: number, t: number): number {
  let best = 0;
  let bestFree = Number.POSITIVE_INFINITY;
  for (let ring = 0; ring < board.K; ring++) {
    const free = Math.max(t, board.latestFree(dir, ring, src, nodes));
    if (free >= bestFree) continue;
    best = ring;
    bestFree = free;
  }
  return best;
}
