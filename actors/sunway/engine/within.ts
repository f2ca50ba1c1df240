import type { SunwayMessage } from '../protocol.ts';

/*
 * Names of what an engine and the transfers inside it say to each other, as `protocol.ts` declares it.
 */

export type TransferOpen = SunwayMessage<'transfer.open'>;
export type TransferPlaced = SunwayMessage<'transfer.placed'>;
export type TransferPass = SunwayMessage<'transfer.pass'>;
export type TransferBegin = SunwayMessage<'transfer.begin'>;
export type TransferNoted = SunwayMessage<'transfer.noted'>;
export type TransferBegun = SunwayMessage<'transfer.begun'>;
export type TransferWake = SunwayMessage<'transfer.wake'>;
export type TransferTurn = SunwayMessage<'transfer.turn'>;
export type TransferBytes = SunwayMessage<'transfer.bytes'>;
export type TransferWritten = SunwayMessage<'transfer.written'>;
export type TransferGranted = SunwayMessage<'transfer.granted'>;
export type TransferSource = SunwayMessage<'transfer.source'>;
export type TransferArrived = SunwayMessage<'transfer.arrived'>;
export type TransferOver = SunwayMessage<'transfer.over'>;
export type AnswerOpen = SunwayMessage<'answer.open'>;
export type AnswerBegun = SunwayMessage<'answer.begun'>;
export type AnswerOver = SunwayMessage<'answer.over'>;

/** When a transfer goes on by itself, and with what. */
export type Wake = AnswerBegun['wake'];
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
