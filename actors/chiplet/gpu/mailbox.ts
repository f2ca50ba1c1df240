import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { keyOf, type MailboxMode, MailboxStore } from './mailbox-store.ts';
import type { MailboxAnswer, MailboxItem, MailboxRequest, MessageArrived, MessageSend } from './messages.ts';

/** The way in and out of a chiplet, and whom it knows. */
export interface MailboxInput {
  /** The chiplet's own address. */
  readonly own: ChipletAddress;
  readonly mode: MailboxMode;
  /** False: a send goes out as from this chiplet, whatever the kernel says (chiplet specification 4.2). */
  readonly trustSource: boolean;
  /** Who carries messages to other chiplets. */
  readonly carrier: Address;
  /** Values that are there from the beginning. */
  readonly inbox?: readonly { readonly src: ChipletAddress; readonly values: readonly number[] }[];
}

/** A line of the trace: a message that left (chiplet specification 3.2). */
export interface TraceEntry {
  /** Cycle of the send, from 0. */
  readonly cycle: number;
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
}

/** A request that is not answered yet. */
interface Waiting {
  readonly request: MailboxRequest;
  readonly values: number[];
  /** The cycle in which the next item can be looked at. */
  cycle: number;
}

/** What a mailbox remembers. */
export interface MailboxContext {
  readonly spec: Omit<MailboxInput, 'inbox'>;
  readonly store: MailboxStore;
  waiting: Waiting[];
  /** First cycle in which the way out takes a value. */
  free: number;
  now: number;
  trace: TraceEntry[];
  /** Sends whose source was not this chiplet. */
  foreignSources: number;
}

type MailboxEvent = MailboxRequest | MessageArrived;
type MailboxSends = MailboxAnswer | MessageSend;

const { act, when } = component<MailboxContext, MailboxEvent, MailboxSends>();

/** Items of a request one after the other; true when all are done and it is answered. */
function proceed(c: MailboxContext, one: Waiting, out: Outbox<MailboxSends>): boolean {
  const { items, receiveCycles, afterCycles, asker, ticket } = one.request;
  while (one.values.length < items.length) {
    const item = items[one.values.length]!;
    if (item.operation === 'send') {
      send(c, one, item, out);
      one.values.push(item.value);
      continue;
    }
    const value = c.store.take(item.peer, item.value, one.request.launch);
    if (value === undefined) return false;
    one.cycle = Math.max(one.cycle, c.now) + receiveCycles;
    one.values.push(value);
  }
  const cycle = Math.max(one.cycle, c.now) + afterCycles;
  out.post({ to: asker, type: 'mailbox.answer', ticket, values: one.values, cycle, delay: cycle - c.now });
  return true;
}

/** Sends a value when the way out is free: one a cycle. Data first, then the line of the trace. */
function send(
  c: MailboxContext,
  one: Waiting,
  { own, peer, value }: MailboxItem,
  out: Outbox<MailboxSends>,
): void {
  const { spec } = c;
  const cycle = Math.max(one.cycle, c.now, c.free);
  c.free = cycle + 1;
  one.cycle = cycle;
  if (keyOf(own) !== keyOf(spec.own)) c.foreignSources++;
  const src = spec.trustSource ? own : spec.own;
  out.post({ to: spec.carrier, type: 'message.send', src, dst: peer, value, cycle, delay: cycle - c.now });
  c.trace.push({ cycle: cycle - 1, src, dst: peer });
}

/** The mailbox of a chiplet: values from others by sender, and the way out (chiplet specification 4.1 to 4.4). */
export const mailbox = setup({
  types: {} as { context: MailboxContext; events: MailboxEvent; input: MailboxInput },
  guards: {
    somebodyWaits: when((c) => c.waiting.length > 0),
    nobodyWaits: when((c) => c.waiting.length === 0),
  },
  actions: {
    take: act<'mailbox.request'>((c, request, out) => {
      c.now = request.cycle;
      const one: Waiting = { request, values: [], cycle: request.cycle };
      if (!proceed(c, one, out)) c.waiting.push(one);
    }),
    put: act<'message.arrived'>((c, { src, value, cycle }, out) => {
      c.now = cycle;
      c.store.arrive(src, value);
      c.waiting = c.waiting.filter((one) => !proceed(c, one, out));
    }),
  },
}).createMachine({
  id: 'mailbox',
  context: ({ input: { inbox, ...spec } }) => {
    const store = new MailboxStore(spec.mode);
    for (const { src, values } of inbox ?? []) for (const value of values) store.arrive(src, value);
    return { spec, store, waiting: [], free: 0, now: 0, trace: [], foreignSources: 0 };
  },
  on: { 'mailbox.request': { actions: 'take' }, 'message.arrived': { actions: 'put' } },
  initial: 'open',
  states: {
    open: { always: { guard: 'somebodyWaits', target: 'awaiting' } },
    awaiting: {
      tags: ['waiting'],
      meta: waitsFor<MailboxContext>('messages of other chiplets', ({ spec }) => spec.carrier),
      always: { guard: 'nobodyWaits', target: 'open' },
    },
  },
});
