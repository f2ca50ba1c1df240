import { RingBoard, segmentNodeCount } from '../rings.ts';
import { chooseRow } from './placement-rule.ts';
import type { ArbitrationView, Grant, PendingRequest, Policy, PolicySpec, PolicyState } from './policy.ts';
import { nextRandom, randomState } from './random.ts';
import { SerialPlan } from './serial-plan.ts';

/** Changes tried in one decision; four times as many gained under 1 % on generated instances. */
const changesMax = 200;

/** A plan places, and a change moves, the first requests of an order only; longer plans were no better on generated instances. */
const horizonRequests = 32;

/** Weight of a byte of size against a cycle of age in the first order, as in Cell specification 17.3. */
const waitPerByte = 50;

type PlanState = PolicyState & {
  /** State of the random numbers. */
  random: number;
  /** Tickets of the requests left waiting, in the order of the best plan so far. */
  order: number[];
  /** Ticket of the newest request seen, how many were left, and the first cycle in which a transfer will be over. */
  newest: number;
  left: number;
  release: number;
};

/**
 * The premium policy: searches for the order of the pending requests with the smallest sum of waits, and carries out what its
 * best plan starts now (Cell specification 17.4, with a wider search: plans may idle on purpose, and the order of the
 * last decision is improved further instead of being thrown away).
 *
 * *Details*: online and repeatable: it knows issued requests only, and its random numbers come from the seed. It decides in cycles with an
 * arrival or a completion; asked in others it grants nothing. O(200 * 32 * K * N + P * K * N) a decision at worst,
 * without the sort.
 */
export function sjfPlan(spec: PolicySpec, seed: number): Policy {
  const { N, K } = spec;
  const plan = new SerialPlan(spec);
  const simulated = new RingBoard(N, K);
  let order = new Int32Array(64);
  let trial = new Int32Array(64);
  let bestStart = new Float64Array(64);
  let bestRow = new Int32Array(64);
  let bestSum = 0;

  function offer(candidate: Int32Array, count: number): void {
    const sum = plan.evaluate(candidate, Math.min(count, horizonRequests), bestSum);
    if (sum === Number.POSITIVE_INFINITY) return;
    bestSum = sum;
    order.set(candidate.subarray(0, count));
    bestStart.set(plan.start);
    bestRow.set(plan.row);
  }

  function makeRoom(count: number): void {
    plan.reserveRoom(count);
    if (bestStart.length === plan.start.length) return;
    order = new Int32Array(plan.start.length);
    trial = new Int32Array(plan.start.length);
    bestStart = new Float64Array(plan.start.length);
    bestRow = new Int32Array(plan.start.length);
  }

  /** Tries changes of the best order, keeping those that are no worse; returns the new random state. */
  function search(count: number, random: number): number {
    const window = Math.min(count, horizonRequests);
    if (window < 2) return random;
    for (let change = 0; change < changesMax && bestSum > 0; change++) {
      random = nextRandom(random);
      const from = random % window;
      random = nextRandom(random);
      const to = random % window;
      random = nextRandom(random);
      if (from === to) continue;
      for (let rank = 0; rank < count; rank++) trial[rank] = order[rank]!;
      const moved = order[from]!;
      if (random & 0x10000) trial[from] = order[to]!;
      else if (from < to) trial.copyWithin(from, from + 1, to + 1);
      else trial.copyWithin(to + 1, to, from);
      trial[to] = moved;
      offer(trial, count);
    }
    return random;
  }

  return {
    name: 'sjf-plan',
    workConserving: false,
    decidesOnlyOnChange: true,
    restsAfterEmptyRound: true,
    initialState: (): PlanState => ({
      random: randomState(seed),
      order: [],
      newest: -1,
      left: 0,
      release: 0,
    }),
    decide(view, anyState) {
      const state = anyState as PlanState;
      const { pending, board, t } = view;
      board.advance(t);
      const count = pending.length;
      if (count === 0) return [];
      const newest = ticket(pending[count - 1]!);
      if (count === state.left && newest === state.newest && t < state.release) return [];
      state.newest = newest;
      state.left = count;
      state.release = Math.min(board.nextRelease(), Number.MAX_SAFE_INTEGER);
      if (!pending.some((request) => fitsSomewhere(board, request))) return [];

      makeRoom(count);
      plan.load(view);
      bestSum = Number.MAX_VALUE;
      const bySize = sortedBySize(pending);
      offer(listOrder(view, bySize, simulated), count);
      offer(Int32Array.from(bySize), count);
      if (state.order.length > 0) offer(lastOrder(pending, bySize, state.order), count);
      state.random = search(count, state.random);

      const grants: Grant[] = [];
      state.order = [];
      for (let rank = 0; rank < count; rank++) {
        const index = order[rank]!;
        const request = pending[index]!;
        const row = bestRow[index]!;
        const dir = row < K ? 0 : 1;
        const ring = row - dir * K;
        const nodes = segmentNodeCount(N, dir, request.src, request.dst);
        // The plan knows nothing of a hold, so what it starts now is asked of the board once more.
        if (
          rank < horizonRequests &&
          bestStart[index] === t &&
          board.fits(dir, ring, request.src, nodes, request.size)
        ) {
          grants.push({ index, dir, ring });
          state.release = Math.min(state.release, t + request.size);
        } else state.order.push(ticket(request));
      }
      state.left = count - grants.length;
      state.newest = state.left === 0 ? -1 : newestLeft(pending, grants);
      return grants;
    },
  };
}

/** One number a request: initiators stay below 2^10 and ids below 2^32. */
function ticket(request: PendingRequest): number {
  return request.initiator * 2 ** 32 + request.id;
}

function newestLeft(pending: readonly PendingRequest[], grants: readonly Grant[]): number {
  const granted = new Set(grants.map((grant) => grant.index));
  let index = pending.length - 1;
  while (granted.has(index)) index -= 1;
  return ticket(pending[index]!);
}

function fitsSomewhere(board: RingBoard, { src, dst }: PendingRequest): boolean {
  return (
    board.longestRun(0, src) >= segmentNodeCount(board.N, 0, src, dst) ||
    board.longestRun(1, src) >= segmentNodeCount(board.N, 1, src, dst)
  );
}

function ageKey(request: PendingRequest): number {
  return waitPerByte * request.size + request.issue;
}

function sortedBySize(pending: readonly PendingRequest[]): number[] {
  return pending.map((_, index) => index).sort((a, b) => ageKey(pending[a]!) - ageKey(pending[b]!) || a - b);
}

/** The order in which `sjf-detour` would start the requests if no others came. */
function listOrder(view: ArbitrationView, bySize: readonly number[], board: RingBoard): Int32Array {
  const { N, K, pending } = view;
  const order = new Int32Array(pending.length);
  let started = 0;
  let waiting = bySize;
  board.copyFrom(view.board);
  while (waiting.length > 0 && started < horizonRequests) {
    const still: number[] = [];
    for (const index of waiting) {
      const request = pending[index]!;
      const row = fitsSomewhere(board, request)
        ? chooseRow(board, request, pending.length - started - 1)
        : -1;
      if (row < 0) {
        still.push(index);
        continue;
      }
      const dir = row < K ? 0 : 1;
      const nodes = segmentNodeCount(N, dir, request.src, request.dst);
      board.reserve(dir, row - dir * K, request.src, nodes, board.now + request.size);
      order[started++] = index;
    }
    waiting = still;
    if (waiting.length > 0) board.advance(board.nextRelease());
  }
  order.set(waiting, started);
  return order;
}

/** The order of the last decision, with the newcomers put before the first request that is larger in the order by size. */
function lastOrder(
  pending: readonly PendingRequest[],
  bySize: readonly number[],
  last: readonly number[],
): Int32Array {
  const waiting = new Map<number, number>();
  for (let index = 0; index < pending.length; index++) waiting.set(ticket(pending[index]!), index);
  const order: number[] = [];
  for (const known of last) {
    const index = waiting.get(known);
    if (index === undefined) continue;
    order.push(index);
    waiting.delete(known);
  }
  for (const index of bySize) {
    const request = pending[index]!;
    if (!waiting.has(ticket(request))) continue;
    const larger = order.findIndex((other) => ageKey(pending[other]!) > ageKey(request));
    order.splice(larger < 0 ? order.length : larger, 0, index);
  }
  return Int32Array.from(order);
}
