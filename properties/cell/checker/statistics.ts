import type { AccessEvent, BulkEvent, GrantEvent, LogEvent, LogHeader } from './log.ts';
import { segmentLength, shortLength } from './segment.ts';
import { Transfer } from './transfer.ts';

/** Waiting times of started transfers, in cycles: start - (issue + 1), 0 for a transfer of size 0 (Cell specification 14). */
export interface WaitFigures {
  readonly total: number;
  readonly max: number;
  readonly mean: number;
  /** Nearest rank: the smallest wait that 95 % (99 %) of the transfers do not exceed. */
  readonly percentile95: number;
  readonly percentile99: number;
}

/** Totals of one SPU (Cell specification 14). */
export interface SpuFigures {
  readonly spu: number;
  readonly requests: number;
  /** Requests that had not finished when the run stopped. */
  readonly unfinished: number;
  /** Bytes of its own requests, bytes it sent and bytes it received. */
  readonly bytesInitiated: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly totalWait: number;
  readonly maxWait: number;
}

/** Use of one ring: node-cycles used of the available ones (Cell specification 14). */
export interface RingFigures {
  readonly dir: number;
  readonly ring: number;
  readonly nodeCycles: number;
  /** nodeCycles / (N * cycles), 0..1. */
  readonly occupation: number;
}

/** All figures of a run, from its log alone (Cell specification 14). */
export interface RunFigures {
  readonly cycles: number;
  readonly requests: number;
  readonly unfinished: number;
  readonly wait: WaitFigures;
  readonly bytes: number;
  readonly bytesPerCycle: number;
  readonly commands: number;
  readonly commandsPerCycleMean: number;
  readonly commandsPerCyclePeak: number;
  readonly runningMean: number;
  readonly runningPeak: number;
  /** Direction 0 first, then by ring. */
  readonly rings: readonly RingFigures[];
  readonly spus: readonly SpuFigures[];
  /** Granted transfers that took the longer direction, and their share of all granted ones, 0..1. */
  readonly detours: number;
  readonly detourShare: number;
}

interface SpuTotals {
  spu: number;
  requests: number;
  unfinished: number;
  bytesInitiated: number;
  bytesSent: number;
  bytesReceived: number;
  totalWait: number;
  maxWait: number;
}

/** Collects the figures of a run from its log, record by record (Cell specification 14). *Details*: memory grows with requests only. */
export class CellStatistics {
  private readonly header: LogHeader;
  private readonly transfers: Transfer[] = [];
  private readonly table: Transfer[][];
  private readonly spus: SpuTotals[];
  private readonly bulks: BulkEvent[] = [];
  private bytes = 0;
  private commands = 0;
  private commandCycle = -1;
  private commandsInCycle = 0;
  private commandsPeak = 0;
  private lastCycle = -1;
  private cycles: number | null = null;

  constructor(header: LogHeader) {
    this.header = header;
    this.table = Array.from({ length: header.N }, () => []);
    this.spus = Array.from({ length: header.N }, (_, spu) => ({
      spu,
      requests: 0,
      unfinished: 0,
      bytesInitiated: 0,
      bytesSent: 0,
      bytesReceived: 0,
      totalWait: 0,
      maxWait: 0,
    }));
  }

  /** Takes the next record of the log. */
  event(e: LogEvent): void {
    if (e.t > this.lastCycle) this.lastCycle = e.t;
    if (e.ev === 'WR') this.written(e);
    else if (e.ev === 'CMD') {
      this.commandsInCycle = e.t === this.commandCycle ? this.commandsInCycle + 1 : 1;
      this.commandCycle = e.t;
      this.commands++;
      this.commandsPeak = Math.max(this.commandsPeak, this.commandsInCycle);
    } else if (e.ev === 'REQ') {
      const transfer = new Transfer(e);
      this.transfers.push(transfer);
      const row = this.table[e.spu];
      if (row !== undefined) row[e.id] = transfer;
    } else if (e.ev === 'GRANT') this.granted(e);
    else if (e.ev === 'BULK') this.bulks.push(e);
    else if (e.ev === 'STOP') this.cycles = e.cycles;
  }

  /** The figures of everything taken so far. */
  finish(): RunFigures {
    const { N } = this.header;
    const cycles = this.cycles ?? this.lastCycle + 1;
    for (const bulk of this.bulks) this.expand(bulk);
    this.bulks.length = 0;
    const waits: number[] = [];
    const spus = this.spus.map((totals) => ({ ...totals }));
    let detours = 0;
    let unfinished = 0;
    for (const transfer of this.transfers) {
      const totals = spus[transfer.spu];
      const finished =
        transfer.size === 0 ? cycles > transfer.issue : transfer.start >= 0 && transfer.last < cycles;
      if (!finished) unfinished++;
      if (totals === undefined) continue;
      totals.requests++;
      if (!finished) totals.unfinished++;
      if (transfer.size > 0 && transfer.start < 0) continue;
      const wait = transfer.size === 0 ? 0 : transfer.start - (transfer.issue + 1);
      waits.push(wait);
      totals.totalWait += wait;
      totals.maxWait = Math.max(totals.maxWait, wait);
      if (transfer.size > 0 && this.nodesOf(transfer) > shortLength(N, transfer.src, transfer.dst)) detours++;
    }
    const granted = this.transfers.filter((transfer) => transfer.start >= 0);
    const rings = this.ringFigures(granted, cycles);
    const { transferCycles, peak } = concurrency(granted, cycles);
    return {
      cycles,
      requests: this.transfers.length,
      unfinished,
      wait: waitFigures(waits),
      bytes: this.bytes,
      bytesPerCycle: ratio(this.bytes, cycles),
      commands: this.commands,
      commandsPerCycleMean: ratio(this.commands, cycles),
      commandsPerCyclePeak: this.commandsPeak,
      runningMean: ratio(transferCycles, cycles),
      runningPeak: peak,
      rings,
      spus,
      detours,
      detourShare: ratio(detours, granted.length),
    };
  }

  private written(e: AccessEvent): void {
    if (e.by !== 'dma') return;
    const transfer = this.table[e.spu]?.[e.id];
    if (transfer !== undefined) this.move(transfer, 1);
  }

  private move(transfer: Transfer, bytes: number): void {
    this.bytes += bytes;
    const initiator = this.spus[transfer.spu];
    const sender = this.spus[transfer.src];
    const receiver = this.spus[transfer.dst];
    if (initiator !== undefined) initiator.bytesInitiated += bytes;
    if (sender !== undefined) sender.bytesSent += bytes;
    if (receiver !== undefined) receiver.bytesReceived += bytes;
  }

  private granted(e: GrantEvent): void {
    const transfer = this.table[e.spu]?.[e.id];
    if (transfer === undefined || transfer.start >= 0) return;
    transfer.start = e.start;
    transfer.last = e.start + transfer.size - 1;
    transfer.dir = e.dir;
    transfer.ring = e.ring;
  }

  /** The bytes and commands of a bulk record: one of each in every occupied cycle. */
  private expand(bulk: BulkEvent): void {
    const inside: Transfer[] = [];
    for (const transfer of this.transfers) {
      if (transfer.start < 0) continue;
      const overlap = Math.min(transfer.last, bulk.to) - Math.max(transfer.start, bulk.from) + 1;
      if (overlap <= 0) continue;
      inside.push(transfer);
      this.move(transfer, overlap);
      this.commands += overlap;
    }
    const { peak } = concurrency(inside, bulk.to + 1, bulk.from);
    this.commandsPeak = Math.max(this.commandsPeak, peak);
  }

  private nodesOf(transfer: Transfer): number {
    return segmentLength(this.header.N, transfer.dir, transfer.src, transfer.dst);
  }

  private ringFigures(granted: readonly Transfer[], cycles: number): readonly RingFigures[] {
    const { N, K } = this.header;
    const used = new Array<number>(2 * K).fill(0);
    for (const transfer of granted) {
      const bytes = Math.max(0, Math.min(transfer.last, cycles - 1) - transfer.start + 1);
      const index = transfer.dir * K + transfer.ring;
      if (used[index] !== undefined) used[index] += bytes * this.nodesOf(transfer);
    }
    return used.map((nodeCycles, index) => ({
      dir: Math.floor(index / K),
      ring: index % K,
      nodeCycles,
      occupation: ratio(nodeCycles, N * cycles),
    }));
  }
}

/** The wait that a share (0..1) of the transfers does not exceed, by nearest rank; 0 for none. The waits are in ascending order. */
export function percentile(ascending: readonly number[], share: number): number {
  // The product is rounded first, so that 0.95 * 20 is rank 19 and not the 20th for a stray last bit.
  const rank = Math.ceil(Math.round(share * ascending.length * 1e6) / 1e6);
  return ascending[Math.max(0, rank - 1)] ?? 0;
}

function waitFigures(waits: readonly number[]): WaitFigures {
  const ascending = waits.toSorted((a, b) => a - b);
  const total = ascending.reduce((sum, wait) => sum + wait, 0);
  return {
    total,
    max: ascending.at(-1) ?? 0,
    mean: ratio(total, ascending.length),
    percentile95: percentile(ascending, 0.95),
    percentile99: percentile(ascending, 0.99),
  };
}

/** Transfer-cycles in first..cycles-1 and the largest number of transfers in one of them. */
function concurrency(
  transfers: readonly Transfer[],
  cycles: number,
  first = 0,
): { readonly transferCycles: number; readonly peak: number } {
  const inside = transfers.filter(({ start, last }) => start < cycles && last >= first);
  const starts = inside.map(({ start }) => Math.max(start, first)).sort((a, b) => a - b);
  const ends = inside.map(({ last }) => Math.min(last, cycles - 1)).sort((a, b) => a - b);
  let ended = 0;
  let peak = 0;
  starts.forEach((start, begun) => {
    while ((ends[ended] ?? start) < start) ended++;
    peak = Math.max(peak, begun + 1 - ended);
  });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { transferCycles: sum(ends) - sum(starts) + inside.length, peak };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
