import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { isHead, isTail, tailBit } from './flit.ts';
import { type HeldFlit, type NetworkMessage, networkProtocol } from './protocol.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from './topology/topology.ts';

/** Whom an input channel knows, and what it goes by. */
export interface InputChannelInput {
  readonly router: Address;
  /** Number of its router, and its own number there. */
  readonly routerNumber: number;
  readonly input: number;
  /** Routers of the network. */
  readonly routers: number;
  /** Channels of a port. */
  readonly channels: number;
  /** The output channels of the router by number; those of ports without a link are never asked for. */
  readonly outputs: readonly Address[];
  /** By output channel: the input channel at the other end of its link. */
  readonly behind: readonly Address[];
  /** The way on to a router, as `way` writes it. */
  readonly routeOf: (router: number, target: number, cycle: number) => number;
  /** Flits that it holds, where a flit that meets a full buffer is lost; infinite where places are promised before a flit is sent. */
  readonly holds: number;
}

/** An input channel: its queue, and the output channel that its packet has. */
export interface InputChannelContext {
  readonly spec: Fixed<InputChannelInput>;
  /** Its flits, oldest first. */
  flits: HeldFlit[];
  /** Where its packet goes on, as `way` writes it; 0 before it is routed. */
  way: number;
  /** The output channel that its packet has; -1 while it has none. */
  output: number;
  /** True when a place is free behind that channel. */
  hasPlace: boolean;
  /** Where flits may be lost: the packet whose head has entered and whose tail has not; -1 for none. */
  inside: number;
}

const role = networkProtocol.roles['Router.Input'];

/** The kit of input channels, also for planted faults. */
export const inputChannelKit = role.component<InputChannelContext>();
const { act, update, post, when } = inputChannelKit;

type Channel = InputChannelContext;

const isFull = ({ flits, spec }: Channel): boolean => flits.length >= spec.value.holds;

/** A tail that is refused closes its packet all the same: it enters when nothing else of the packet is here that could become its tail. */
const closesAlone = ({ flits, inside }: Channel, { flit, packet }: NetworkMessage<'flit.enter'>): boolean =>
  isTail(flit) && inside === packet && flits.length === 0;

/** The buffers behind the output channels that its packet may have (chiplet specification 5.7): a packet that has one of these waits for them. */
function candidates({ spec, way }: Channel): readonly Address[] {
  const { channels, behind } = spec.value;
  const first = portOfWay(way) * channels;
  return behind.slice(first + firstChannelOf(way), first + lastChannelOf(way) + 1);
}

/**
 * A virtual channel of an input port (chiplet specification 5.2): its queue, and what the packet at the front of it needs.
 *
 * Details: the states are those of the specification: INIT `idle`, ROUTING `routing`, VA `waitingForChannel`, SA `waitingForPlace` and `waitingForSwitch`, ST
 * `granted`, HOME `home`. It moves on by one stage a cycle, when the router says that the stage is its own (5.4).
 */
export const inputChannel = setup({
  types: role.types<InputChannelContext, InputChannelInput>(),
  guards: {
    isRefused: when<'flit.enter'>(
      (channel, event) => (event.abandoned || isFull(channel)) && !closesAlone(channel, event),
    ),
    isHead: when<'flit.enter'>((_channel, { flit }) => isHead(flit)),
    isEmpty: when((channel) => channel.flits.length === 0),
    hasPlace: when((channel) => channel.hasPlace),
    placeIsFree: when<'channel.given'>((_channel, { hasPlace }) => hasPlace),
    isLast: when((channel) => channel.flits.length === 1),
    endsPacket: when((channel) => isTail(channel.flits[0]!.flit)),
    endsPacketAsLast: when((channel) => isTail(channel.flits[0]!.flit) && channel.flits.length === 1),
    isForElsewhere: when((channel) => channel.flits[0]!.target !== channel.spec.value.routerNumber),
  },
  actions: {
    push: act<'flit.enter'>((channel, event, out) => {
      const { flit, packet, target, start, halves } = event;
      channel.flits.push({ flit, packet, target, start, halves });
      if (channel.spec.value.holds === Number.POSITIVE_INFINITY) return;
      if (isHead(flit)) channel.inside = packet;
      if (isTail(flit)) channel.inside = -1;
      const { router, input } = channel.spec.value;
      out.post({ to: router, type: 'flit.kept', input, halves });
    }),
    refuse: act<'flit.enter'>((channel, event, out) => {
      const { packet, flit, cycle } = event;
      const full = isFull(channel);
      // What of the packet is here must not keep its channels for ever: the newest flit becomes its tail.
      if (isTail(flit) && channel.inside === packet) {
        channel.inside = -1;
        const newest = channel.flits.at(-1)!;
        channel.flits[channel.flits.length - 1] = { ...newest, flit: newest.flit | tailBit };
      }
      const { router, input } = channel.spec.value;
      out.post({ to: router, type: 'flit.refused', input, packet, flit, cycle, isFull: full });
    }),
    pushPacket: update<'packet.enter'>((channel, { flits }) => {
      channel.flits.push(...flits);
    }),
    tellEntered: post<'packet.enter'>((channel, { packet, flits, cycle }) => ({
      to: channel.spec.value.router,
      type: 'packet.entered',
      input: channel.spec.value.input,
      packet,
      flits,
      cycle,
      isFront: channel.flits.length === flits.length,
    })),
    tellFront: post<'flit.enter'>((channel, { cycle }) => ({
      to: channel.spec.value.router,
      type: 'channel.front',
      input: channel.spec.value.input,
      cycle,
    })),
    findWay: update<'channel.route'>((channel, { cycle }) => {
      const { routeOf, routerNumber } = channel.spec.value;
      channel.way = routeOf(routerNumber, channel.flits[0]!.target, cycle);
    }),
    askForChannel: post((channel) => ({
      to: channel.spec.value.router,
      type: 'channel.wanted',
      input: channel.spec.value.input,
      way: channel.way,
    })),
    eject: act<'channel.route'>((channel, _event, out) => {
      const { router, input } = channel.spec.value;
      const flit = channel.flits.shift()!;
      out.post({ to: router, type: 'flit.ejected', ...flit, input, left: channel.flits.length });
    }),
    keepChannel: update<'channel.given'>((channel, { output, hasPlace }) => {
      channel.output = output;
      channel.hasPlace = hasPlace;
    }),
    notePlace: update((channel) => {
      channel.hasPlace = true;
    }),
    noteNone: update((channel) => {
      channel.hasPlace = false;
    }),
    askForSwitch: post<'flit.enter' | 'channel.given'>((channel, { cycle }) => ({
      to: channel.spec.value.router,
      type: 'switch.wanted',
      input: channel.spec.value.input,
      output: channel.output,
      cycle,
    })),
    sendFlit: act<'switch.traverse'>((channel, _event, out) => {
      const { outputs, input } = channel.spec.value;
      const flit = channel.flits.shift()!;
      const to = outputs[channel.output]!;
      out.post({ to, type: 'flit.through', ...flit, input, left: channel.flits.length });
      if (!isTail(flit.flit)) return;
      channel.output = -1;
      channel.way = 0;
    }),
  },
}).createMachine({
  id: 'input-channel',
  context: ({ input }) => ({
    spec: fixed(input),
    flits: [],
    way: 0,
    output: -1,
    hasPlace: false,
    inside: -1,
  }),
  initial: 'idle',
  on: { 'network.stop': '.stopped' },
  states: {
    idle: {
      on: {
        'flit.enter': [
          { guard: 'isRefused', actions: 'refuse' },
          { guard: 'isHead', target: 'routing', actions: ['push', 'tellFront'] },
          { guard: 'hasPlace', target: 'waitingForSwitch', actions: ['push', 'askForSwitch'] },
          { target: 'waitingForPlace', actions: ['push', 'askForSwitch'] },
        ],
        'packet.enter': { target: 'routing', actions: ['pushPacket', 'tellEntered'] },
        'place.free': { actions: 'notePlace' },
        'place.none': { actions: 'noteNone' },
      },
    },
    routing: {
      on: {
        'channel.route': [
          { guard: 'isForElsewhere', target: 'waitingForChannel', actions: ['findWay', 'askForChannel'] },
          { guard: 'endsPacketAsLast', target: 'idle', actions: 'eject' },
          { guard: 'endsPacket', actions: 'eject' },
          { target: 'home', actions: 'eject' },
        ],
        'flit.enter': [{ guard: 'isRefused', actions: 'refuse' }, { actions: 'push' }],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    waitingForChannel: {
      ...waitingFor<Channel>('a free channel of the port that its packet goes on by', candidates),
      on: {
        'channel.given': [
          { guard: 'placeIsFree', target: 'waitingForSwitch', actions: ['keepChannel', 'askForSwitch'] },
          { target: 'waitingForPlace', actions: ['keepChannel', 'askForSwitch'] },
        ],
        'flit.enter': [{ guard: 'isRefused', actions: 'refuse' }, { actions: 'push' }],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    waitingForPlace: {
      ...waitingFor<Channel>(
        'a place in the buffer behind its channel',
        ({ spec, output }) => spec.value.behind[output]!,
      ),
      on: {
        'place.free': { target: 'waitingForSwitch', actions: 'notePlace' },
        'flit.enter': [{ guard: 'isRefused', actions: 'refuse' }, { actions: 'push' }],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    waitingForSwitch: {
      ...waitingFor<Channel>('the switch', ({ spec }) => spec.value.router),
      on: {
        'switch.granted': 'granted',
        'place.none': { target: 'waitingForPlace', actions: 'noteNone' },
        'flit.enter': [{ guard: 'isRefused', actions: 'refuse' }, { actions: 'push' }],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    granted: {
      on: {
        'switch.traverse': [
          { guard: 'isLast', target: 'idle', actions: 'sendFlit' },
          { guard: 'endsPacket', target: 'routing', actions: 'sendFlit' },
          { target: 'waitingForSwitch', actions: 'sendFlit' },
        ],
        'flit.enter': [{ guard: 'isRefused', actions: 'refuse' }, { actions: 'push' }],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    home: {
      on: {
        'channel.route': [
          { guard: 'endsPacketAsLast', target: 'idle', actions: 'eject' },
          { guard: 'endsPacket', target: 'routing', actions: 'eject' },
          { actions: 'eject' },
        ],
        'flit.enter': [
          { guard: 'isRefused', actions: 'refuse' },
          { guard: 'isEmpty', actions: ['push', 'tellFront'] },
          { actions: 'push' },
        ],
        'packet.enter': { actions: ['pushPacket', 'tellEntered'] },
      },
    },
    stopped: {
      on: {
        'flit.enter': {},
        'packet.enter': {},
        'place.free': {},
        'network.stop': {},
      },
    },
  },
});
