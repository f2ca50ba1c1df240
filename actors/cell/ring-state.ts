import type { PendingRequest } from './policies/policy.ts';
import type { CellMessage } from './protocol.ts';
import { type RingDirection, segmentNodeCount, segmentNodes } from './rings.ts';

/**
 * From which cycle on each node of each ring is free, row by row: ring r of direction d is row d * K + r (Cell specification 5, 17.1).
 *
 * Details: plain numbers, looked at node by node, as the specification says it. `RingBoard` answers the same questions faster.
 */
export type RingState = number[][];

/** All rings, free from the first cycle on. */
export const freeRings = (N: number, K: number): RingState =>
  Array.from({ length: 2 * K }, () => new Array<number>(N).fill(0));

/** A segment that is kept for one request from a cycle on: until then others may use it only if they end by it (Cell specification 17.5). */
export interface Hold {
  readonly row: number;
  readonly nodes: readonly number[];
  readonly from: number;
}

/** What the rings of one direction offer a request in one cycle. */
export type Way = CellMessage<'segment.offered'>['ways'][number];

/** Which of the free rings of a direction a request takes: the lowest one, or the one with the smallest gap score. */
export type RingChoice = 'lowest' | 'tightest';

/** What the rings of a direction offer a request that would start in cycle `t`. */
export function wayOf(
  rings: RingState,
  { src, dst, size }: PendingRequest,
  dir: RingDirection,
  t: number,
  choice: RingChoice,
  hold: Hold | null,
): Way {
  const K = rings.length / 2;
  const N = rings[0]!.length;
  const nodes = segmentNodes(N, dir, src, dst);
  let [ring, gap] = [-1, Number.POSITIVE_INFINITY];
  let [freeFrom, freeRing] = [Number.POSITIVE_INFINITY, -1];
  for (let one = 0; one < K; one++) {
    const row = rings[dir * K + one]!;
    const free = Math.max(t, ...nodes.map((node) => row[node]!));
    if (free < freeFrom) [freeFrom, freeRing] = [free, one];
    if (free > t || isHeld(hold, dir * K + one, nodes, t, t + size)) continue;
    const score = gapScore(row, dir, nodes, t);
    if (choice === 'lowest' ? ring >= 0 : score >= gap) continue;
    [ring, gap] = [one, score];
  }
  return { dir, nodes: nodes.length, ring, gap: ring < 0 ? 0 : gap, freeFrom, freeRing };
}

/** True when a transfer over these nodes, until cycle `end`, would use a segment that is kept for another one. */
function isHeld(hold: Hold | null, row: number, nodes: readonly number[], t: number, end: number): boolean {
  if (hold === null || hold.row !== row || t >= hold.from || end <= hold.from) return false;
  return nodes.some((node) => hold.nodes.includes(node));
}

/** Free nodes directly after a segment and directly before it, each count ending at the segment itself (Cell specification 17.3). */
function gapScore(row: readonly number[], dir: RingDirection, nodes: readonly number[], t: number): number {
  const N = row.length;
  const step = dir === 0 ? 1 : N - 1;
  const outside = N - nodes.length;
  const freeBeyond = (node: number, by: number): number => {
    let count = 0;
    for (let at = (node + by) % N; count < outside && row[at]! <= t; at = (at + by) % N) count++;
    return count;
  };
  return freeBeyond(nodes.at(-1)!, step) + freeBeyond(nodes[0]!, N - step);
}

/** The shorter of the two ways of a request, in nodes (Cell specification 5). */
export const shortNodes = (N: number, { src, dst }: PendingRequest): number =>
  Math.min(segmentNodeCount(N, 0, src, dst), segmentNodeCount(N, 1, src, dst));
