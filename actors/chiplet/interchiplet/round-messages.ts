import type { Address } from '../../../kernel/message.ts';
import type { BenchLine } from './bench-line.ts';
import type { DelayLine, LatencyRecord } from './latency-records.ts';
import type { Place } from './place.ts';

/*
 * What happens between the parts of a coordinator, and between it and the network, in a round (chiplet specification 9.1).
 */

/** A round begins: coordinators forget the last one and take up its latency records. */
export interface RoundLoad {
  readonly type: 'round.load';
  /** From 1. */
  readonly round: number;
  readonly records: readonly LatencyRecord[];
}

/** A process begins anew. */
export interface ProcessBegin {
  readonly type: 'process.begin';
  readonly round: number;
}

/** A transaction for the trace of phase 2, as soon as it is known. */
export interface BenchAdd {
  readonly type: 'bench.add';
  readonly line: BenchLine;
}

/** A process has come to its end, in this time of the system. */
export interface ProcessEnded {
  readonly type: 'process.ended';
  readonly process: Address;
  readonly time: number;
}

/** Shown by a coordinator in the handling of the command with which a barrier opens. */
export interface BarrierOpened {
  readonly type: 'barrier.opened';
  readonly uid: number;
}

/** A record has served: that of a source in this line of the file. */
export interface RecordUsed {
  readonly type: 'record.used';
  readonly source: Place;
  readonly line: number;
}

/** A command that no record expects: from now on nobody uses records in this round. */
export interface RecordsDiscard {
  readonly type: 'records.discard';
}

/** A process cannot go on without another one: its transaction has one end only, or it has come to its end. Told in rounds with records. */
export interface ProcessParked {
  readonly type: 'process.parked';
  readonly process: Address;
}

/** A process that was parked goes on. */
export interface ProcessFreed {
  readonly type: 'process.freed';
  readonly process: Address;
}

/** Nobody seemed to be able to go on, a tick ago; or, from who knows more than the coordinator does, nobody can. */
export interface OrderDoubt {
  readonly type: 'order.doubt';
  readonly sure: boolean;
}

/** The trace of a round, for the network. */
export interface NetworkRun {
  readonly type: 'network.run';
  readonly bench: readonly BenchLine[];
}

/** What the transactions of the trace took. */
export interface NetworkDone {
  readonly type: 'network.done';
  readonly lines: readonly DelayLine[];
}
