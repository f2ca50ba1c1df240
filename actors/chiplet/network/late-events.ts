import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { NetworkMessage } from './protocol.ts';

/*
 * What comes after the end of the simulation, of which only the first event happens (chiplet specification 5.3).
 */

/** Fixed numbers of a clock. */
export interface ClockSpec {
  readonly self: Address;
  readonly injector: Address;
  /** Routers by number, and the router at the end of each link by its number. */
  readonly routers: readonly Address[];
  readonly ends: readonly number[];
  /** Time at which the simulation ends; may be a fraction. */
  readonly end: number;
  /** The first cycle after the end in which some router has a turn. */
  readonly after: number;
  /** True when routers have their turns one after the other; otherwise each has its turns by itself, up to the end. */
  readonly handsOn: boolean;
  /** Time of the first packet of the trace that comes after the end; infinite when none does. */
  readonly nextPacket: number;
  /** True when that packet comes before turns of the same time, having been planned before them. */
  readonly packetFirst: boolean;
}

/** What is known of late events. */
export interface LateEvents {
  late: NetworkMessage<'wire.late'> | null;
  /** True when a credit comes in the cycle after the end, and no turns do. */
  hasLateCredit: boolean;
  endTime: number;
}

/** The event with which a simulation ends. */
export type LastEvent = 'flit' | 'packet' | 'turns' | 'credit';

/** Last cycle up to the end. */
export const lastCycleOf = ({ end }: ClockSpec): number => Math.floor(end);

/** True when a late flit arrives before another one: at the same time, that which was sent first. */
export const isEarlier = (one: NetworkMessage<'wire.late'>, other: NetworkMessage<'wire.late'>): boolean =>
  one.at !== other.at
    ? one.at < other.at
    : one.cycle !== other.cycle
      ? one.cycle < other.cycle
      : one.link < other.link;

/** Works out the first event after the end, and notes its time. */
export function lastEvent(spec: ClockSpec, events: LateEvents): LastEvent {
  const { late, hasLateCredit } = events;
  const { nextPacket, packetFirst, after: next } = spec;
  const arrival = late === null ? Number.POSITIVE_INFINITY : late.at;
  events.endTime = Math.min(arrival, nextPacket, hasLateCredit ? lastCycleOf(spec) + 1 : next);
  // Of events of the time of the turns those come first that were planned before them.
  const isFirst = (at: number, first: boolean) => at === events.endTime && (at < next || first);
  if (late !== null && isFirst(arrival, late.first)) return 'flit';
  if (isFirst(nextPacket, packetFirst)) return 'packet';
  // A credit changes nothing that anybody sees any more.
  return events.endTime === next ? 'turns' : 'credit';
}

/** Lets the late flit arrive: after the last turns, so that none follows. */
export function letArrive(
  { routers, ends }: Pick<ClockSpec, 'routers' | 'ends'>,
  { link, port, channel, flit, change, at, load }: NetworkMessage<'wire.late'>,
  out: Outbox<NetworkMessage<'flit.arrive'>>,
): void {
  const to = routers[ends[link]!]!;
  const arrive = { type: 'flit.arrive', port, channel, flit, change, cycle: Math.ceil(at) } as const;
  out.send(to, 0, { to, ...arrive, ...(load && { load }) });
}
