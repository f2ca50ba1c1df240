import type { TransferRow } from './figures.ts';
import type { CellLogEvent, CellLogHeader } from './log-events.ts';

/** What is read of a file `cell-result/1` (Cell specification 18.2). */
export interface CellResult {
  readonly name: string;
  readonly policy: string;
  /** Number of cycles run. */
  readonly cycles: number;
  readonly transfers: readonly TransferRow[];
}

/** An event log in memory: its header and its records (Cell specification 18.4). */
export interface CellLog {
  readonly header: CellLogHeader;
  readonly events: readonly CellLogEvent[];
}

type Unnumbered = CellLogEvent extends infer Kind
  ? Kind extends CellLogEvent
    ? Omit<Kind, 'n'>
    : never
  : never;

/**
 * Writes the event log that a result implies, with its requests, grants, starts, ends and frees only.
 *
 * Use when a picture of a stored result is wanted and its run was not recorded. A result does not hold addresses: they are
 * written as 0. N and K come from the workload (Cell specification 18.1).
 */
export function logOfResult(
  machine: { readonly N: number; readonly K: number },
  result: CellResult,
): CellLog {
  const { N, K } = machine;
  const { name, policy, cycles } = result;
  const records = result.transfers.flatMap((row) => recordsOf(row, N, cycles));
  records.push({ t: Math.max(0, cycles - 1), ev: 'STOP', cycles });
  // A stable sort: the records of one transfer keep their order, and STOP stays last.
  records.sort((one, other) => one.t - other.t);
  return {
    header: {
      format: 'cell-log/1',
      name,
      N,
      K,
      memSize: 1,
      policy,
      workConserving: false,
      selfTransfer: 'point',
      zeroSize: 'complete',
      boundedWait: null,
      cycles: null,
      memory: 'recorded',
      waitLimit: null,
      interleaving: 'ordered',
    },
    events: records.map((record, n) => ({ ...record, n })),
  };
}

function recordsOf(row: TransferRow, N: number, cycles: number): Unnumbered[] {
  const [spu, id, kind, src, dst, size, issue, start, dir, ring] = row;
  const peer = spu === src ? dst : src;
  const records: Unnumbered[] = [{ t: issue, ev: 'REQ', spu, id, kind, my: 0, peer, addr: 0, size }];
  if (size === 0 || start < 0) return records;
  const nodes = segmentOf(N, dir, src, dst);
  const last = start + size - 1;
  records.push({ t: start - 1, ev: 'GRANT', spu, id, start, dir, ring, nodes });
  records.push({ t: start, ev: 'XSTART', spu, id, dir, ring });
  if (last < cycles) {
    records.push({ t: last, ev: 'XEND', spu, id });
    records.push({ t: last, ev: 'FREE', spu, id, dir, ring, nodes });
  }
  return records;
}

/** Nodes from sender to receiver along the ring (Cell specification 5). */
function segmentOf(N: number, dir: number, src: number, dst: number): number[] {
  const step = dir === 0 ? 1 : N - 1;
  const nodes = [src];
  for (let node = src; node !== dst && nodes.length <= N; ) {
    node = (node + step) % N;
    nodes.push(node);
  }
  return nodes;
}
