import type { LogHeader } from './log.ts';
import { RingOccupation } from './ring-occupation.ts';
import type { Transfer } from './transfer.ts';

/** What the checker believes about the run at one place of the log; the groups of invariants share it (Cell specification 12). */
export class RunState {
  readonly header: LogHeader;
  readonly rings: RingOccupation;
  /** Every accepted request in log order. */
  readonly transfers: Transfer[] = [];
  /** Transfers of occ(cycle), Cell specification 12. */
  readonly running: Transfer[] = [];
  /** The same, by initiator. */
  readonly runningOf: Transfer[][];
  /** Current cycle; -1 before the first one. */
  cycle = -1;
  private readonly table: Transfer[][];
  private readonly starting: Transfer[] = [];

  constructor(header: LogHeader) {
    this.header = header;
    this.rings = new RingOccupation(header.N, header.K);
    this.runningOf = Array.from({ length: header.N }, () => []);
    this.table = Array.from({ length: header.N }, () => []);
  }

  /** The request of that id, or undefined when the module never returned it. */
  find(spu: number, id: number): Transfer | undefined {
    return id < 0 ? undefined : this.table[spu]?.[id];
  }

  /** Enters an accepted request; a reused id names the newer one from now on. */
  accept(transfer: Transfer): void {
    this.transfers.push(transfer);
    const row = this.table[transfer.spu];
    if (row !== undefined) row[transfer.id] = transfer;
  }

  /** Enters a grant: the transfer will occupy its segment from `start`. */
  grant(transfer: Transfer, start: number, dir: number, ring: number): void {
    transfer.start = start;
    transfer.last = start + transfer.size - 1;
    transfer.dir = dir;
    transfer.ring = ring;
    if (start <= this.cycle) this.run(transfer);
    else this.starting.push(transfer);
  }

  /** Goes to a cycle; the transfers that start by then are running. */
  enter(cycle: number): void {
    this.cycle = cycle;
    if (this.starting.length === 0) return;
    let kept = 0;
    for (const transfer of this.starting) {
      if (transfer.start <= cycle) this.run(transfer);
      else this.starting[kept++] = transfer;
    }
    this.starting.length = kept;
  }

  /** Takes the transfers whose last cycle has passed out of the running ones. */
  retire(cycle: number): void {
    let kept = 0;
    for (const transfer of this.running) {
      if (transfer.last > cycle) {
        this.running[kept++] = transfer;
        continue;
      }
      const own = this.runningOf[transfer.spu];
      if (own !== undefined) own.splice(own.indexOf(transfer), 1);
    }
    this.running.length = kept;
  }

  private run(transfer: Transfer): void {
    this.running.push(transfer);
    this.runningOf[transfer.spu]?.push(transfer);
  }
}
