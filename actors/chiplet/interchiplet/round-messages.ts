import type { ShownBy } from '../../../kernel/protocol/protocol.ts';
import type { InterchipletMessage, interchipletProtocol } from './protocol.ts';

/*
 * Names of what happens between the parts of a coordinator, and between it and the network, in a round (chiplet specification 9.1).
 */

export type RoundLoad = InterchipletMessage<'round.load'>;
export type ProcessBegin = InterchipletMessage<'process.begin'>;
export type BenchAdd = InterchipletMessage<'bench.add'>;
export type ProcessEnded = InterchipletMessage<'process.ended'>;
export type RecordUsed = InterchipletMessage<'record.used'>;
export type RecordsDiscard = InterchipletMessage<'records.discard'>;
export type ProcessParked = InterchipletMessage<'process.parked'>;
export type ProcessFreed = InterchipletMessage<'process.freed'>;
export type OrderDoubt = InterchipletMessage<'order.doubt'>;
export type NetworkRun = InterchipletMessage<'network.run'>;
export type NetworkDone = InterchipletMessage<'network.done'>;
export type BarrierOpened = Extract<ShownBy<typeof interchipletProtocol>, { type: 'barrier.opened' }>;
