import type { CellLogEvent, CellLogHeader } from './log-events.ts';

/** The part of a ring that a transfer held, and when (Cell specification 5 and 9, T3). */
export interface Occupation {
  /** 0: node numbers rise along the ring; 1: they fall. */
  readonly dir: number;
  /** Ring of that direction, 0..K-1. */
  readonly ring: number;
  /** Nodes held, from sender to receiver, as the arbiter logged them. */
  readonly nodes: readonly number[];
  /** First cycle held. */
  readonly first: number;
  /** Last cycle held within the run; at least `first`. */
  readonly last: number;
}

/**
 * How far a transfer came (Cell specification 3 and 11): `waiting` had no start within the run, `running` was cut by the
 * end of the run, `finished` moved all its bytes, `empty` had none to move and never met a ring.
 */
export type TransferState = 'waiting' | 'running' | 'finished' | 'empty';

/** One transfer as the event log tells it. */
export interface LoggedTransfer {
  /** Place among the run's transfers, from 0, in the order (issue, SPU, id); colours and letters follow it. */
  readonly order: number;
  /** Initiating SPU, 0..N-1. */
  readonly spu: number;
  /** Request id within the SPU. */
  readonly id: number;
  readonly kind: 'get' | 'put';
  /** SPU that gives the bytes. */
  readonly sender: number;
  /** SPU that takes the bytes. */
  readonly receiver: number;
  /** Bytes asked for. */
  readonly size: number;
  /** Cycle of the request. */
  readonly issue: number;
  readonly state: TransferState;
  /** First cycle of the transfer, or null while it waits; issue + 1 for an empty one. */
  readonly start: number | null;
  /** Cycles between issue + 1 and the start, or up to the end of the run when there is no start (Cell specification 14). */
  readonly wait: number;
  /** What it held, or null when it held nothing. */
  readonly occupation: Occupation | null;
}

/** An exception of a program, with its place (Cell specification 11). */
export interface LoggedException {
  readonly cycle: number;
  readonly spu: number;
  readonly why: string;
}

/** What the pictures need to know of a run, read from its event log (Cell specification 18.4). */
export interface LoggedRun {
  /** Number of cycles run: 0..cycles-1. */
  readonly cycles: number;
  /** In the order (issue, SPU, id). */
  readonly transfers: readonly LoggedTransfer[];
  /** In the order of the log. */
  readonly exceptions: readonly LoggedException[];
  /** Bytes moved within the run. */
  readonly bytes: number;
  /** Cycles waited by all transfers that started (Cell specification 14). */
  readonly totalWait: number;
}

interface Grant {
  readonly start: number;
  readonly dir: number;
  readonly ring: number;
  readonly nodes: readonly number[];
}

interface Draft {
  readonly spu: number;
  readonly id: number;
  readonly kind: 'get' | 'put';
  readonly sender: number;
  readonly receiver: number;
  readonly size: number;
  readonly issue: number;
  grant: Grant | null;
  /** Cycle at whose end the arbiter freed the segment. */
  freed: number | null;
}

/**
 * Reads the transfers of a run from its event log (Cell specification 18.4), in one pass over the events.
 *
 * Details: a segment is held from the granted start to the logged FREE; without a FREE to start + size - 1, and in any
 * case no longer than the run. A log without STOP ends with the last cycle it speaks of.
 *
 * Gotchas: it shows what was logged and judges nothing. The first grant of a request counts; a grant for an unknown request is
 * left out, and so are nodes that the machine does not have.
 */
export function transfersOfLog(header: CellLogHeader, events: readonly CellLogEvent[]): LoggedRun {
  const drafts: Draft[] = [];
  const latest = new Map<string, Draft>();
  const exceptions: LoggedException[] = [];
  let cyclesSeen = 0;
  let cyclesStopped: number | null = null;
  for (const event of events) {
    cyclesSeen = Math.max(cyclesSeen, event.t + 1);
    if (event.ev === 'REQ') {
      const draft = draftOf(event);
      drafts.push(draft);
      latest.set(`${event.spu}:${event.id}`, draft);
    } else if (event.ev === 'GRANT') {
      const draft = latest.get(`${event.spu}:${event.id}`);
      if (draft !== undefined && draft.grant === null) draft.grant = event;
    } else if (event.ev === 'FREE') {
      const draft = latest.get(`${event.spu}:${event.id}`);
      if (draft !== undefined) draft.freed = event.t;
    } else if (event.ev === 'EXC') {
      exceptions.push({ cycle: event.t, spu: event.spu, why: event.why });
    } else if (event.ev === 'BULK') {
      cyclesSeen = Math.max(cyclesSeen, event.to + 1);
    } else if (event.ev === 'STOP') {
      cyclesStopped = event.cycles;
    }
  }

  const cycles = cyclesStopped ?? cyclesSeen;
  drafts.sort((one, other) => one.issue - other.issue || one.spu - other.spu || one.id - other.id);
  const transfers = drafts.map((draft, order) => transferOf(draft, order, cycles, header.N));
  return {
    cycles,
    transfers,
    exceptions,
    bytes: sum(transfers.map(bytesMoved)),
    totalWait: sum(transfers.map((transfer) => (transfer.state === 'waiting' ? 0 : transfer.wait))),
  };
}

function draftOf(event: Extract<CellLogEvent, { ev: 'REQ' }>): Draft {
  const get = event.kind === 'get';
  return {
    spu: event.spu,
    id: event.id,
    kind: event.kind,
    sender: get ? event.peer : event.spu,
    receiver: get ? event.spu : event.peer,
    size: event.size,
    issue: event.t,
    grant: null,
    freed: null,
  };
}

function transferOf(draft: Draft, order: number, cycles: number, N: number): LoggedTransfer {
  const { spu, id, kind, sender, receiver, size, issue, grant, freed } = draft;
  const base = { order, spu, id, kind, sender, receiver, size, issue };
  const earliest = issue + 1;
  // A transfer of no bytes is complete without the arbiter (Cell specification 11).
  if (size === 0) return { ...base, state: 'empty', start: earliest, wait: 0, occupation: null };
  // A grant of the last cycle is for a cycle that never came.
  if (grant === null || grant.start >= cycles) {
    return { ...base, state: 'waiting', start: null, wait: Math.max(0, cycles - earliest), occupation: null };
  }
  const planned = grant.start + size - 1;
  const last = Math.max(grant.start, Math.min(freed ?? planned, cycles - 1));
  const nodes = grant.nodes.filter((node) => node >= 0 && node < N);
  return {
    ...base,
    state: freed === null && planned >= cycles ? 'running' : 'finished',
    start: grant.start,
    wait: grant.start - earliest,
    occupation: { dir: grant.dir, ring: grant.ring, nodes, first: grant.start, last },
  };
}

function bytesMoved({ occupation, size }: LoggedTransfer): number {
  return occupation === null ? 0 : Math.min(size, occupation.last - occupation.first + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
