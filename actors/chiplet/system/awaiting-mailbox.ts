import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import type { MailboxInput, TraceEntry } from '../gpu/mailbox.ts';
import { keyOf, MailboxStore } from '../gpu/mailbox-store.ts';
import type {
  MailboxAnswer,
  MailboxItem,
  MailboxRequest,
  MessageArrived,
  MessageSend,
} from '../gpu/messages.ts';
import type { MessageSent, MessageWanted } from './latency-messages.ts';

/** A request that is not answered yet. */
interface Waiting {
  readonly request: MailboxRequest;
  readonly values: number[];
  /** The cycle in which the next item can be looked at. */
  cycle: number;
  /** True while its present item waits for an answer of the coordinator. */
  asked: boolean;
}

/** What a mailbox of an iterative run remembers. */
export interface AwaitingMailboxContext {
  readonly spec: Omit<MailboxInput, 'inbox'>;
  readonly store: MailboxStore;
  waiting: Waiting[];
  /** True while a send has no answer yet: they go out one after the other. */
  sending: boolean;
  /** By sender: values that the coordinator was asked for. */
  wanted: Record<string, number>;
  now: number;
  trace: TraceEntry[];
  foreignSources: number;
}

type MailboxEvent = MailboxRequest | MessageArrived | MessageSent;
type MailboxSends = MailboxAnswer | MessageSend | MessageWanted;

const { act, when } = component<AwaitingMailboxContext, MailboxEvent, MailboxSends>();

/** Items of a request one after the other; true when all are done and it is answered. */
function proceed(c: AwaitingMailboxContext, one: Waiting, out: Outbox<MailboxSends>): boolean {
  const { items, receiveCycles, afterCycles, asker, ticket } = one.request;
  while (one.values.length < items.length) {
    const item = items[one.values.length]!;
    if (item.operation === 'send') {
      if (!c.sending && !one.asked) send(c, one, item, out);
      return false;
    }
    const value = c.store.take(item.peer, item.value, one.request.launch);
    if (value === undefined) {
      want(c, one, item, out);
      return false;
    }
    one.asked = false;
    one.cycle = Math.max(one.cycle, c.now) + receiveCycles;
    one.values.push(value);
  }
  const cycle = Math.max(one.cycle, c.now) + afterCycles;
  out.post({ to: asker, type: 'mailbox.answer', ticket, values: one.values, cycle, delay: cycle - c.now });
  return true;
}

function send(
  c: AwaitingMailboxContext,
  one: Waiting,
  { own, peer, value }: MailboxItem,
  out: Outbox<MailboxSends>,
): void {
  const { spec } = c;
  const cycle = Math.max(one.cycle, c.now);
  one.cycle = cycle + 1;
  one.asked = true;
  c.sending = true;
  if (keyOf(own) !== keyOf(spec.own)) c.foreignSources++;
  const src = spec.trustSource ? own : spec.own;
  const delay = cycle - c.now;
  // The coordinator answers who sends, whoever the message is from.
  const sender = keyOf(src) === keyOf(spec.own) ? {} : { sender: spec.own };
  out.post({ to: spec.carrier, type: 'message.send', src, dst: peer, ...sender, value, cycle, delay });
  c.trace.push({ cycle: cycle - 1, src, dst: peer });
}

/** Asks the coordinator for as many values as the item needs; by index, values that were asked for before serve again. */
function want(
  c: AwaitingMailboxContext,
  one: Waiting,
  { peer, value: index }: MailboxItem,
  out: Outbox<MailboxSends>,
): void {
  if (one.asked) return;
  one.asked = true;
  const key = keyOf(peer);
  const before = c.wanted[key] ?? 0;
  const after = c.spec.mode === 'indexed' ? Math.max(before, index + 1) : before + 1;
  c.wanted[key] = after;
  const cycle = Math.max(one.cycle, c.now);
  for (let count = before; count < after; count++)
    out.post({
      to: c.spec.carrier,
      type: 'message.wanted',
      src: peer,
      dst: c.spec.own,
      cycle,
      delay: cycle - c.now,
    });
}

/** Lets all requests go on that can. */
function proceedAll(c: AwaitingMailboxContext, out: Outbox<MailboxSends>): void {
  c.waiting = c.waiting.filter((one) => !proceed(c, one, out));
}

/** The mailbox of a chiplet whose sends and receives end when a coordinator says so (chiplet specification 9.5, 12). */
export const awaitingMailbox = setup({
  types: {} as { context: AwaitingMailboxContext; events: MailboxEvent; input: MailboxInput },
  guards: {
    somebodyWaits: when((c) => c.waiting.length > 0),
    nobodyWaits: when((c) => c.waiting.length === 0),
  },
  actions: {
    take: act<'mailbox.request'>((c, request, out) => {
      c.now = request.cycle;
      const one: Waiting = { request, values: [], cycle: request.cycle, asked: false };
      if (!proceed(c, one, out)) c.waiting.push(one);
    }),
    put: act<'message.arrived'>((c, { src, value, cycle }, out) => {
      c.now = cycle;
      c.store.arrive(src, value);
      proceedAll(c, out);
    }),
    conclude: act<'message.sent'>((c, { cycle }, out) => {
      c.now = cycle;
      c.sending = false;
      for (const one of c.waiting) {
        const item = one.request.items[one.values.length]!;
        if (item.operation !== 'send' || !one.asked) continue;
        one.asked = false;
        one.values.push(item.value);
      }
      proceedAll(c, out);
    }),
  },
}).createMachine({
  id: 'awaitingMailbox',
  context: ({ input: { inbox, ...spec } }) => {
    const store = new MailboxStore(spec.mode);
    for (const { src, values } of inbox ?? []) for (const value of values) store.arrive(src, value);
    return { spec, store, waiting: [], sending: false, wanted: {}, now: 0, trace: [], foreignSources: 0 };
  },
  on: {
    'mailbox.request': { actions: 'take' },
    'message.arrived': { actions: 'put' },
    'message.sent': { actions: 'conclude' },
  },
  initial: 'open',
  states: {
    open: { always: { guard: 'somebodyWaits', target: 'awaiting' } },
    awaiting: {
      tags: ['waiting'],
      meta: waitsFor<AwaitingMailboxContext>('messages of other chiplets', ({ spec }) => spec.carrier),
      always: { guard: 'nobodyWaits', target: 'open' },
    },
  },
});
