import { setup } from 'xstate';
import { keyOf } from '../gpu/mailbox-store.ts';
import type { ChipletMessage } from '../gpu/protocol.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import {
  type ChipletPlace,
  type ChipletPlaces,
  noChiplet,
  pairKey,
  readableFrom,
  tickOfCycle,
} from './chiplet-place.ts';
import { type SystemEvents, type SystemOutbox, systemProtocol } from './protocol.ts';

/** What a message took in the round before, in cycles of the network (chiplet specification 9.6). */
export interface MessageLatency {
  /** Until its last flit had left the sender. */
  readonly sender: number;
  /** Until its last flit was accepted. */
  readonly receiver: number;
}

/** What a coordinator is made from. */
export interface LatencyCoordinatorInput {
  readonly chiplets: ChipletPlaces;
  /** Ticks of the system in a cycle of the network. */
  readonly cycleTicks: number;
  readonly flits: number;
  /** By pair, message by message. */
  readonly latencies: Readonly<Record<string, readonly MessageLatency[]>>;
}

/** A message that was written. */
interface Written {
  readonly value: number;
  readonly tick: number;
  readonly latency: MessageLatency | null;
}

interface CoordinatorPair {
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  /** Messages written so far. */
  written: number;
  /** Those that nobody has read. */
  unread: Written[];
  /** Ticks in which messages were wanted that are not written yet. */
  wanted: number[];
}

/** What a coordinator remembers. */
export interface LatencyCoordinatorContext {
  readonly spec: LatencyCoordinatorInput;
  pairs: Record<string, CoordinatorPair>;
  sent: number;
  delivered: number;
}

const role = systemProtocol.roles.Desk;
const { act, update, when, report } = role.component<LatencyCoordinatorContext>();

const pairOf = (c: LatencyCoordinatorContext, src: ChipletAddress, dst: ChipletAddress): CoordinatorPair => {
  const key = pairKey(src, dst);
  c.pairs[key] ??= { src, dst, written: 0, unread: [], wanted: [] };
  return c.pairs[key]!;
};

/** The first edge of a chiplet's clock from a tick on, and not before now. */
const from = (place: ChipletPlace, tick: number, now: number) => {
  const { delay, cycle } = readableFrom(place, Math.max(tick, now));
  return { delay: delay + Math.max(tick, now) - now, cycle };
};

function write(
  c: LatencyCoordinatorContext,
  message: ChipletMessage<'message.send'>,
  out: SystemOutbox<'Desk'>,
): void {
  const { src, dst, value } = message;
  const { chiplets, cycleTicks, flits, latencies } = c.spec;
  const sender = chiplets[keyOf(message.sender ?? src)]!;
  const now = tickOf(c, message);
  const pair = pairOf(c, src, dst);
  const latency = latencies[pairKey(src, dst)]?.[pair.written++] ?? null;
  // Mailboxes hold what nobody has asked for yet: a write never waits for its read.
  const end = from(sender, now + (latency?.sender ?? flits) * cycleTicks, now);
  out.post({ to: sender.mailbox, type: 'message.sent', ...end });
  pair.unread.push({ value, tick: now, latency });
}

/** When something is written or wanted, in ticks. */
const tickOf = (c: LatencyCoordinatorContext, event: SystemEvents<'Desk'>): number => {
  const { src, dst, cycle } = event;
  const who = event.type === 'message.send' ? (event.sender ?? src) : dst;
  return tickOfCycle(c.spec.chiplets[keyOf(who)]!, cycle);
};

/** Ends the first message of a pair that was written and is wanted. */
function conclude(
  c: LatencyCoordinatorContext,
  event: SystemEvents<'Desk'>,
  out: SystemOutbox<'Desk'>,
): void {
  const { chiplets, cycleTicks, flits } = c.spec;
  const { src, dst, unread, wanted } = pairOf(c, event.src, event.dst);
  const { value, tick, latency } = unread.shift()!;
  const read = wanted.shift()!;
  const receiver = chiplets[keyOf(dst)]!;
  const end =
    latency === null
      ? Math.max(tick, read) + flits * cycleTicks
      : Math.max(tick + latency.receiver * cycleTicks, read);
  c.delivered++;
  const readable = from(receiver, end, tickOf(c, event));
  out.post({ to: receiver.mailbox, type: 'message.arrived', src, dst, value, ...readable });
}

/**
 * Pairs writes and reads of messages and says when each ends: by the latencies of the round before, or else a cycle a flit (chiplet specification 9.5).
 *
 * Details: without a record a read ends so many cycles after both are there, as a coordinator has it; a write ends so many cycles after its beginning. A
 * coordinator would let it wait for the read, and programs that all send before they receive would stand still in this mode alone.
 */
export const latencyCoordinator = setup({
  types: role.types<LatencyCoordinatorContext, LatencyCoordinatorInput>(),
  guards: {
    known: when((c, { src, dst }) => keyOf(src) in c.spec.chiplets && keyOf(dst) in c.spec.chiplets),
    isPaired: when((c, { src, dst }) => {
      const { unread, wanted } = c.pairs[pairKey(src, dst)]!;
      return unread.length > 0 && wanted.length > 0;
    }),
  },
  actions: {
    count: update((c) => {
      c.sent++;
    }),
    write: act<'message.send'>(write),
    want: update<'message.wanted'>((c, event) => {
      pairOf(c, event.src, event.dst).wanted.push(tickOf(c, event));
    }),
    conclude: act(conclude),
    complain: report((_c, { src, dst }) => noChiplet(src, dst)),
  },
}).createMachine({
  id: 'latencyDesk',
  context: ({ input }) => ({ spec: input, pairs: {}, sent: 0, delivered: 0 }),
  initial: 'open',
  states: {
    open: {
      on: {
        'message.send': [
          { guard: 'known', target: 'pairing', actions: ['count', 'write'] },
          { actions: ['count', 'complain'] },
        ],
        'message.wanted': [{ guard: 'known', target: 'pairing', actions: 'want' }, { actions: 'complain' }],
      },
    },
    pairing: { always: [{ guard: 'isPaired', target: 'open', actions: 'conclude' }, { target: 'open' }] },
  },
});
