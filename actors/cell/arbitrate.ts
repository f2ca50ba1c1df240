import type { Grant, PendingRequest, Policy } from './policies/policy.ts';
import { RingBoard, type RingDirection, segmentNodeCount } from './rings.ts';

/** One request of an arbitration instance: [issue cycle, src, dst, size in bytes] (Cell specification 18.3). */
export type InstanceRequest = readonly [issue: number, src: number, dst: number, size: number];

/** Where a transfer went: [start cycle, direction, ring] (Cell specification 18.3). */
export type Placement = readonly [start: number, dir: number, ring: number];

/** Requests for 2K rings of N nodes, in FIFO order (Cell specification 18.3). */
export interface ArbitrationInstance {
  readonly N: number;
  readonly K: number;
  readonly requests: readonly InstanceRequest[];
}

/** What became of an instance; waits in cycles (Cell specification 14). */
export interface ArbitrationResult {
  /** One a request, in the order of the requests. */
  readonly placements: readonly Placement[];
  readonly totalWait: number;
  readonly maxWait: number;
  /** 0 when there are no requests. */
  readonly meanWait: number;
}

/**
 * Runs one instance at transfer level under a policy: every cycle with pending requests is decided, by the rules of Cell
 * specification 6 and 17; cycles in which the policy says nothing can change are jumped over.
 * RangeError for a request out of range or out of FIFO order; Error for a grant that does not fit.
 */
export function arbitrate(instance: ArbitrationInstance, policy: Policy): ArbitrationResult {
  const { N, K, requests } = instance;
  checkRequests(instance);
  const board = new RingBoard(N, K);
  const state = policy.initialState();
  const placements: Placement[] = new Array(requests.length);
  let pending: PendingRequest[] = [];
  let arrived = 0;
  let t = 0;
  while (arrived < requests.length || pending.length > 0) {
    if (pending.length === 0) t = Math.max(t, requests[arrived]![0] + 1);
    for (; arrived < requests.length && requests[arrived]![0] < t; arrived++) {
      const [issue, src, dst, size] = requests[arrived]!;
      pending.push({ src, dst, size, issue, initiator: src, id: arrived });
    }
    board.advance(t);
    const grants = policy.decide({ t, pending, board, N, K }, state);
    for (const grant of grants) {
      const request = pending[grant.index];
      if (request === undefined)
        throw new Error(`${policy.name} granted ${grant.index}, which is not pending`);
      start(board, request, grant, t, policy.name);
      if (placements[request.id] !== undefined)
        throw new Error(`${policy.name} granted request ${request.id} twice`);
      placements[request.id] = [t, grant.dir, grant.ring];
    }
    if (grants.length > 0) pending = pending.filter((request) => placements[request.id] === undefined);
    const jump = policy.decidesOnlyOnChange || (policy.restsAfterEmptyRound && grants.length === 0);
    if (!jump) t += 1;
    else {
      const arrival = arrived < requests.length ? requests[arrived]![0] + 1 : Number.POSITIVE_INFINITY;
      const change = Math.min(arrival, board.nextRelease());
      if (change !== Number.POSITIVE_INFINITY) t = change;
      else if (pending.length > 0)
        throw new Error(`${policy.name} leaves ${pending.length} requests waiting on free rings`);
    }
  }
  return summary(requests, placements);
}

/**
 * Says what is wrong with placements of an instance, or null (Cell specification 12: CK-06, CK-08, CK-10).
 *
 * *Details*: written without the ring board, so that it can judge it: the nodes of each segment are walked one by one.
 */
export function checkPlacements(
  instance: ArbitrationInstance,
  placements: readonly Placement[],
): string | null {
  const { N, K, requests } = instance;
  if (placements.length !== requests.length)
    return `${placements.length} placements for ${requests.length} requests`;
  const users = new Map<number, number[]>();
  for (let index = 0; index < requests.length; index++) {
    const [issue, src, dst] = requests[index]!;
    const [start, dir, ring] = placements[index]!;
    if (!Number.isSafeInteger(start))
      return `request ${index} starts in cycle ${start}, which is not an integer`;
    if (start <= issue) return `request ${index} starts in cycle ${start}, issued in ${issue}`;
    if (dir !== 0 && dir !== 1) return `request ${index} goes in direction ${dir}`;
    if (!Number.isInteger(ring) || ring < 0 || ring >= K) return `request ${index} uses ring ${ring} of ${K}`;
    for (let node = src; ; node = (node + (dir === 0 ? 1 : N - 1)) % N) {
      const point = (dir * K + ring) * N + node;
      const list = users.get(point);
      if (list === undefined) users.set(point, [index]);
      else list.push(index);
      if (node === dst) break;
    }
  }
  for (const [point, list] of users) {
    list.sort((a, b) => placements[a]![0] - placements[b]![0] || a - b);
    for (let rank = 1; rank < list.length; rank++) {
      const [before, after] = [list[rank - 1]!, list[rank]!];
      if (placements[before]![0] + requests[before]![3] > placements[after]![0]) {
        return `requests ${before} and ${after} meet at node ${point % N} in cycle ${placements[after]![0]}`;
      }
    }
  }
  return null;
}

function checkRequests({ N, requests }: ArbitrationInstance): void {
  const node = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < N;
  let previous = 0;
  for (const [index, [issue, src, dst, size]] of requests.entries()) {
    if (!Number.isSafeInteger(issue) || issue < previous)
      throw new RangeError(`request ${index} is issued in ${issue}, after ${previous}`);
    if (!node(src) || !node(dst))
      throw new RangeError(`request ${index} goes ${src} to ${dst}, nodes are 0..${N - 1}`);
    if (!Number.isSafeInteger(size) || size < 1)
      throw new RangeError(`request ${index} has size ${size}, expected at least 1`);
    previous = issue;
  }
}

function start(board: RingBoard, request: PendingRequest, grant: Grant, t: number, policy: string): void {
  const dir: RingDirection = grant.dir;
  if (!(grant.ring >= 0 && grant.ring < board.K))
    throw new Error(`${policy} granted ring ${grant.ring} of ${board.K}`);
  const nodes = segmentNodeCount(board.N, dir, request.src, request.dst);
  if (!board.isFree(dir, grant.ring, request.src, nodes, t)) {
    throw new Error(
      `${policy} granted request ${request.id} a busy segment of ring ${grant.ring}, direction ${dir}, in cycle ${t}`,
    );
  }
  board.reserve(dir, grant.ring, request.src, nodes, t + request.size);
}

function summary(requests: readonly InstanceRequest[], placements: readonly Placement[]): ArbitrationResult {
  let totalWait = 0;
  let maxWait = 0;
  for (let index = 0; index < requests.length; index++) {
    const wait = placements[index]![0] - requests[index]![0] - 1;
    totalWait += wait;
    if (wait > maxWait) maxWait = wait;
  }
  return {
    placements,
    totalWait,
    maxWait,
    meanWait: requests.length === 0 ? 0 : totalWait / requests.length,
  };
}
