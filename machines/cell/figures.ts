import type { TransferRequest } from '../../actors/cell/request-table.ts';

/** One request in the order of `cell-result/1`: [spu, id, kind, src, dst, size, issue, start, dir, ring, wait]. */
export type TransferRow = readonly [
  spu: number,
  id: number,
  kind: 'get' | 'put',
  src: number,
  dst: number,
  size: number,
  issue: number,
  start: number,
  dir: number,
  ring: number,
  wait: number,
];

/** The figures that every run reports (Cell specification 14). Waits in cycles. */
export interface CellFigures {
  readonly totalWait: number;
  readonly maxWait: number;
  readonly meanWait: number;
  readonly wait95: number;
  readonly wait99: number;
  readonly bytes: number;
  readonly bytesPerCycle: number;
  /** Running transfers, mean over the cycles and greatest. */
  readonly runningMean: number;
  readonly runningPeak: number;
  /** For each ring, direction 0 first: node-cycles used / available. */
  readonly occupation: readonly number[];
  /** Share of transfers that went the long way. */
  readonly detours: number;
  readonly perSpu: readonly { readonly requests: number; readonly bytes: number; readonly wait: number }[];
  readonly transfers: readonly TransferRow[];
}

/** Computes the figures of a run of `cycles` cycles from the request tables of its DMA modules. */
export function figuresOf(
  N: number,
  K: number,
  cycles: number,
  tables: readonly (readonly TransferRequest[])[],
): CellFigures {
  const transfers: TransferRow[] = [];
  const waits: number[] = [];
  const used = new Array<number>(2 * K).fill(0);
  const perSpu = tables.map(() => ({ requests: 0, bytes: 0, wait: 0 }));
  const changes: [cycle: number, by: number][] = [];
  let bytes = 0;
  let detours = 0;
  let started = 0;
  for (const [spu, table] of tables.entries()) {
    for (const entry of table) {
      // A request whose start lies behind the end of the run has not started.
      const begun = entry.start >= 0 && entry.start < cycles;
      const start = begun || entry.size === 0 ? entry.start : -1;
      const wait = start < 0 ? 0 : entry.start - (entry.issue + 1);
      transfers.push([
        spu,
        entry.id,
        entry.kind,
        entry.src,
        entry.dst,
        entry.size,
        entry.issue,
        start,
        start < 0 ? -1 : entry.dir,
        start < 0 ? -1 : entry.ring,
        wait,
      ]);
      const own = perSpu[spu]!;
      own.requests++;
      if (start < 0) continue;
      waits.push(wait);
      own.wait += wait;
      if (!begun || entry.size === 0) continue;
      const moved = Math.min(entry.size, cycles - entry.start);
      const nodes = nodesIn(N, entry.dir, entry.src, entry.dst);
      bytes += moved;
      own.bytes += moved;
      used[entry.dir * K + entry.ring]! += moved * nodes;
      started++;
      if (nodes > nodesIn(N, 1 - entry.dir, entry.src, entry.dst)) detours++;
      changes.push([entry.start, 1], [entry.start + moved, -1]);
    }
  }
  transfers.sort((a, b) => a[6] - b[6] || a[0] - b[0] || a[1] - b[1]);
  waits.sort((a, b) => a - b);
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let running = 0;
  let runningPeak = 0;
  for (const [, by] of changes) {
    running += by;
    runningPeak = Math.max(runningPeak, running);
  }
  const totalWait = waits.reduce((sum, wait) => sum + wait, 0);
  return {
    totalWait,
    maxWait: waits.at(-1) ?? 0,
    meanWait: waits.length ? totalWait / waits.length : 0,
    wait95: percentile(waits, 0.95),
    wait99: percentile(waits, 0.99),
    bytes,
    bytesPerCycle: cycles ? bytes / cycles : 0,
    // One byte a cycle and transfer (rule T2), so the bytes count the running transfers.
    runningMean: cycles ? bytes / cycles : 0,
    runningPeak,
    occupation: used.map((nodeCycles) => (cycles ? nodeCycles / (cycles * N) : 0)),
    detours: started ? detours / started : 0,
    perSpu,
    transfers,
  };
}

function nodesIn(N: number, dir: number, src: number, dst: number): number {
  return ((((dir === 0 ? dst - src : src - dst) % N) + N) % N) + 1;
}

/** The least value that at least this share of the sorted values does not exceed. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
