import { segmentNodeCount } from '../rings.ts';
import type { ArbitrationView, PolicySpec } from './policy.ts';

/** A detour must save more than this many tenths of its extra node-cycles, spread over N, for requests yet to come. */
const detourTenthsForFuture = 5;

/** And this many tenths of them, spread over N times K, for each request placed after it. */
const detourTenthsPerOther = 3;

/**
 * What would happen if the pending requests were placed one after another in a given order, each at the earliest cycle in which a whole
 * segment is free of those before it (after Cell specification 17.4).
 *
 * *Details*: nothing is placed into holes left by earlier ones, so an order can keep rings idle on purpose, and every
 * schedule is at least matched by the order of its own starts: a search over orders alone misses nothing. A ring is chosen by the earliest start, then by
 * the fewest idle node-cycles before it, then by the gap score. The two detour constants were chosen on generated instances.
 * O(P * K * N) an evaluation, without allocation.
 */
export class SerialPlan {
  /** Planned start cycle of each pending request, by its index, after `evaluate`. */
  start = new Float64Array(64);
  /** Planned row (dir * K + ring) of each pending request, by its index, after `evaluate`. */
  row = new Int32Array(64);
  /** Cells of the rings looked at since `load`: what the search has cost so far. */
  probed = 0;
  private src = new Int32Array(64);
  private size = new Float64Array(64);
  private up = new Int32Array(64);
  private down = new Int32Array(64);
  private readonly N: number;
  private readonly K: number;
  private readonly now: Float64Array;
  private readonly freeFrom: Float64Array;
  private t = 0;
  private pendingCount = 0;
  /** Results of `probe`. */
  private latest = 0;
  private idle = 0;

  /** Makes a plan that can be loaded again for every decision of one arbiter. */
  constructor(spec: PolicySpec) {
    this.N = spec.N;
    this.K = spec.K;
    this.now = new Float64Array(2 * spec.K * spec.N);
    this.freeFrom = new Float64Array(2 * spec.K * spec.N);
  }

  /** Makes the arrays long enough for `count` requests; what they hold is lost when they grow. */
  reserveRoom(count: number): void {
    if (count <= this.start.length) return;
    const length = 2 * count;
    this.start = new Float64Array(length);
    this.row = new Int32Array(length);
    this.src = new Int32Array(length);
    this.size = new Float64Array(length);
    this.up = new Int32Array(length);
    this.down = new Int32Array(length);
  }

  /** Reads the pending requests and the rings of one decision. */
  load(view: ArbitrationView): void {
    const { pending } = view;
    this.reserveRoom(pending.length);
    for (let index = 0; index < pending.length; index++) {
      const { src, dst, size } = pending[index]!;
      this.src[index] = src;
      this.size[index] = size;
      this.up[index] = segmentNodeCount(this.N, 0, src, dst);
      this.down[index] = segmentNodeCount(this.N, 1, src, dst);
    }
    view.board.exportFreeFrom(this.now);
    this.t = view.t;
    this.pendingCount = pending.length;
    this.probed = 0;
  }

  /** Sums the waits, in cycles from `t` on, of the first `count` indices of `order`; Infinity as soon as the sum exceeds `limit`. */
  evaluate(order: Int32Array, count: number, limit: number): number {
    const { N, K, t, freeFrom } = this;
    freeFrom.set(this.now);
    let sum = 0;
    for (let rank = 0; rank < count; rank++) {
      const index = order[rank]!;
      this.place(index, this.pendingCount - rank - 1);
      const start = this.start[index]!;
      sum += start - t;
      if (sum > limit) return Number.POSITIVE_INFINITY;
      const row = this.row[index]!;
      const src = this.src[index]!;
      const end = start + this.size[index]!;
      const top = (row + 1) * N;
      let cell = row * N + (row < K || src === 0 ? src : N - src);
      for (let left = row < K ? this.up[index]! : this.down[index]!; left > 0; left--) {
        freeFrom[cell] = end;
        if (++cell === top) cell = row * N;
      }
    }
    return sum;
  }

  private place(index: number, others: number): void {
    const { N, K, t } = this;
    const up = this.up[index]!;
    const down = this.down[index]!;
    const src = this.src[index]!;
    const mirrored = src === 0 ? 0 : N - src;
    const short = up <= down ? 0 : 1;
    this.start[index] = Number.POSITIVE_INFINITY;
    if (up === down) {
      this.tryRows(index, 0, 2 * K, src, mirrored, up, Number.POSITIVE_INFINITY);
      return;
    }
    const shortNodes = Math.min(up, down);
    const longNodes = Math.max(up, down);
    this.tryRows(index, short * K, short * K + K, src, mirrored, shortNodes, Number.POSITIVE_INFINITY);
    // The cycle before which a detour must start to be worth its node-cycles; integers until the last division.
    const extra = this.size[index]! * (longNodes - shortNodes);
    const price = extra * (detourTenthsForFuture * K + detourTenthsPerOther * others);
    const before = Math.ceil(this.start[index]! - price / (10 * N * K));
    if (before > t) this.tryRows(index, K - short * K, 2 * K - short * K, src, mirrored, longNodes, before);
  }

  /** Takes the best of the rows `first`..`end - 1` that starts before cycle `before`; leaves the choice as it is if none does. */
  private tryRows(
    index: number,
    first: number,
    end: number,
    src: number,
    mirrored: number,
    nodes: number,
    before: number,
  ): void {
    const { K } = this;
    let best = before - 1;
    let bestRow = -1;
    let bestIdle = 0;
    let bestGap = 0;
    for (let row = first; row < end; row++) {
      const position = row < K ? src : mirrored;
      if (!this.probe(row, position, nodes, best)) continue;
      const { latest, idle } = this;
      if (bestRow >= 0 && latest === best && idle > bestIdle) continue;
      const gap = this.gap(row, position, nodes, latest);
      if (bestRow >= 0 && latest === best && idle === bestIdle && gap >= bestGap) continue;
      best = latest;
      bestRow = row;
      bestIdle = idle;
      bestGap = gap;
    }
    if (bestRow < 0) return;
    this.start[index] = best;
    this.row[index] = bestRow;
  }

  /** Finds the first start on a segment and the node-cycles it would leave idle; false when it starts after `latestMax`. */
  private probe(row: number, position: number, nodes: number, latestMax: number): boolean {
    const { N, t, freeFrom } = this;
    const top = (row + 1) * N;
    let cell = row * N + position;
    let latest = t;
    let sum = 0;
    for (let left = nodes; left > 0; left--) {
      const free = freeFrom[cell]!;
      if (free > latest) {
        if (free > latestMax) {
          this.probed += nodes - left;
          return false;
        }
        latest = free;
      }
      sum += Math.max(free, t);
      if (++cell === top) cell = row * N;
    }
    this.probed += nodes;
    this.latest = latest;
    this.idle = latest * nodes - sum;
    return true;
  }

  /** The gap score of Cell specification 17.3 as it would be in cycle `start`. */
  private gap(row: number, position: number, nodes: number, start: number): number {
    const { N, freeFrom } = this;
    const base = row * N;
    const outside = N - nodes;
    let after = position + nodes;
    if (after >= N) after -= N;
    let following = 0;
    for (; following < outside && freeFrom[base + after]! <= start; following++) if (++after === N) after = 0;
    let before = position === 0 ? N - 1 : position - 1;
    let preceding = 0;
    for (; preceding < outside && freeFrom[base + before]! <= start; preceding++)
      before = before === 0 ? N - 1 : before - 1;
    this.probed += following + preceding;
    return following + preceding;
  }
}
