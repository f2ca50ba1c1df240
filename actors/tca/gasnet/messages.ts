import type { Descriptor } from '../descriptor.ts';
import type { Split, TuningRound } from '../split.ts';
import type { GasnetAnswer, GasnetCall } from './calls.ts';
import type { Job } from './job.ts';
import type { RingClass } from './layout.ts';
import type { Header } from './packet.ts';

/*
 * What the parts of the runtime say to each other (TCA specification 11, 12, 15).
 */

/** A program calls the runtime, and gets an answer. */
export interface GasnetAsked {
  readonly type: 'gasnet.call';
  readonly call: GasnetCall;
}
export interface GasnetAnswered {
  readonly type: 'gasnet.return';
  readonly answer: GasnetAnswer;
}
/** The job is over: the processor stops where it is. */
export interface CpuExit {
  readonly type: 'cpu.exit';
  readonly code: number;
}

/** The runtime goes on after work that took it time. */
export interface RuntimeTurn {
  readonly type: 'runtime.turn';
}

/** Words of the board, as they come: packets announced, parts of transfers, slots freed, own transfers that have left, the end of the job. */
export interface RingHead {
  readonly type: 'ring.head';
  readonly head: number;
}
export interface RingPart {
  readonly type: 'ring.part';
  readonly channel: number;
  readonly count: number;
}
export interface RingFreed {
  readonly type: 'ring.freed';
  readonly freed: number;
}
export interface SelfNotified {
  readonly type: 'self.notified';
  readonly channel: number;
  readonly count: number;
}
export interface JobExit {
  readonly type: 'job.exit';
  readonly code: number;
}

/** How many packets of a receive ring are handled; and of how many a packet has told that goes the other way (TCA specification 11). */
export interface RingDone {
  readonly type: 'ring.done';
  readonly peer: number;
  readonly ring: RingClass;
  readonly done: number;
}
export interface RingTold {
  readonly type: 'ring.told';
  readonly done: number;
}

/** A slot of a send ring is asked for, given or refused, and its packet sent. */
export interface TxReserve {
  readonly type: 'tx.reserve';
}
export interface TxSlot {
  readonly type: 'tx.slot';
  readonly sequence: number;
  /** Channels with packets of this ring that have perhaps not arrived: a packet by PIO must not overtake them. */
  readonly behind: readonly number[];
}
export interface TxFull {
  readonly type: 'tx.full';
  /** Number of the packet that finds no slot. */
  readonly sequence: number;
}
export interface TxPosted {
  readonly type: 'tx.posted';
  /** Channels that carry the packet; none when it went by PIO. */
  readonly channels: readonly number[];
}
/** The receiver has freed slots up to this number of packets. */
export interface TxFreed {
  readonly type: 'tx.freed';
  readonly peer: number;
  readonly ring: RingClass;
  readonly freed: number;
}

/** A packet waits in a receive ring, is taken, handled and its slot freed. */
export interface PacketReady {
  readonly type: 'packet.ready';
  readonly peer: number;
  readonly ring: RingClass;
}
export interface PacketTake {
  readonly type: 'packet.take';
}
export interface PacketContent {
  readonly type: 'packet.content';
  readonly peer: number;
  readonly ring: RingClass;
  readonly header: Header;
  readonly payload: Uint8Array;
  /** Address of its slot. */
  readonly slot: number;
}
export interface PacketDone {
  readonly type: 'packet.done';
}
export interface PacketFreed {
  readonly type: 'packet.freed';
}

/** Bytes to be sent, with what comes of it. */
export interface TransferBegin {
  readonly type: 'transfer.begin';
  readonly job: Job;
}
/** A job that waited for space may go on. */
export interface TransferResume {
  readonly type: 'transfer.resume';
}
/** The processor has done its part of a job. */
export interface TransferStarted {
  readonly type: 'transfer.started';
  /** Number of the last packet of the job in its ring. */
  readonly sequence: number;
  /** Own notifications after which the source has been read, by channel. */
  readonly left: readonly { readonly channel: number; readonly count: number }[];
}
/** The ring is full: the job waits until it is resumed. */
export interface TransferBlocked {
  readonly type: 'transfer.blocked';
  readonly peer: number;
  readonly ring: RingClass;
  /** Number of the packet that finds no slot. */
  readonly sequence: number;
}

/** One channel of a transfer, and the descriptors of its data. */
export interface ChannelPart {
  readonly channel: number;
  readonly data: readonly Descriptor[];
}

/** Descriptors are looked for, kept, and no longer in use. */
export interface CacheFind {
  readonly type: 'cache.find';
  readonly key: string;
}
export interface CacheFound {
  readonly type: 'cache.found';
  readonly parts: readonly ChannelPart[] | null;
}
export interface CacheKeep {
  readonly type: 'cache.keep';
  readonly key: string;
  readonly parts: readonly ChannelPart[];
}
export interface CacheRelease {
  readonly type: 'cache.release';
  readonly keys: readonly string[];
}

/** How a transfer of a pattern is to be split, and how one went. */
export interface WeightsAsk {
  readonly type: 'weights.ask';
  readonly pattern: string;
  readonly amount: number;
  readonly unit: number;
}
export interface WeightsSplit {
  readonly type: 'weights.split';
  readonly split: Split;
  /** True while the pattern is being tuned: the transfer is to be measured. */
  readonly tuning: boolean;
}
export interface WeightsNote {
  readonly type: 'weights.note';
  readonly pattern: string;
  readonly round: TuningRound;
}

/** Channels that shall run or, `taken`, whose writes PIO shall not overtake; that are known to have stopped; that were started. */
export interface StopAsk {
  readonly type: 'stop.ask';
  readonly channels: readonly number[];
  readonly taken: boolean;
}
export interface StopKnown {
  readonly type: 'stop.known';
}
export interface StopStarted {
  readonly type: 'stop.started';
  readonly channels: readonly number[];
}

/** All messages of this file. */
export type GasnetMessage =
  | GasnetAsked
  | GasnetAnswered
  | CpuExit
  | RuntimeTurn
  | RingHead
  | RingPart
  | RingFreed
  | SelfNotified
  | JobExit
  | RingDone
  | RingTold
  | TxReserve
  | TxSlot
  | TxFull
  | TxPosted
  | TxFreed
  | PacketReady
  | PacketTake
  | PacketContent
  | PacketDone
  | PacketFreed
  | TransferBegin
  | TransferResume
  | TransferStarted
  | TransferBlocked
  | CacheFind
  | CacheFound
  | CacheKeep
  | CacheRelease
  | WeightsAsk
  | WeightsSplit
  | WeightsNote
  | StopAsk
  | StopKnown
  | StopStarted;
