import type { Address } from '../../../kernel/message.ts';
import type { TcaParameters } from '../parameters.ts';
import type { ChannelPart, TcaOutbox } from '../protocol.ts';
import type { Split } from '../split.ts';
import type { Job } from './job.ts';
import type { LayoutInput } from './layout.ts';
import type { GasnetOptions } from './options.ts';
import type { Piece } from './transfer-plan.ts';

/** Whom the planner knows; senders by peer and class of ring. */
export interface PlannerInput {
  readonly node: number;
  readonly layout: LayoutInput;
  readonly options: GasnetOptions;
  readonly parameters: TcaParameters;
  readonly senders: readonly (readonly Address[])[];
  readonly dmacs: readonly Address[];
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
  readonly copier: Address;
  readonly pio: Address;
  readonly cache: Address;
  readonly weights: Address;
  readonly stops: Address;
  readonly runtime: Address;
  /** The receiving sides of rings, by peer and class of ring. */
  readonly receivers: readonly (readonly Address[])[];
}

/** A number of own notifications on a channel. */
export interface SelfCount {
  readonly channel: number;
  readonly count: number;
}

/** A job that is being sent. */
export interface Work {
  readonly job: Job;
  pieces: readonly Piece[];
  next: number;
  /** Number of the packet whose slot is reserved; -1 without one. */
  slot: number;
  /** Channels that a packet by PIO must not overtake. */
  behind: readonly number[];
  /** Number of the last packet sent. */
  sequence: number;
  left: SelfCount[];
  /** Freed slots that the packet at hand tells of, by class of ring; null when it tells of none. */
  told: readonly [number, number] | null;
}

/** A transfer whose channels are timed (TCA specification 12.8). */
export interface Timed {
  readonly pattern: string;
  readonly split: Split;
  readonly begun: number[];
  readonly ended: number[];
  readonly awaited: SelfCount[];
}

/** What is being sent, and what is known of what was. */
export interface PlannerContext {
  readonly spec: PlannerInput;
  /** Jobs, the one at hand last: one that waits for space may be below it. */
  works: Work[];
  /** By buffer: the notifications after which it may be filled again. */
  buffers: SelfCount[][];
  buffer: number;
  /** Own notifications asked for and come, by channel. */
  selfSent: number[];
  selfSeen: number[];
  /** Parts told to each node, by channel. */
  partsSent: number[][];
  /** Packets of each node that are handled and may be told of, by class of ring. */
  doneFrom: [number, number][];
  /** Descriptors that channels may be reading. */
  inFlight: { readonly key: string; readonly channels: readonly number[] }[];
  timed: Timed[];
  /** Sub-ticks of readings of the clock at completions, which the next transfer has to wait for. */
  clockDebt: number;
  /** When each channel is expected to have done its work, for the scheduler that gives it one request at a time. */
  expected: number[];
  /** The transfer at hand: its split, whether it is timed, its descriptors and those whose channel is still to be started. */
  split: Split;
  tuning: boolean;
  parts: readonly ChannelPart[];
  started: number;
  /** What the processor stores by PIO. */
  bytes: Uint8Array;
}

export type Out = TcaOutbox<'Planner'>;

export const workOf = (c: PlannerContext): Work => c.works.at(-1)!;
export const pieceOf = (c: PlannerContext): Piece | undefined => {
  const work = c.works.at(-1);
  return work?.pieces[work.next];
};
export const senderOf = (c: PlannerContext): Address => {
  const { target, ring } = workOf(c).job;
  return c.spec.senders[target]![ring]!;
};
export const isLeft = (c: PlannerContext, counts: readonly SelfCount[]): boolean =>
  counts.every(({ channel, count }) => c.selfSeen[channel]! >= count);
