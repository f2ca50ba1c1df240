/** A direction of travel: 0 passes the nodes upward, 1 downward (Cell specification 1). */
export type RingDirection = 0 | 1;

/**
 * Counts the nodes a transfer `src` to `dst` occupies in direction `dir`, both end points included (Cell specification 5).
 * Result 1..N; the two directions of a pair of different nodes add up to N + 2.
 */
export function segmentNodeCount(N: number, dir: RingDirection, src: number, dst: number): number {
  const hops = dir === 0 ? dst - src : src - dst;
  return (hops < 0 ? hops + N : hops) + 1;
}

/** Lists the nodes of a segment in the order the bytes pass them, from `src` to `dst` (Cell specification 5). */
export function segmentNodes(N: number, dir: RingDirection, src: number, dst: number): number[] {
  const step = dir === 0 ? 1 : N - 1;
  return Array.from({ length: segmentNodeCount(N, dir, src, dst) }, (_, hop) => (src + hop * step) % N);
}

/**
 * The state of all 2K rings: from which cycle on every node is free (Cell specification 5, 17.1).
 *
 * *Details*: beside the cycle numbers the board keeps, for one cycle `now`, how many free nodes follow and precede
 * each node. A free test is then one comparison and a gap score two, whatever N is; `reserve` and `advance` pay for it, and
 * they are rare: one call a transfer. Rows of direction 1 are stored mirrored (position = -node mod N), so that
 * positions grow along the ring in both directions.
 *
 * *Gotchas*: `fits`, `longestRun`, `tightestRing` and `gap` speak about cycle `now`; call `advance` first.
 */
export class RingBoard {
  readonly N: number;
  readonly K: number;
  /** The cycle the free runs describe; changed only by `advance`. */
  now = 0;
  /** The largest `end` of any reservation so far: no segment becomes free later. Changed only by `reserve`. */
  latestEnd = 0;
  /** The held row (dir * K + ring), or -1 when nothing is held (Cell specification 17.5). */
  private heldRow = -1;
  private heldFirst = 0;
  private heldNodes = 0;
  private heldFrom = 0;
  /** All arrays below are views of this one block, so that a copy is one move of memory. */
  private readonly block: Uint8Array;
  /** First free cycle of (row, position). Doubles, for cycle numbers pass 2^31. */
  private readonly freeFrom: Float64Array;
  /** Per row, the first cycle after `now` in which one of its nodes becomes free; Infinity when all are free. */
  private readonly nextFree: Float64Array;
  /** Free nodes in a row from (row, position) on, along the ring; 0 when busy, N on an empty ring. */
  private readonly ahead: Int16Array;
  /** The same, against the ring. */
  private readonly behind: Int16Array;
  /** The largest `ahead` of (direction, position) over the rings. */
  private readonly longest: Int16Array;

  /** Makes an empty board; N is 1..1024 nodes, K is 1..64 rings a direction (Cell specification 2), else a RangeError. */
  constructor(N: number, K: number) {
    if (!Number.isInteger(N) || N < 1 || N > 1024)
      throw new RangeError(`N is ${N}, expected an integer 1..1024`);
    if (!Number.isInteger(K) || K < 1 || K > 64) throw new RangeError(`K is ${K}, expected an integer 1..64`);
    this.N = N;
    this.K = K;
    const cells = 2 * K * N;
    const doubles = cells + 2 * K;
    const buffer = new ArrayBuffer(8 * doubles + 2 * (2 * cells + 2 * N));
    this.block = new Uint8Array(buffer);
    this.freeFrom = new Float64Array(buffer, 0, cells);
    this.nextFree = new Float64Array(buffer, 8 * cells, 2 * K);
    this.ahead = new Int16Array(buffer, 8 * doubles, cells);
    this.behind = new Int16Array(buffer, 8 * doubles + 2 * cells, cells);
    this.longest = new Int16Array(buffer, 8 * doubles + 4 * cells, 2 * N);
    this.nextFree.fill(Number.POSITIVE_INFINITY);
    this.ahead.fill(N);
    this.behind.fill(N);
    this.longest.fill(N);
  }

  /** Returns an independent copy. */
  fork(): RingBoard {
    const copy = new RingBoard(this.N, this.K);
    copy.copyFrom(this);
    return copy;
  }

  /** Takes over the state of a board of the same N and K, without allocating. */
  copyFrom(board: RingBoard): void {
    this.block.set(board.block);
    this.now = board.now;
    this.latestEnd = board.latestEnd;
    this.heldRow = board.heldRow;
    this.heldFirst = board.heldFirst;
    this.heldNodes = board.heldNodes;
    this.heldFrom = board.heldFrom;
  }

  /** Brings the free runs to cycle `t`; what the board says about any given cycle does not change. */
  advance(t: number): void {
    const { K, nextFree } = this;
    if (t === this.now) return;
    const back = t < this.now;
    this.now = t;
    for (let dir = 0; dir < 2; dir++) {
      let changed = false;
      for (let row = dir * K; row < dir * K + K; row++) {
        if (!back && nextFree[row]! > t) continue;
        this.scan(row);
        changed = true;
      }
      if (changed) for (let position = 0; position < this.N; position++) this.refreshLongest(dir, position);
    }
  }

  /** The first cycle in which `node` of (dir, ring) is free (Cell specification 17.1); 0 when it was never used. */
  freeFromAt(dir: RingDirection, ring: number, node: number): number {
    return this.freeFrom[(dir * this.K + ring) * this.N + this.position(dir, node)]!;
  }

  /** Says whether the segment of `nodes` nodes from `src` is free for cycle `t`, from the cycle numbers alone. */
  isFree(dir: RingDirection, ring: number, src: number, nodes: number, t: number): boolean {
    return this.latestFree(dir, ring, src, nodes) <= t;
  }

  /** The first cycle in which a whole segment is free: the largest free cycle of its nodes. */
  latestFree(dir: RingDirection, ring: number, src: number, nodes: number): number {
    const { N, freeFrom } = this;
    const base = (dir * this.K + ring) * N;
    const first = base + this.position(dir, src);
    const top = Math.min(first + nodes, base + N);
    let latest = 0;
    for (let cell = first; cell < top; cell++) if (freeFrom[cell]! > latest) latest = freeFrom[cell]!;
    for (let cell = base; cell < first + nodes - N; cell++)
      if (freeFrom[cell]! > latest) latest = freeFrom[cell]!;
    return latest;
  }

  /** The first cycle after `now` in which some busy node becomes free; Infinity when no node is busy. */
  nextRelease(): number {
    let next = Number.POSITIVE_INFINITY;
    for (let row = 0; row < 2 * this.K; row++) if (this.nextFree[row]! < next) next = this.nextFree[row]!;
    return next;
  }

  /** The most free nodes that any ring of `dir` offers from `src` on: no longer segment fits. The cheap first test. */
  longestRun(dir: RingDirection, src: number): number {
    return this.longest[dir * this.N + this.position(dir, src)]!;
  }

  /** False when a transfer from `src` over `up` nodes in direction 0 or `down` in direction 1 fits no ring: the cheap first test. */
  mayFit(src: number, up: number, down: number): boolean {
    const { N, longest } = this;
    return longest[src]! >= up || longest[src === 0 ? N : 2 * N - src]! >= down;
  }

  /** Says whether a transfer of `size` cycles may start on the segment in cycle `now`: it is free, and no hold forbids it. */
  fits(dir: RingDirection, ring: number, src: number, nodes: number, size: number): boolean {
    const row = dir * this.K + ring;
    const first = this.position(dir, src);
    if (this.ahead[row * this.N + first]! < nodes) return false;
    if (row !== this.heldRow || this.now >= this.heldFrom || this.now + size <= this.heldFrom) return true;
    return !this.meetsHold(first, nodes);
  }

  /** The lowest ring of `dir` on which the transfer may start in cycle `now`, or -1. */
  firstRing(dir: RingDirection, src: number, nodes: number, size: number): number {
    if (this.longestRun(dir, src) < nodes) return -1;
    for (let ring = 0; ring < this.K; ring++) if (this.fits(dir, ring, src, nodes, size)) return ring;
    return -1;
  }

  /** The ring of `dir` with the smallest gap score among those that fit, the lowest of equals, or -1 (Cell specification 17.3). */
  tightestRing(dir: RingDirection, src: number, nodes: number, size: number): number {
    if (this.longestRun(dir, src) < nodes) return -1;
    let best = -1;
    let bestGap = Number.POSITIVE_INFINITY;
    for (let ring = 0; ring < this.K; ring++) {
      if (!this.fits(dir, ring, src, nodes, size)) continue;
      const gap = this.gap(dir, ring, src, nodes);
      if (gap >= bestGap) continue;
      best = ring;
      bestGap = gap;
    }
    return best;
  }

  /**
   * The gap score of a segment: free nodes directly after it plus free nodes directly before it, 0..2(N-1), each
   * count ending at the segment itself (Cell specification 17.3).
   */
  gap(dir: RingDirection, ring: number, src: number, nodes: number): number {
    const { N } = this;
    const base = (dir * this.K + ring) * N;
    const first = this.position(dir, src);
    const after = first + nodes;
    const outside = N - nodes;
    const next = this.ahead[base + (after >= N ? after - N : after)]!;
    const previous = this.behind[base + (first === 0 ? N - 1 : first - 1)]!;
    return Math.min(next, outside) + Math.min(previous, outside);
  }

  /** Makes every node of the segment busy until cycle `end` (its first free cycle; must be after `now`). */
  reserve(dir: RingDirection, ring: number, src: number, nodes: number, end: number): void {
    const { N, K, freeFrom, ahead, behind } = this;
    const row = dir * K + ring;
    const base = row * N;
    const first = this.position(dir, src);
    const last = (first + nodes - 1) % N;
    if (end < this.nextFree[row]!) this.nextFree[row] = end;
    if (end > this.latestEnd) this.latestEnd = end;
    let position = first;
    for (let count = 0; count < nodes; count++) {
      freeFrom[base + position] = end;
      ahead[base + position] = 0;
      behind[base + position] = 0;
      this.refreshLongest(dir, position);
      position = position + 1 === N ? 0 : position + 1;
    }
    // Only the free nodes that touch the segment see another run; on an empty ring both walks end at the segment.
    for (let run = 1; behind[base + position]! > 0; run++) {
      behind[base + position] = run;
      position = position + 1 === N ? 0 : position + 1;
    }
    position = first === 0 ? N - 1 : first - 1;
    for (let run = 1; position !== last && ahead[base + position]! > 0; run++) {
      ahead[base + position] = run;
      this.refreshLongest(dir, position);
      position = position === 0 ? N - 1 : position - 1;
    }
  }

  /**
   * Holds one segment for a transfer that will start in cycle `from`: until then `fits` lets a conflicting transfer start on that ring
   * only if it ends by `from` (Cell specification 17.5). A new hold replaces the old one.
   */
  hold(dir: RingDirection, ring: number, src: number, nodes: number, from: number): void {
    this.heldRow = dir * this.K + ring;
    this.heldFirst = this.position(dir, src);
    this.heldNodes = nodes;
    this.heldFrom = from;
  }

  /** Copies all free cycles into `target`, rows (dir * K + ring) of N positions, direction 1 mirrored; for planners. */
  exportFreeFrom(target: Float64Array): void {
    target.set(this.freeFrom);
  }

  /** Where a node stands in its row: rows of direction 1 are mirrored. */
  private position(dir: number, node: number): number {
    return dir === 0 || node === 0 ? node : this.N - node;
  }

  private meetsHold(first: number, nodes: number): boolean {
    const ahead = this.heldFirst - first;
    const distance = ahead < 0 ? ahead + this.N : ahead;
    return distance < nodes || (distance === 0 ? 0 : this.N - distance) < this.heldNodes;
  }

  private refreshLongest(dir: number, position: number): void {
    const { N, K, ahead } = this;
    let longest = 0;
    const top = (dir * K + K) * N;
    for (let cell = dir * K * N + position; cell < top; cell += N)
      if (ahead[cell]! > longest) longest = ahead[cell]!;
    this.longest[dir * N + position] = longest;
  }

  /** Counts the runs of one row anew for cycle `now`. */
  private scan(row: number): void {
    const { N, freeFrom, ahead, behind, now } = this;
    const base = row * N;
    let next = Number.POSITIVE_INFINITY;
    let busy = -1;
    for (let position = 0; position < N; position++) {
      const free = freeFrom[base + position]!;
      if (free <= now) continue;
      busy = position;
      if (free < next) next = free;
    }
    this.nextFree[row] = next;
    if (busy < 0) {
      ahead.fill(N, base, base + N);
      behind.fill(N, base, base + N);
      return;
    }
    // Both walks go once round, starting at a busy node, so that no run is cut by the end of the row.
    let run = 0;
    let position = busy;
    for (let count = 0; count < N; count++) {
      run = freeFrom[base + position]! <= now ? run + 1 : 0;
      behind[base + position] = run;
      position = position + 1 === N ? 0 : position + 1;
    }
    run = 0;
    for (let count = 0; count < N; count++) {
      run = freeFrom[base + position]! <= now ? run + 1 : 0;
      ahead[base + position] = run;
      position = position === 0 ? N - 1 : position - 1;
    }
  }
}
