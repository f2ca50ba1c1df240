import { RingBoard, segmentNodeCount } from '../rings.ts';
import { chooseRow } from './placement-rule.ts';
import type { ArbitrationView, Grant, PendingRequest, Policy, PolicySpec, PolicyState } from './policy.ts';
import { nextRandom, randomState } from './random.ts';
import { SerialPlan } from './serial-plan.ts';

/** Changes tried in one decision; four times as many gained under 1 % on generated instances. */
const changesMax = 200;

/**
 * Cells of the rings that the plans of one decision may look at before it settles for the best one so far. A cell takes some nanoseconds, so
 * that a decision stays below a millisecond on rings of any size (Cell specification 17.7, G5); rings of 16 nodes hardly ever come so far.
 */
const probedMax = 120_000;

/** A plan orders these first requests only; longer plans were no better on generated instances. */
const horizonRequests = 32;

/** Weight of a byte of size against a cycle of age in the first order, as in Cell specification 17.3. */
const waitPerByte = 50;

type PlanState = PolicyState & {
  /** State of the random numbers. */
  random: number;
  /** Tickets of the requests that the best plan so far left waiting, in its order. */
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
 * arrival or a completion; asked in others it grants nothing. A decision looks at P requests to sort them, and at a bounded number of cells
 * of the rings to plan them.
 */
export function sjfPlan(spec: PolicySpec, seed: number): Policy {
  const { N, K } = spec;
  const plan = new SerialPlan(spec);
  const simulated = new RingBoard(N, K);
  const order = new Int32Array(horizonRequests);
  const trial = new Int32Array(horizonRequests);
  /** Planned start cycle and row of each place of `order`. */
  const bestStart = new Float64Array(horizonRequests);
  const bestRow = new Int32Array(horizonRequests);
  let bestSum = 0;
  let keys = new Float64Array(64);
  let bySize = new Int32Array(64);

  function offer(candidate: Int32Array, count: number): void {
    const sum = plan.evaluate(candidate, count, bestSum);
    if (sum === Number.POSITIVE_INFINITY) return;
    bestSum = sum;
    order.set(candidate);
    for (let rank = 0; rank < count; rank++) {
      bestStart[rank] = plan.start[candidate[rank]!]!;
      bestRow[rank] = plan.row[candidate[rank]!]!;
    }
  }

  /** Tries changes of the best order, keeping those that are no worse; returns the new random state. */
  function search(count: number, random: number): number {
    if (count < 2) return random;
    for (let change = 0; change < changesMax && bestSum > 0 && plan.probed < probedMax; change++) {
      random = nextRandom(random);
      const from = random % count;
      random = nextRandom(random);
      const to = random % count;
      random = nextRandom(random);
      if (from === to) continue;
      trial.set(order);
      const moved = order[from]!;
      if (random & 0x10000) trial[from] = order[to]!;
      else if (from < to) trial.copyWithin(from, from + 1, to + 1);
      else trial.copyWithin(to + 1, to, from);
      trial[to] = moved;
      offer(trial, count);
    }
    return random;
  }

  /** Fills `bySize` with the indices of the pending requests, small and old ones first, ties in the order of the list. */
  function sortBySize(pending: readonly PendingRequest[]): void {
    const count = pending.length;
    if (keys.length < count) {
      keys = new Float64Array(2 * count);
      bySize = new Int32Array(2 * count);
    }
    const oldest = pending[0]!.issue;
    let stride = 1;
    while (stride < count) stride *= 2;
    // The place in the list in the low digits makes keys different; a power of two divides them exactly.
    for (let index = 0; index < count; index++)
      keys[index] = (ageKey(pending[index]!) - oldest) * stride + index;
    keys.subarray(0, count).sort();
    for (let rank = 0; rank < count; rank++)
      bySize[rank] = keys[rank]! - Math.floor(keys[rank]! / stride) * stride;
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

      plan.load(view);
      sortBySize(pending);
      bestSum = Number.MAX_VALUE;
      const window = Math.min(count, horizonRequests);
      const sorted = bySize.subarray(0, count);
      offer(listOrder(view, sorted, simulated), window);
      offer(sorted.subarray(0, window), window);
      if (state.order.length > 0) offer(lastOrder(pending, sorted, state.order), window);
      state.random = search(window, state.random);

      const grants: Grant[] = [];
      state.order = [];
      for (let rank = 0; rank < window; rank++) {
        const index = order[rank]!;
        const request = pending[index]!;
        const row = bestRow[rank]!;
        const dir = row < K ? 0 : 1;
        const ring = row - dir * K;
        const nodes = segmentNodeCount(N, dir, request.src, request.dst);
        // The plan knows nothing of a hold, so what it starts now is asked of the board once more.
        if (bestStart[rank] === t && board.fits(dir, ring, request.src, nodes, request.size)) {
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

/** The first requests that `sjf-detour` would start if no others came, in its order. */
function listOrder(view: ArbitrationView, bySize: Int32Array, board: RingBoard): Int32Array {
  const { N, K, pending } = view;
  const order = new Int32Array(Math.min(pending.length, horizonRequests));
  let started = 0;
  const waiting = bySize.slice();
  let left = waiting.length;
  board.copyFrom(view.board);
  while (left > 0) {
    let kept = 0;
    for (let rank = 0; rank < left; rank++) {
      const index = waiting[rank]!;
      const request = pending[index]!;
      const row = fitsSomewhere(board, request)
        ? chooseRow(board, request, pending.length - started - 1)
        : -1;
      if (row < 0) {
        waiting[kept++] = index;
        continue;
      }
      const dir = row < K ? 0 : 1;
      const nodes = segmentNodeCount(N, dir, request.src, request.dst);
      board.reserve(dir, row - dir * K, request.src, nodes, board.now + request.size);
      order[started++] = index;
      if (started === order.length) return order;
    }
    left = kept;
    board.advance(board.nextRelease());
  }
  return order;
}

/** The order of the last decision, with the others put before the first request that is larger, as far as a plan looks. */
function lastOrder(
  pending: readonly PendingRequest[],
  bySize: Int32Array,
  last: readonly number[],
): Int32Array {
  const ranks = new Map(last.map((known, rank) => [known, rank]));
  const kept: number[] = new Array(last.length).fill(-1);
  const others: number[] = [];
  let missing = last.length;
  for (const index of bySize) {
    const rank = ranks.get(ticket(pending[index]!));
    if (rank !== undefined) {
      kept[rank] = index;
      missing--;
    } else if (others.length < horizonRequests) others.push(index);
    else if (missing === 0) break;
  }
  const order = kept.filter((index) => index >= 0);
  for (const index of others) {
    const key = ageKey(pending[index]!);
    const larger = order.findIndex((other) => ageKey(pending[other]!) > key);
    order.splice(larger < 0 ? order.length : larger, 0, index);
  }
  return Int32Array.from(order.slice(0, horizonRequests));
}
