import { segmentLength, segmentLow } from './segment.ts';
import type { Transfer } from './transfer.ts';

/** Who occupies each node of each ring and until when, as it follows from the grants alone (CK-10, Cell specification 12). */
export class RingOccupation {
  private readonly N: number;
  private readonly K: number;
  /** Last occupied cycle of each (dir, ring, node); nothing needs clearing when a transfer ends. */
  private readonly until: Float64Array;
  private readonly owner: (Transfer | undefined)[];

  constructor(N: number, K: number) {
    this.N = N;
    this.K = K;
    this.until = new Float64Array(2 * K * N).fill(-1);
    this.owner = new Array<Transfer | undefined>(2 * K * N).fill(undefined);
  }

  /** Occupies a granted transfer's segment; gives the transfer that holds a node of it already, if one does. O(nodes). */
  claim(transfer: Transfer): Transfer | undefined {
    const { N } = this;
    const base = (transfer.dir * this.K + transfer.ring) * N;
    const length = segmentLength(N, transfer.dir, transfer.src, transfer.dst);
    let node = segmentLow(transfer.dir, transfer.src, transfer.dst);
    let conflict: Transfer | undefined;
    for (let i = 0; i < length; i++) {
      const slot = base + node;
      if ((this.until[slot] ?? -1) >= transfer.start) conflict ??= this.owner[slot];
      if (transfer.last > (this.until[slot] ?? -1)) {
        this.until[slot] = transfer.last;
        this.owner[slot] = transfer;
      }
      node = node + 1 === N ? 0 : node + 1;
    }
    return conflict;
  }

  /** Whether some ring has the whole segment from src to dst free from a cycle on, in either direction. */
  hasFreeSegment(src: number, dst: number, cycle: number): boolean {
    for (let dir = 0; dir < 2; dir++)
      for (let ring = 0; ring < this.K; ring++) if (this.isFree(dir, ring, src, dst, cycle)) return true;
    return false;
  }

  private isFree(dir: number, ring: number, src: number, dst: number, cycle: number): boolean {
    const base = (dir * this.K + ring) * this.N;
    const length = segmentLength(this.N, dir, src, dst);
    let node = segmentLow(dir, src, dst);
    for (let i = 0; i < length; i++) {
      if ((this.until[base + node] ?? -1) >= cycle) return false;
      node = node + 1 === this.N ? 0 : node + 1;
    }
    return true;
  }
}
