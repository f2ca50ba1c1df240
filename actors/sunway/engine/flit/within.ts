import type { DescriptorKind } from '../../descriptor.ts';
import type { PacketContent } from '../../network/packet.ts';
import type {
  AnswerOpen,
  TransferArrived,
  TransferBegin,
  TransferNoted,
  TransferOpen,
  TransferOver,
  TransferPass,
  TransferPlaced,
  TransferSource,
  TransferWritten,
} from '../within.ts';
import type { BlockStep } from './block-turn.ts';

/*
 * What an engine at block granularity and the transfers inside it say to each other, beside what engines of both levels say: nobody else hears it, and it takes no time. Times
 * are in thousandths of a cycle where a name does not say cycle.
 */

/** When a transfer goes on by itself, with what, and where it matters with which of its blocks or packets. */
export interface FlitWake {
  readonly step: BlockStep;
  readonly offset: number;
  readonly cycle: number;
}
/** What goes out as a packet; `targets` 0: it has no receiver. */
export interface Outgoing {
  readonly content: PacketContent;
  readonly targets: number;
}

/** The transfer makes the request for its next block. */
export interface TransferCut {
  readonly type: 'transfer.cut';
}
/** There is no room for its next request in the window. */
export interface TransferStall {
  readonly type: 'transfer.stall';
}
/** MEM_RSP with a block of a get; the way into the LDM has room for it at `through`. */
export interface TransferBlock {
  readonly type: 'transfer.block';
  readonly offset: number;
  readonly data: Uint8Array;
  readonly through: number;
}
/** What a transfer asked for by a `FlitWake`, or what its turn is for: a block goes into the LDM; a block of the source is read; packets of the source are; its own side is over; it is counted. */
export interface TransferStep {
  readonly type:
    | 'transfer.collect'
    | 'transfer.readBlock'
    | 'transfer.stream'
    | 'transfer.endOwnSide'
    | 'transfer.countLocal';
  readonly offset: number;
}

/** A transfer has begun; see `TransferBegun` of the level above. DMA occupies its side until it is cut: `freeAt` is Infinity. */
export interface FlitBegun {
  readonly type: 'transfer.begun';
  readonly transfer: number;
  readonly freeAt: number;
  readonly holds: number;
  /** Until when it does, RMA only. */
  readonly heldUntil: number;
  /** The CPE among whose DMA transfers it is counted in order, -1 for none. */
  readonly inOrderOf: number;
  readonly wake: FlitWake | null;
  readonly out: Outgoing | null;
}
/** A transfer goes on by itself in a cycle. */
export interface TransferWaits {
  readonly type: 'transfer.waits';
  readonly transfer: number;
  readonly wake: FlitWake;
}
/** A packet of a transfer goes out; a block may be through with it. */
export interface TransferSends {
  readonly type: 'transfer.sends';
  readonly transfer: number;
  readonly out: Outgoing;
  readonly moved: boolean;
  readonly wake: FlitWake | null;
}
/** A block is through and gives its room in the window back. */
export interface TransferMoved {
  readonly type: 'transfer.moved';
  readonly transfer: number;
  readonly tid: number;
  readonly kind: DescriptorKind;
  /** Whether nothing of the transfer is under way any more. */
  readonly over: boolean;
  readonly wake: FlitWake | null;
}
/** The own side of a DMA transfer is over: it is counted when its turn is. */
export interface TransferEnded {
  readonly type: 'transfer.ended';
  readonly transfer: number;
  readonly tid: number;
}

/** The engine is busy with the answer until `freeAt`; its source is read from a cycle on. */
export interface FlitAnswerBegun {
  readonly type: 'answer.begun';
  readonly transfer: number;
  readonly freeAt: number;
  readonly wake: FlitWake;
}
/** A packet of an answer goes out; behind the last one its place is free. */
export interface FlitAnswerSends {
  readonly type: 'answer.sends';
  readonly transfer: number;
  readonly out: Outgoing;
  readonly last: boolean;
}

/** What a transfer hears. */
export type FlitTransferEvent =
  | TransferOpen
  | TransferPlaced
  | TransferPass
  | TransferBegin
  | TransferCut
  | TransferStall
  | TransferBlock
  | TransferStep
  | TransferSource
  | TransferWritten
  | TransferArrived;
/** What it tells its engine. */
export type FlitTransferSays =
  | TransferNoted
  | FlitBegun
  | TransferWaits
  | TransferSends
  | TransferMoved
  | TransferEnded
  | TransferOver;
/** What an answer to another engine hears, and what it tells its own one. */
export type FlitAnswerEvent = AnswerOpen | TransferStep | TransferSource;
export type FlitAnswerSays = FlitAnswerBegun | FlitAnswerSends | TransferWaits | TransferNoted;
