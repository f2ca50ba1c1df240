import type { Address } from '../../../kernel/message.ts';
import type { TcaParameters } from '../parameters.ts';
import type { TcaMessage, TcaOutbox } from '../protocol.ts';
import type { Barrier } from './barrier.ts';
import type { Delivery, Fatal, GasnetAnswer, GasnetCall, MessageCall, Status } from './calls.ts';
import type { Locks } from './handler-locks.ts';
import type { Job } from './job.ts';
import type { LayoutInput, RingClass, SegmentBytes } from './layout.ts';
import type { GasnetOptions } from './options.ts';
import type { Header } from './packet.ts';

/** Whom the runtime knows; receivers by peer and class of ring. */
export interface RuntimeInput {
  readonly node: number;
  readonly layout: LayoutInput;
  readonly options: GasnetOptions;
  readonly parameters: TcaParameters;
  readonly cpu: Address;
  readonly planner: Address;
  readonly copier: Address;
  readonly pio: Address;
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
  readonly receivers: readonly (readonly Address[])[];
  /** Those who hear when slots are free, as the receivers; only reports of deadlocks name them. */
  readonly senders?: readonly (readonly Address[])[];
}

/** What operations wait for before all of a group are done: a handle has a group, and so have all implicit ones (TCA specification 12.4). */
export interface Group {
  /** By peer and class of ring: the packet whose slot is to be freed. */
  acks: Record<string, number>;
  /** By channel: how many own notifications are to come. */
  left: number[];
  /** Gets whose bytes are still to come. */
  gets: number;
  /** The bytes of a value. */
  data: Uint8Array;
}

/** A packet in a receive ring, or a message from this node to itself. */
export interface Parcel {
  readonly peer: number;
  readonly ring: RingClass;
  readonly header: Header;
  readonly payload: Uint8Array;
  readonly slot: number;
}

/** What the call at hand waits for. */
export type Goal =
  | { readonly goal: 'nothing' }
  /** The source has been read. */
  | { readonly goal: 'left'; readonly left: TcaMessage<'transfer.started'>['left'] }
  | { readonly goal: 'groups'; readonly handles: readonly number[]; readonly all: boolean }
  | { readonly goal: 'implicit'; readonly of: 'puts' | 'gets' | 'all' }
  | { readonly goal: 'barrier' }
  | { readonly goal: 'arrival'; readonly arrivals: number }
  | { readonly goal: 'puts'; readonly source: number; readonly count: number }
  | { readonly goal: 'attach' };

/** What the call at hand does to the memories of its own node: bytes copied, filled with a value, stored, or loaded for the program. */
export type LocalWork =
  | { readonly work: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  | { readonly work: 'fill'; readonly dst: number; readonly bytes: number; readonly value: number }
  | { readonly work: 'store'; readonly dst: number; readonly data: Uint8Array }
  | { readonly work: 'load'; readonly src: number; readonly bytes: number };

/** A job of the call at hand. */
export interface Outgoing {
  readonly job: Job;
  /** The group that waits for its completion; -1 for none. */
  readonly group: number;
  /** The call returns only when the source has been read. */
  readonly waitsLeft: boolean;
}

/** The runtime of a node. */
export interface RuntimeContext {
  readonly spec: RuntimeInput;
  attached: boolean;
  handlers: readonly number[];
  segments: (SegmentBytes | null)[];
  /** The call at hand, whether it has begun, and what it waits for. */
  call: GasnetCall | null;
  begun: boolean;
  goal: Goal;
  status: Status;
  value: number;
  data: Uint8Array;
  /** Packets that are looked at before the call begins. */
  budget: number;
  jobs: Outgoing[];
  sending: Outgoing | null;
  works: LocalWork[];
  /** A message to this node itself that waits for its copies. */
  own: Delivery | null;
  /** Rings in which the job at hand found no slot: below it in a call, and in an answer. */
  blocked: { readonly peer: number; readonly ring: RingClass; readonly sequence: number }[];
  /** Slots that the receivers have freed, by peer and class of ring. */
  freed: number[][];
  selfSeen: number[];
  /** Rings with packets, in the order in which they told. */
  ready: { readonly peer: number; readonly ring: RingClass }[];
  /** Messages set aside: to this node itself, and replies that came while an answer was being sent. */
  parked: Delivery[];
  /** First packets of messages that have a second one. */
  partial: Record<string, Parcel>;
  /** Own notifications after which a long reply has left. */
  leaving: TcaMessage<'transfer.started'>['left'];
  /** The packet at hand, one taken while an answer is being sent, and the message whose handler runs. */
  parcel: Parcel | null;
  drained: Parcel | null;
  delivery: Delivery | null;
  replied: boolean;
  /** Handlers run and puts seen, now and when the call at hand was made. */
  arrivals: number;
  arrivalsBefore: number;
  /** Puts that have come, by the node that put. */
  putsFrom: number[];
  groups: Record<number, Group>;
  /** Which group a get of this node belongs to. */
  gets: Record<number, number>;
  nextToken: number;
  nextHandle: number;
  /** The access region that is open; 0 without one. */
  region: number;
  barrier: Barrier;
  locks: Locks;
  fatal: { readonly code: Fatal; readonly why: string } | null;
  exitCode: number;
}

export type RuntimeOut = TcaOutbox<'Gasnet'>;

/** A group in which nothing is outstanding. */
export const emptyGroup = (): Group => ({ acks: {}, left: [0, 0, 0, 0], gets: 0, data: new Uint8Array(0) });

/** Handle of the implicit operations outside of access regions; also that of an operation that was done at once. */
export const implicitGroup = 0;

/** Ends the job: nothing that the program does can mend it, and the status does not matter any more (TCA specification 17). */
export function fail(c: RuntimeContext, code: Fatal, why: string): Status {
  c.fatal ??= { code, why: `${code}: rank ${c.spec.node}: ${why}` };
  return 'OK';
}

/** Gives an answer to the program, after some cycles. */
export function answer(c: RuntimeContext, given: GasnetAnswer, delay: number, out: RuntimeOut): void {
  out.post({ to: c.spec.cpu, type: 'gasnet.return', answer: given, delay });
}

/** The delivery of a message of this node to itself. */
export const ownDelivery = (
  node: number,
  { kind, handler, args, dst, bytes }: MessageCall,
  reply: boolean,
): Delivery => ({
  kind,
  handler,
  args,
  source: node,
  reply,
  payload: new Uint8Array(0),
  address: dst,
  bytes,
});

/** Has the runtime go on after some sub-ticks. */
export const turnIn = (delay: number, out: RuntimeOut): void =>
  out.post({ to: out.self, type: 'runtime.turn', delay });
