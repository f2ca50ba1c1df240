import { type RingBoard, type RingDirection, segmentNodeCount } from '../rings.ts';
import type { PendingRequest } from './policy.ts';

/**
 * Where one request would start in cycle `board.now`, as `dir * K + ring`, or -1 when it stays pending: the tightest free segment of the
 * short direction, else a detour that pays (Cell specification 17.3, step 2). `others` are the pending requests that
 * have not started in this round, without this one.
 */
export function chooseRow(board: RingBoard, request: PendingRequest, others: number): number {
  const { N, K, now } = board;
  const { src, dst, size } = request;
  const up = segmentNodeCount(N, 0, src, dst);
  const down = segmentNodeCount(N, 1, src, dst);
  if (up === down) {
    const upRing = board.tightestRing(0, src, up, size);
    const downRing = board.tightestRing(1, src, down, size);
    if (downRing < 0) return upRing;
    if (upRing < 0 || board.gap(1, downRing, src, down) < board.gap(0, upRing, src, up)) return K + downRing;
    return upRing;
  }
  const short: RingDirection = up < down ? 0 : 1;
  const shortNodes = short === 0 ? up : down;
  const shortRing = board.tightestRing(short, src, shortNodes, size);
  if (shortRing >= 0) return short * K + shortRing;
  const long: RingDirection = short === 0 ? 1 : 0;
  const longNodes = short === 0 ? down : up;
  // The waiting saved against the node-cycles taken from the others; all in integers.
  const extra = size * (longNodes - shortNodes);
  const price = 5 * extra * others + K * extra;
  // Most detours are refused here: no wait for the short direction outlasts the last running transfer.
  if (5 * N * K * (board.latestEnd - now) <= price) return -1;
  const longRing = board.tightestRing(long, src, longNodes, size);
  if (longRing < 0) return -1;
  let shortFree = Number.POSITIVE_INFINITY;
  for (let ring = 0; ring < K; ring++) {
    shortFree = Math.min(shortFree, board.latestFree(short, ring, src, shortNodes));
  }
  return 5 * N * K * (shortFree - now) > price ? long * K + longRing : -1;
}
