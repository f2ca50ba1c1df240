import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { keyOf } from '../gpu/mailbox-store.ts';
import type { ChipletMessage } from '../gpu/protocol.ts';
import type { PacketHolder } from '../network/packet-book.ts';
import type { NetworkMessage } from '../network/protocol.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { type ChipletPlaces, noChiplet, pairKey, readableFrom, tickOfCycle } from './chiplet-place.ts';
import { type SystemOutbox, systemProtocol } from './protocol.ts';

/** Fixed numbers of the interface. */
export interface NetworkInterfaceSpec {
  readonly self: Address;
  readonly chiplets: ChipletPlaces;
  /** Routers by number. */
  readonly routers: readonly Address[];
  /** Ticks of the system in a cycle of the network, at least 2. */
  readonly cycleTicks: number;
  /** Flits of the packet of one message. */
  readonly flits: number;
  /** True when routers draw from one stream, so that one is told after the other. */
  readonly oneByOne: boolean;
}

/** The messages of one sender to one receiver. */
interface PairInFlight {
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  readonly values: number[];
  /** Messages that arrived before one that was sent earlier, by number. */
  readonly early: Record<number, true>;
  /** Messages handed over. */
  delivered: number;
}

/** A message that waits for its cycle. */
interface MessageOffer {
  /** First cycle of the network whose turns see it. */
  readonly seen: number;
  /** Cycle of the network in which it was sent; may be a fraction. */
  readonly time: number;
  readonly source: number;
  readonly target: number;
  readonly pair: string;
  /** Number in its pair, from 0. */
  readonly number: number;
}

/** What the interface remembers. */
export interface NetworkInterfaceContext {
  readonly spec: Fixed<NetworkInterfaceSpec>;
  readonly sharedState: PacketHolder;
  pairs: Record<string, PairInFlight>;
  offers: MessageOffer[];
  /** By packet under way: its pair and its number there. */
  underWay: Record<number, readonly [pair: string, number: number]>;
  cycle: number;
  /** The last cycle that a turn is planned in. */
  planned: number;
  sent: number;
  delivered: number;
}

const role = systemProtocol.roles.Interface;

/** The kit of interfaces, also for planted faults. */
export const networkInterfaceKit = role.component<NetworkInterfaceContext>();
const { act, update, when, report } = networkInterfaceKit;

/** Offers by the cycle that sees them, by time, and at one time by the number of the router. */
const isBefore = (one: MessageOffer, other: MessageOffer): boolean =>
  one.seen !== other.seen
    ? one.seen < other.seen
    : one.time !== other.time
      ? one.time < other.time
      : one.source < other.source;

function offer(
  c: NetworkInterfaceContext,
  message: ChipletMessage<'message.send'>,
  out: SystemOutbox<'Interface'>,
): void {
  const { self, chiplets, cycleTicks } = c.spec.value;
  const { src, dst, value } = message;
  const source = chiplets[keyOf(src)]!;
  const target = chiplets[keyOf(dst)]!;
  const key = pairKey(src, dst);
  c.pairs[key] ??= { src, dst, values: [], early: {}, delivered: 0 };
  const pair = c.pairs[key]!;
  const tick = tickOfCycle(source, message.cycle);
  const seen = Math.floor(tick / cycleTicks) + 1;
  const one: MessageOffer = {
    seen,
    time: tick / cycleTicks,
    source: source.router,
    target: target.router,
    pair: key,
    number: pair.values.length,
  };
  pair.values.push(value);
  let at = c.offers.length;
  while (at > 0 && isBefore(one, c.offers[at - 1]!)) at--;
  c.offers.splice(at, 0, one);
  if (c.planned >= seen) return;
  c.planned = seen;
  out.send(self, cycleTicks * seen - 1 - tick, { to: self, type: 'interface.turn', cycle: seen });
}

function tellNext(c: NetworkInterfaceContext, out: SystemOutbox<'Interface'>): void {
  const { routers, flits } = c.spec.value;
  const { time, source, target, pair, number } = c.offers.shift()!;
  const packet = c.sharedState.packets.enter({ time, source, target, size: flits });
  c.underWay[packet] = [pair, number];
  const to = routers[source]!;
  out.send(to, 0, {
    to,
    type: 'packets.due',
    at: time,
    cycle: c.cycle,
    packet,
    order: c.sharedState.packets.orderOf(packet),
  });
}

const hasMore = ({ offers, cycle }: NetworkInterfaceContext): boolean =>
  offers.length > 0 && offers[0]!.seen <= cycle;

/** Hands over what arrived, in the order in which it was sent. */
function handOver(
  c: NetworkInterfaceContext,
  { packet, cycle }: NetworkMessage<'packet.delivered'>,
  out: SystemOutbox<'Interface'>,
): void {
  const { chiplets, cycleTicks } = c.spec.value;
  const [key, number] = c.underWay[packet]!;
  delete c.underWay[packet];
  const pair = c.pairs[key]!;
  const { src, dst, values, early } = pair;
  early[number] = true;
  const to = chiplets[keyOf(dst)]!;
  const readable = readableFrom(to, cycleTicks * cycle);
  while (early[pair.delivered]) {
    const value = values[pair.delivered]!;
    delete early[pair.delivered];
    pair.delivered++;
    c.delivered++;
    out.post({ to: to.mailbox, type: 'message.arrived', src, dst, value, ...readable });
  }
}

/**
 * The way of messages into the network and out of it (chiplet specification 12, coupled): each is a packet that is sent in the cycle of its
 * sending, and can be received when its tail was accepted, after all earlier ones of its pair.
 *
 * Details: packets of one pair may overtake each other on different virtual channels; they are held back here. A packet that is sent in cycle T of
 * the network is seen by the turns of the cycle after: it did not exist when those of cycle T were planned (chiplet specification 5.3).
 */
export const networkInterface = setup({
  types: role.types<
    NetworkInterfaceContext,
    { readonly spec: NetworkInterfaceSpec; readonly sharedState: PacketHolder }
  >(),
  guards: {
    known: when<'message.send'>(({ spec }, { src, dst }) => {
      const { chiplets } = spec.value;
      return keyOf(src) in chiplets && keyOf(dst) in chiplets;
    }),
    hasMore: when(hasMore),
    tellsAll: when(({ spec }) => !spec.value.oneByOne),
  },
  actions: {
    count: update((c) => {
      c.sent++;
    }),
    offer: act<'message.send'>(offer),
    complain: report<'message.send'>((_c, { src, dst }) => noChiplet(src, dst)),
    beginCycle: update<'interface.turn'>((c, { cycle }) => {
      c.cycle = cycle;
    }),
    tellNext: act((c, _event, out) => tellNext(c, out)),
    tellAll: act((c, _event, out) => {
      while (hasMore(c)) tellNext(c, out);
    }),
    handOver: act<'packet.delivered'>(handOver),
  },
}).createMachine({
  id: 'networkInterface',
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
    pairs: {},
    offers: [],
    underWay: {},
    cycle: 0,
    planned: -1,
    sent: 0,
    delivered: 0,
  }),
  on: {
    'message.send': [{ guard: 'known', actions: ['count', 'offer'] }, { actions: ['count', 'complain'] }],
    'packet.delivered': { actions: 'handOver' },
  },
  initial: 'resting',
  states: {
    resting: {
      on: {
        'interface.turn': [
          { guard: 'tellsAll', actions: ['beginCycle', 'tellAll'] },
          { target: 'telling', actions: 'beginCycle' },
        ],
        'packets.taken': {},
      },
    },
    telling: {
      always: [{ guard: 'hasMore', target: 'waitingForRouter', actions: 'tellNext' }, { target: 'resting' }],
    },
    waitingForRouter: {
      on: { 'packets.taken': 'telling' },
    },
  },
});
