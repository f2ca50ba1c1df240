import type { Post } from '../../../kernel/message.ts';
import { field } from '../../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type OutboxOf,
  protocol,
  type RoleOf,
  type ShapesByType,
} from '../../../kernel/protocol/protocol.ts';
import { carrierAnswers, chipletRoles, hostEnded, messageSend, messageWanted } from '../gpu/protocol.ts';
import { networkRoles } from '../network/protocol.ts';

/*
 * What chiplets, gates, the cycle barrier and who carries messages say to each other (chiplet specification 9.5, 10, 12). Cycles are those of a chiplet's counter; ticks are
 * ticks of the system, in which a chiplet that stands at a meeting counts nothing.
 */

const count = field.int();
/** Numbers of meetings, from 0. */
const generation = count;
const chiplet = field.index('Gate');

/** A system of chiplets: their parts, the network, and who stands between them. */
export const systemProtocol = protocol({
  ...networkRoles,
  ...chipletRoles,
  /** Carries each message at once. */
  Carrier: { receives: messageSend },
  /** Says when each message ends. */
  Desk: { receives: { ...messageSend, ...messageWanted } },
  /** The way into the network and out of it. */
  Interface: {
    receives: {
      ...messageSend,
      /** The packets of a cycle are due. */
      'interface.turn': { cycle: count },
      'packets.taken': networkRoles.Injector.receives['packets.taken'],
      ...networkRoles.Transactions.receives,
    },
  },
  /** The border of a chiplet that meets others. */
  Gate: {
    receives: {
      /** A part of the chiplet posts something that is due after the next meeting: the message without a delay, and the cycles that the chiplet has counted when it is due. */
      'gate.hold': { letter: field.data<Post>(), at: count },
      /** It has come to the cycle of a meeting. */
      'gate.meet': { generation },
      /** Somebody stands at a meeting: who has not arrived does so when he has counted as far. */
      'sync.call': { generation },
      /** All have arrived at the meeting, the last one in a tick; the next one is in `cycle`. */
      'sync.release': { generation, cycle: count, tick: count },
      ...hostEnded,
      ...messageSend,
      ...messageWanted,
      ...carrierAnswers,
    },
  },
  CycleBarrier: {
    receives: {
      /** A gate stops: its cycle counter, and the tick in which it came there; before the one in which it says so when it had nothing to do since. */
      'sync.arrive': { chiplet, generation, cycle: count, tick: count },
      /** A chiplet has come to its end: it counts as arrived at all later meetings. */
      'sync.finish': { chiplet, cycle: count },
    },
    shows: {
      /** The synchronisation file would be written. */
      'sync.file': { text: field.text() },
    },
  },
});

type System = typeof systemProtocol;
/** What the parts of a role hear. */
export type SystemEvents<R extends RoleOf<System>> = EventsOf<System, R>;
/** What the parts of a role may put out. */
export type SystemOutbox<R extends RoleOf<System>> = OutboxOf<System, R>;
/** A message by its type. */
export type SystemMessage<T extends MessagesOf<System>['type']> = MessageOf<System, T>;
/** Messages and probes by type: what properties read. */
export type SystemMessages = ShapesByType<System>;
