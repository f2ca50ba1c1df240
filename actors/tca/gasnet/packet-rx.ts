import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { channels, inSubTicks, type TcaParameters } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';
import {
  boardAddress,
  boardSlots,
  boardWord,
  headerBytes,
  type LayoutInput,
  moreArgumentBytes,
  type RingClass,
  slotAddress,
} from './layout.ts';
import type { GasnetOptions } from './options.ts';
import { decodeHeader, type Header } from './packet.ts';

/** The receiving side of a ring: whose packets come, and who handles them. */
export interface PacketRxInput {
  readonly node: number;
  readonly peer: number;
  readonly ring: RingClass;
  readonly layout: LayoutInput;
  readonly update: GasnetOptions['update'];
  readonly parameters: Pick<TcaParameters, 'pollDetect'>;
  readonly memory: Address;
  readonly pio: Address;
  readonly runtime: Address;
  /** Who sends to the peer, and can tell of freed slots along with its packets. */
  readonly planner: Address;
  /** The senders to the peer by class of ring, to whom its packets tell of freed slots. */
  readonly senders: readonly Address[];
}

/** Counts of a receiver (TCA specification 11), and the packet at hand. */
export interface PacketRxContext {
  readonly spec: PacketRxInput;
  /** Packets that the sender has announced. */
  tail: number;
  /** Packets handled, and how many of them the sender has been told of. */
  done: number;
  announced: number;
  /** Parts of transfers of this peer that have come, by channel. */
  parts: number[];
  /** When the last one of each channel came. */
  partsAt: number[];
  header: Header | null;
  payload: Uint8Array;
}

const role = tcaProtocol.roles.PacketRx;
const { update, when, act } = role.component<PacketRxContext>();

const slotOf = ({ spec: { layout, node, peer, ring }, done }: PacketRxContext): number =>
  slotAddress(layout, node, peer, ring, 'receive', done);

/** Messages whose bytes the program gets; others are copied to where they belong. */
const handedOver: readonly Header['kind'][] = ['medium', 'value'];

/** True when all parts of what a packet announces have come: by channel, how many the sender has sent so far. */
const complete = (c: PacketRxContext): boolean => {
  const { kind, args } = c.header!;
  if (kind !== 'put' && kind !== 'gotten') return true;
  return Array.from({ length: channels }, (_, k) => k).every((k) => c.parts[k]! >= (args[k] ?? 0));
};

/** When the node notices the last part of what a packet announces: a while after it has come (TCA specification 3: pollDetect). */
const noticedAt = ({ header, parts, partsAt, spec }: PacketRxContext): number => {
  const { kind, args } = header!;
  if (kind !== 'put' && kind !== 'gotten') return 0;
  const own = partsAt.filter((_, channel) => parts[channel]! > 0 && parts[channel] === args[channel]);
  return own.length === 0 ? 0 : Math.max(...own) + inSubTicks(spec.parameters.pollDetect);
};

/** The receiving side of a ring of packets (TCA specification 11): hands them over in order and tells the sender which slots are free. */
export const packetRx = setup({
  types: role.types<PacketRxContext, PacketRxInput>(),
  guards: {
    announced: when((c) => c.tail > c.done),
    handsOver: when<'memory.loaded'>((_c, { data }) => {
      const { kind, bytes } = decodeHeader(data);
      return bytes > 0 && handedOver.includes(kind);
    }),
    complete: when((c, _event, { now }) => complete(c) && noticedAt(c) <= now),
    unnoticed: when((c, _event, { now }) => complete(c) && noticedAt(c) > now),
    tellsNow: when((c) => {
      const { update: policy, layout } = c.spec;
      const untold = c.done + 1 - c.announced;
      // A sender that waits for the completion of a put waits for the update message.
      return policy === 'eager' || c.header!.urgent || untold >= layout.options.slots / 2;
    }),
  },
  actions: {
    noteHead: update<'ring.head'>((c, { head }) => {
      c.tail = Math.max(c.tail, head);
    }),
    notePart: update<'ring.part'>((c, { channel, count }, { now }) => {
      if (count <= c.parts[channel]!) return;
      c.parts[channel] = count;
      c.partsAt[channel] = now;
    }),
    notice: act((c, _event, out) => {
      out.post({ to: out.self, type: 'packet.turn', delay: noticedAt(c) - out.now });
    }),
    tellReady: act((c, _event, out) => {
      const { runtime, peer, ring } = c.spec;
      out.post({ to: runtime, type: 'packet.ready', peer, ring });
    }),
    loadHeader: act<'packet.take'>((c, _event, out) => {
      const { memory } = c.spec;
      const bytes = headerBytes + moreArgumentBytes;
      out.post({ to: memory, type: 'memory.load', addr: slotOf(c), bytes });
    }),
    readHeader: update<'memory.loaded'>((c, { data }) => {
      c.header = decodeHeader(data);
      c.payload = new Uint8Array(0);
    }),
    loadPayload: act<'memory.loaded'>((c, _event, out) => {
      const { memory } = c.spec;
      const { offset, bytes } = c.header!;
      const addr = slotOf(c) + offset;
      out.post({ to: memory, type: 'memory.load', addr, bytes });
    }),
    readPayload: update<'memory.loaded'>((c, { data }) => {
      c.payload = data;
    }),
    handOver: act((c, _event, out) => {
      const { runtime, peer, ring } = c.spec;
      const { header, payload } = c;
      out.post({
        to: runtime,
        type: 'packet.content',
        peer,
        ring,
        header: header!,
        payload,
        slot: slotOf(c),
      });
    }),
    // What came along with the packet: slots that the peer has freed.
    passFreed: act<'memory.loaded'>((c, _event, out) => {
      for (const [ring, freed] of (c.header!.freed ?? []).entries())
        if (freed > 0) out.post({ to: c.spec.senders[ring]!, type: 'ring.freed', freed });
    }),
    noteTold: update<'ring.told'>((c, { done }) => {
      c.announced = Math.max(c.announced, done);
    }),
    free: act<'packet.done'>((c, _event, out) => {
      const { peer, ring, planner, update: policy } = c.spec;
      c.done++;
      c.header = null;
      c.payload = new Uint8Array(0);
      // Where each packet is answered at once there is nothing to take along.
      if (policy === 'half') out.post({ to: planner, type: 'ring.done', peer, ring, done: c.done });
    }),
    announce: act<'packet.done'>((c, _event, out) => {
      const { layout, node, peer, ring, pio } = c.spec;
      c.announced = Math.max(c.announced, c.done);
      const address = boardAddress(layout, node, peer, boardSlots.freed(ring));
      const stores = [{ address, data: boardWord(c.done) }];
      out.post({ to: pio, type: 'pio.store', stores });
    }),
    tellFreed: act((c, _event, out) => out.post({ to: c.spec.runtime, type: 'packet.freed' })),
  },
}).createMachine({
  id: 'packetRx',
  context: ({ input }) => ({
    spec: input,
    tail: 0,
    done: 0,
    announced: 0,
    parts: new Array<number>(channels).fill(0),
    partsAt: new Array<number>(channels).fill(0),
    header: null,
    payload: new Uint8Array(0),
  }),
  on: {
    'ring.head': { actions: 'noteHead' },
    'ring.part': { actions: 'notePart' },
    'ring.told': { actions: 'noteTold' },
  },
  initial: 'empty',
  states: {
    empty: { always: { guard: 'announced', target: 'ready' } },
    ready: { entry: 'tellReady', on: { 'packet.take': { target: 'loading', actions: 'loadHeader' } } },
    loading: {
      on: {
        'memory.loaded': [
          { guard: 'handsOver', target: 'fetching', actions: ['readHeader', 'passFreed', 'loadPayload'] },
          { target: 'gathering', actions: ['readHeader', 'passFreed'] },
        ],
      },
    },
    fetching: { on: { 'memory.loaded': { target: 'gathering', actions: 'readPayload' } } },
    // Parts of the transfer on other channels may still be under way.
    gathering: {
      always: [
        { guard: 'complete', target: 'handling', actions: 'handOver' },
        { guard: 'unnoticed', target: 'noticing', actions: 'notice' },
      ],
    },
    noticing: { on: { 'packet.turn': { target: 'handling', actions: 'handOver' } } },
    handling: {
      on: {
        'packet.done': [
          { guard: 'tellsNow', target: 'updating', actions: ['free', 'announce'] },
          { target: 'empty', actions: ['free', 'tellFreed'] },
        ],
      },
    },
    updating: { on: { 'pio.done': { target: 'empty', actions: 'tellFreed' } } },
  },
});
