import { field, type RecordOf } from '../../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type OutboxOf,
  protocol,
  type RoleOf,
  type ShapesByType,
  type ShownBy,
} from '../../../kernel/protocol/protocol.ts';

/*
 * What routers, links, the injector and the clock of a network say to each other, and the parts of one router. A cycle has two ticks of the kernel: in tick 2c the routers
 * have their turns of cycle c, in tick 2c - 1 arrives what the routers see in cycle c (machines/chiplet/network-machine.ts). What the parts of a router say to each other takes
 * no time. `input` and `output` number the channels of a router port by port: `port * channels + channel`; `cycle` is the one in which something has its effect.
 */

const count = field.int();
const signed = field.int({ min: Number.MIN_SAFE_INTEGER });
/** A time, which may be a fraction. */
const time = field.data(0, 1, 2.5);
const flag = field.flag();
const cycle = count;
const router = field.index('Router');
/** Ports, and channels of a port or a router. */
const port = field.ordinal();
const channel = port;
/** A flit: its number, and whether it is the head or the tail of its packet (flit.ts). */
const flit = field.ordinal();
const packet = count;
const size = count;
const left = count;
/** Halves of 32 bits of the words of a flit, lower half first. */
const halves = field.list(signed);
/** What a flit changes on a wire, as `changeBetween` writes it. */
const change = count;
const inCycle = { cycle };
const ofInput = { input: channel };

/** What a flit carries on its way, in networks whose routers have no store of payloads in common. `target`: the router that it is addressed to; `start`: from when the delay of its packet counts. */
const flitLoad = { packet, target: router, start: time, halves };
const load = field.optional(field.record(flitLoad));
/** A flit with what it carries. */
const heldFlit = { flit, ...flitLoad };
/** A packet as its source knows it: when it may be sent, from when its delay counts, the number of its first flit. */
const sourcePacket = { packet, time, start: time, target: router, size, first: count };
/** A packet that a router is told of when it is due, since it is in no list. */
const packetOfDue = field.record({ start: time, target: router, size, first: count });

/** The simulation ends here, whatever is still under way. */
const networkStop = { 'network.stop': {} };
/** The tail of a packet was accepted. */
const delivered = { 'packet.delivered': { packet, cycle } };
/** An output channel has a place behind it again: told the router and the input channel that has it. */
const placeFree = { 'place.free': { output: channel, cycle } };
/** The router has taken what was due; the right to draw random numbers goes back. */
const packetsTaken = { 'packets.taken': {} };
const inputAndOutput = { ...ofInput, output: channel };

/** The roles of a network, those of the parts of a router among them. */
export const networkRoles = {
  Router: {
    receives: {
      /** The right to go through the stages of a cycle, and to draw random numbers meanwhile. */
      'router.turn': inCycle,
      /** A flit arrives at an input port, which sees what its wire carries. */
      'flit.arrive': { port, channel, flit, change, cycle, load },
      /** A place in the input buffer behind an output channel is free. */
      'credit.return': { port, channel, cycle },
      /** A packet of its list is due at a time; `packet` and `order` for one that is not of the trace. */
      'packets.due': { at: time, cycle, packet: field.optional(packet), order: field.optional(packetOfDue) },
      ...networkStop,
      /** Something at the front of an input channel is to be routed or taken in. */
      'channel.front': { ...ofInput, cycle },
      /** It needs an output channel of its way, as `way` writes it. */
      'channel.wanted': { ...ofInput, way: field.ordinal() },
      /** Its packet has got an output channel, or goes on after a pause, and needs the switch. */
      'switch.wanted': { ...inputAndOutput, cycle },
      /** Where flits may be lost: one was taken in; one was not. */
      'flit.kept': { ...ofInput, halves },
      'flit.refused': { ...ofInput, packet, flit, cycle, isFull: flag },
      /** A packet was abandoned in a cycle. */
      'packet.abandoned': { packet, cycle },
      /** A packet has entered; whether its head is at the front. */
      'packet.entered': {
        ...ofInput,
        packet,
        flits: field.list(field.record(heldFlit)),
        cycle,
        isFront: flag,
      },
      /** A flit for this router is taken out; what comes behind it. */
      'flit.ejected': { ...heldFlit, ...ofInput, left },
      /** A flit has gone through the switch; whether a place is free behind its channel for another one, and whether it was the tail, so that the channel is free. */
      'flit.crossed': { ...heldFlit, ...inputAndOutput, left, hasPlace: flag, isFree: flag },
      ...placeFree,
      /** Its source has put in what it could. */
      'source.settled': inCycle,
      'random.picked': { pick: count },
    },
    shows: {
      /** A packet enters a queue of port 0; `first`: the number of its first flit, `halves`: those of all its flits. */
      'packet.injected': { packet, channel, first: count, size, target: router, halves },
      /** An input channel gets an output channel. */
      'channel.granted': { cycle, ...inputAndOutput },
      /** A flit goes through the switch. */
      'switch.passed': { cycle, ...inputAndOutput, flit },
      /** The tail of a packet is taken in at its target. */
      'packet.finished': { packet, cycle, delay: time },
      /** A flit is dropped on arrival: the buffer was full, or its packet was abandoned before. */
      'flit.dropped': { cycle, packet, flit, ...ofInput, isFull: flag },
    },
  },
  'Router.Input': {
    receives: {
      /** A flit has arrived; `abandoned`: its packet was before that cycle. */
      'flit.enter': { ...heldFlit, cycle, abandoned: flag },
      /** A packet enters the queue of a channel of port 0. */
      'packet.enter': { packet, flits: field.list(field.record(heldFlit)), cycle },
      /** Stages 1 and 4 are yours; the switch is. */
      'channel.route': inCycle,
      'switch.traverse': {},
      'switch.granted': {},
      /** An output channel is yours, and whether a place is free behind it; there is none any more. */
      'channel.given': { output: channel, hasPlace: flag, cycle },
      'place.none': {},
      ...placeFree,
      ...networkStop,
    },
  },
  'Router.Output': {
    receives: {
      /** An input channel gets it. */
      'channel.give': { ...ofInput, cycle },
      /** A flit goes through, and the flits that are left behind it. */
      'flit.through': { ...heldFlit, ...ofInput, left },
      /** A place behind it is free again. */
      'place.back': inCycle,
    },
  },
  'Router.Source': {
    receives: {
      /** Packets up to a time are due, one that is in no list among them. */
      'packets.take': { now: time, cycle, order: field.optional(field.record(sourcePacket)) },
      /** What entered is counted. */
      'packet.noted': {},
      /** A flit has left a queue of port 0, through the switch or at its target. */
      'queue.shorter': { ...ofInput, left, cycle, isThroughSwitch: flag },
      /** Words of 64 bits, each the double that comes nearest. */
      'random.drawn': { words: field.list(time) },
    },
  },
  Random: {
    receives: {
      /** One of `count` is asked for; so many words of 64 bits are. */
      'random.pick': { count },
      'random.words': { count },
    },
  },
  Link: {
    receives: {
      /** A flit for the wire, with the virtual channel it is for and the cycle in which it leaves the router. */
      'link.carry': { flit, channel, change, cycle, load },
    },
    shows: {
      /** A flit goes over it: the bits that it toggles. */
      'link.toggled': { flit, toggles: count },
    },
  },
  Injector: {
    receives: {
      /** The packets that routers see in a cycle. When the clock decides: how many of the list, and the acknowledgements among them in their order; `after`: packets of the list before one. */
      'injector.turn': {
        cycle,
        count: field.optional(count),
        answers: field.optional(field.list(field.record({ cause: packet, time, after: count }))),
      },
      ...packetsTaken,
      /** A packet that is not in the trace and answers another one, offered in a cycle; its router sees it in `seen`. */
      'packet.offer': { cause: packet, cycle, seen: cycle, time, source: router, target: router, size },
    },
  },
  Clock: {
    receives: {
      /** Somebody wants a turn in a cycle. */
      'cycle.wanted': inCycle,
      /** The last router of a cycle, where the clock orders events: what they began is in the log. */
      'turns.done': inCycle,
      /** A flit would arrive after the end of the simulation: at a time, and whether before turns of the same time; over a link, numbered by router and port. */
      'wire.late': { at: time, first: flag, cycle, link: field.ordinal(), port, channel, flit, change, load },
      /** A place in a buffer comes back in the first cycle after the end, in which nobody has a turn. */
      'credit.late': {},
      /** All that comes too late is known, so the first event after the end can be chosen; when `over`, it is carried out. */
      'clock.settle': { over: flag },
      'turn.wanted': { router, cycle },
      /** A turn is over; whether the router wants one in the next cycle, and where the clock orders events, what it has begun, in order, as `event-log.ts` writes it. */
      'turn.done': {
        router,
        cycle,
        wants: flag,
        begun: field.optional(
          field.record({
            entries: field.list(signed),
            /** What the flits in it carry, by flit. */
            loads: field.data<Readonly<Record<number, RecordOf<typeof flitLoad>>>>({}),
            /** Packets that arrived. */
            arrived: count,
          }),
        ),
      },
    },
  },
  Transactions: {
    receives: delivered,
    shows: {
      /** All packets of a transaction have arrived; when its acknowledgement was sent and arrived, where one is wanted. */
      'transaction.finished': {
        request: packet,
        arrival: cycle,
        acknowledgement: field.optional(field.record({ sent: time, arrived: cycle })),
      },
    },
  },
};

/** A network by itself. */
export const networkProtocol = protocol(networkRoles);

type Network = typeof networkProtocol;
/** What the parts of a role hear. */
export type NetworkEvents<R extends RoleOf<Network>> = EventsOf<Network, R>;
/** What the parts of a role may put out. */
export type NetworkOutbox<R extends RoleOf<Network>> = OutboxOf<Network, R>;
/** A message by its type. */
export type NetworkMessage<T extends MessagesOf<Network>['type']> = MessageOf<Network, T>;
/** Messages and probes by type: what properties read. */
export type NetworkMessages = ShapesByType<Network>;
/** A probe by its type. */
export type NetworkShown<T extends ShownBy<Network>['type']> = Extract<
  ShownBy<Network>,
  { readonly type: T }
>;

/** What a flit carries on its way. */
export type FlitLoad = RecordOf<typeof flitLoad>;
/** A flit with what it carries, and a packet as its source knows it. */
export type HeldFlit = RecordOf<typeof heldFlit>;
export type SourcePacket = RecordOf<typeof sourcePacket>;
/** A packet that is in no list. */
export type PacketOfDue = NonNullable<NetworkMessage<'packets.due'>['order']>;
/** An acknowledgement whose time has come. */
export type AnswerDue = NonNullable<NetworkMessage<'injector.turn'>['answers']>[number];
