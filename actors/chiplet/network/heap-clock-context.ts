import type { Fixed } from '../../../kernel/resource.ts';
import type { EventHeap } from './event-heap.ts';
import type { ClockSpec } from './late-events.ts';
import type { PacketHolder } from './packet-book.ts';
import type { FlitLoad, NetworkMessage } from './protocol.ts';
import type { Transaction } from './transactions.ts';

/** Fixed numbers of a clock that orders events by a heap. */
export interface HeapClockSpec extends ClockSpec {
  /** Cycles that a flit is on a link, by its number. */
  readonly delays: readonly number[];
  /** Virtual channels of a port. */
  readonly channels: number;
  /** Input port at the end of each link, by its number. */
  readonly farPorts: readonly number[];
  /** Packets of the trace. */
  readonly packets: number;
  /** True for the order of the LegoSim edition, which leaps over cycles in which no packet is under way. */
  readonly leaps: boolean;
  /** By packet of the trace: what it asks for; empty when packets are just packets. */
  readonly transactions: readonly Transaction[];
}

/** What a clock that orders events is told of the turns of a cycle. */
export interface TurnRecord extends PacketHolder {
  /** What routers begin in their turns, in order, as `event-log.ts` writes it. */
  log: number[] | undefined;
  /** Packets that have arrived. */
  readonly arrived: number;
  /** The first router from this one on that wants a turn; -1 when there is none. */
  firstFrom(router: number): number;
  /** What a flit carries, where routers have no store of payloads in common; forgets it. */
  loadOf(flit: number): FlitLoad | undefined;
}

/** What such a clock is made from. */
export interface HeapClockInput {
  readonly spec: HeapClockSpec;
  readonly sharedState: TurnRecord;
}

/** A clock that orders events by a heap: the heap, and how far it is in the trace. */
export interface HeapClockContext {
  readonly spec: Fixed<HeapClockSpec>;
  readonly sharedState: TurnRecord;
  readonly heap: EventHeap;
  /** The next packet of the trace. */
  packet: number;
  /** Acknowledgements that were planned. */
  answered: number;
  /** Flits on wires whose arrival has not come out of the heap. */
  flying: number;
  /** By link on which a flit takes whole cycles: flit, channel and change of each that is on it, in order. */
  readonly carried: number[][];
  /** Number of the link whose flit is the first event after the end; -1 when it is another event. */
  lastLink: number;
  late: NetworkMessage<'wire.late'>[];
  endTime: number;
  /** True when the first event after the end is the turns of a cycle. */
  endsWithTurns: boolean;
  cycle: number;
}
