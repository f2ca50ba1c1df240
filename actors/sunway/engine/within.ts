import type { Descriptor, DescriptorKind } from '../descriptor.ts';
import type { EngineStep, RmaRead } from '../messages.ts';

/*
 * What an engine and the transfers inside it say to each other: nobody else hears it, and it takes no time. Times are in thousandths of a cycle where a name does not say cycle.
 */

/** The engine hands a transfer its descriptor; `placed` when the queue of the CPE has room for it. */
export interface TransferOpen {
  readonly type: 'transfer.open';
  readonly descriptor: Descriptor;
  readonly jitter: number;
  readonly placed: boolean;
}
/** The transfer has its place in the queue now. */
export interface TransferPlaced {
  readonly type: 'transfer.placed';
}
/** A barrier operation is over. */
export interface TransferPass {
  readonly type: 'transfer.pass';
}
/** The transfer is taken up: its side of the engine is free at `freeAt`, it was ready in cycle `ready`. */
export interface TransferBegin {
  readonly type: 'transfer.begin';
  readonly freeAt: number;
  readonly ready: number;
}
/** What was handed over is taken: the engine goes on. */
export interface TransferNoted {
  readonly type: 'transfer.noted';
}
/** The transfer has begun: its side is free again at `freeAt`; with a step, the transfer goes on by itself in a cycle. */
export interface TransferBegun {
  readonly type: 'transfer.begun';
  readonly transfer: number;
  readonly freeAt: number;
  /** The CPE whose next RMA transfer has to wait until this one has left the engine, -1 for none. */
  readonly holds: number;
  readonly wake: Wake | null;
}
/** When a transfer goes on by itself, and with what. */
export interface Wake {
  readonly step: EngineStep;
  readonly cycle: number;
}
/** The own side of a transfer ends in a cycle, `lead` cycles after its step. `inOrder`: not before those of its CPE that began earlier. */
export interface TransferWake {
  readonly type: 'transfer.wake';
  readonly transfer: number;
  readonly tid: number;
  readonly step: EngineStep;
  readonly cycle: number;
  readonly lead: number;
  readonly inOrder: boolean;
}
/** It is that cycle. */
export interface TransferTurn {
  readonly type: 'transfer.turn';
}
/** MEM_RSP of a get: its bytes, and when the controller was through with the last one. */
export interface TransferBytes {
  readonly type: 'transfer.bytes';
  readonly data: Uint8Array;
  readonly through: number;
}
/** MEM_RSP of a put: it is written. */
export interface TransferWritten {
  readonly type: 'transfer.written';
}
/** All blocks of a put have their slots of the write buffer. */
export interface TransferGranted {
  readonly type: 'transfer.granted';
  readonly granted: number;
}
/** The source has been read out of its LDM. */
export interface TransferSource {
  readonly type: 'transfer.source';
  readonly data: Uint8Array;
}
/** The copies for one cluster are in their LDMs. */
export interface TransferArrived {
  readonly type: 'transfer.arrived';
}
/** Nothing of a transfer is under way any more. */
export interface TransferOver {
  readonly type: 'transfer.over';
  readonly transfer: number;
  readonly tid: number;
  readonly kind: DescriptorKind;
}

/** RMA_READ: another engine gets bytes of a CPE of this cluster. */
export interface AnswerOpen {
  readonly type: 'answer.open';
  readonly request: RmaRead;
  readonly jitter: number;
  readonly freeAt: number;
}
/** The engine is busy with the answer until `freeAt`; its source is read in a cycle. */
export interface AnswerBegun {
  readonly type: 'answer.begun';
  readonly transfer: number;
  readonly freeAt: number;
  readonly wake: Wake;
}
/** The answer is on its way. */
export interface AnswerOver {
  readonly type: 'answer.over';
  readonly transfer: number;
}

/** What a transfer hears. */
export type TransferEvent =
  | TransferOpen
  | TransferPlaced
  | TransferPass
  | TransferBegin
  | TransferTurn
  | TransferBytes
  | TransferWritten
  | TransferGranted
  | TransferSource
  | TransferArrived;
/** What it tells its engine. */
export type TransferSays = TransferNoted | TransferBegun | TransferWake | TransferOver;
/** What an answer to another engine hears, and what it tells its own one. */
export type AnswerEvent = AnswerOpen | TransferTurn | TransferSource;
export type AnswerSays = AnswerBegun | AnswerOver;
