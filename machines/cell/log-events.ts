import type { CellShown } from '../../actors/cell/protocol.ts';

/** Cycle and serial number that every record of the event log carries (Cell specification 18.4). */
export interface LogStamp {
  /** Cycle the record belongs to, from 0. */
  readonly t: number;
  /** Serial number in the log: 0, 1, 2, … without gaps. */
  readonly n: number;
}

/** First line of an event log: the machine that ran and how (Cell specification 2 and 18.4). */
export interface CellLogHeader {
  readonly format: 'cell-log/1';
  /** Name of the run, free text. */
  readonly name: string;
  /** Number of SPUs, and so of connection points on every ring, 1..1024. */
  readonly N: number;
  /** Rings per direction, 1..64. */
  readonly K: number;
  /** Bytes in each SPU's memory, at least 1. */
  readonly memSize: number;
  /** Name of the arbitration policy (Cell specification 17). */
  readonly policy: string;
  /** True when the policy promises never to leave a request waiting beside a free segment. */
  readonly workConserving: boolean;
  /** What happens to a transfer from an SPU to itself (Cell specification 11). */
  readonly selfTransfer: 'point' | 'reject';
  /** What happens to a transfer of no bytes (Cell specification 11). */
  readonly zeroSize: 'complete' | 'reject';
  /** Promise on the longest wait, or null for none; `cap` in cycles (Cell specification 17.5). */
  readonly boundedWait: { readonly factor: number; readonly cap: number | null } | null;
  /** Number of cycles asked for, or null for "until idle". */
  readonly cycles: number | null;
  /** Contents before cycle 0: the formula of Cell specification 18.1, zeros, unknown until seen, or the bytes of each SPU. */
  readonly memory: 'pattern' | 'zero' | 'recorded' | readonly (readonly number[])[];
  /** Largest total waiting time allowed, in cycles, or null for no limit (Cell specification 14). */
  readonly waitLimit: number | null;
  /** Whether the parts ran in the canonical order of each cycle or in a fuzzed one (Cell specification 16). */
  readonly interleaving: 'ordered' | 'free';
}

/** What a part showed, as the log has it: `ev` is its type. */
type Logged<P> = P extends { readonly type: infer T }
  ? { readonly [K in keyof P as Exclude<K, 'type'>]: P[K] } & LogStamp & { readonly ev: T }
  : never;

/** Bytes of one memory as they are at the end of cycle t, at least those written in it (Cell specification 10). */
interface MemoryEvent extends LogStamp {
  readonly ev: 'MEM';
  readonly mem: number;
  /** Pairs of address and value. */
  readonly bytes: readonly (readonly [number, number])[];
}

/** Cycles `from` to `to` were executed in bulk: every running transfer moved one byte in each (Cell specification 24). */
interface BulkEvent extends LogStamp {
  readonly ev: 'BULK';
  /** First cycle executed in bulk. */
  readonly from: number;
  /** Last cycle executed in bulk. */
  readonly to: number;
}

/** A part of the machine itself found something wrong (Cell specification 13). */
export interface ReportEvent extends LogStamp {
  readonly ev: 'REPORT';
  readonly class: 'EXCEPTION' | 'FATAL' | 'SYNC' | 'PERF';
  /** Name of the invariant. */
  readonly inv: string;
  readonly text: string;
}

/** One pick of the scheduler (Cell specification 16). */
interface ChoiceEvent extends LogStamp {
  readonly ev: 'CHOICE';
  /** Name of the decision. */
  readonly what: string;
  /** Number of alternatives, from 1. */
  readonly count: number;
  /** The alternative taken, 0..count-1. */
  readonly pick: number;
}

/** Any record of an event log after the header (Cell specification 18.4). */
export type CellLogEvent = Logged<CellShown> | MemoryEvent | BulkEvent | ReportEvent | ChoiceEvent;
