import type { SunwayMessage } from '../../protocol.ts';
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

/*
 * Names of what an engine at block granularity and the transfers inside it say to each other beside what engines of both levels say, as `protocol.ts` declares it.
 */

export type TransferCut = SunwayMessage<'transfer.cut'>;
export type TransferStall = SunwayMessage<'transfer.stall'>;
export type TransferBlock = SunwayMessage<'transfer.block'>;
export type TransferStep = SunwayMessage<
  | 'transfer.collect'
  | 'transfer.readBlock'
  | 'transfer.stream'
  | 'transfer.endOwnSide'
  | 'transfer.countLocal'
>;
export type FlitBegun = SunwayMessage<'blocks.begun'>;
export type TransferWaits = SunwayMessage<'transfer.waits'>;
export type TransferSends = SunwayMessage<'transfer.sends'>;
export type TransferMoved = SunwayMessage<'transfer.moved'>;
export type TransferEnded = SunwayMessage<'transfer.ended'>;
export type FlitAnswerBegun = SunwayMessage<'foreign.begun'>;
export type FlitAnswerSends = SunwayMessage<'answer.sends'>;

/** When a transfer goes on by itself, with what, and where it matters with which of its blocks or packets. */
export type FlitWake = FlitAnswerBegun['wake'];
/** What goes out as a packet. */
export type Outgoing = TransferSends['out'];
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
