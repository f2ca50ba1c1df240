import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { mailboxStates } from '../../common/mailbox.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { keyOf, type MailboxMode, MailboxStore } from './mailbox-store.ts';
import { type ChipletMessage, type ChipletOutbox, chipletProtocol, type MailboxItem } from './protocol.ts';

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
export interface WaitingRequest {
  readonly request: ChipletMessage<'mailbox.request'>;
  readonly values: number[];
  /** The cycle in which the next item can be looked at. */
  cycle: number;
}

/** What mailboxes remember. */
export interface MailboxKept<W extends WaitingRequest> {
  readonly spec: Omit<MailboxInput, 'inbox'>;
  readonly store: MailboxStore;
  waiting: W[];
  now: number;
  trace: TraceEntry[];
  /** Sends whose source was not this chiplet. */
  foreignSources: number;
}

/** What a mailbox remembers. */
export interface MailboxContext extends MailboxKept<WaitingRequest> {
  /** First cycle in which the way out takes a value. */
  free: number;
}

const role = chipletProtocol.roles.Mailbox;
const { act, update, when } = role.component<MailboxContext>();

/**
 * Items of a request one after the other; true when all are done and it is answered.
 *
 * Details: `send` is true when a send is over at once; `want` hears of a value that is not there yet.
 */
export function proceed<W extends WaitingRequest, _S extends ChipletMessage<'mailbox.answer'>>(
  c: Pick<MailboxKept<W>, 'store' | 'now'>,
  one: W,
  out: ChipletOutbox<'Mailbox'>,
  send: (item: MailboxItem) => boolean,
  want: (item: MailboxItem) => void = () => {},
): boolean {
  const { items, receiveCycles, afterCycles, asker, ticket, launch } = one.request;
  while (one.values.length < items.length) {
    const item = items[one.values.length]!;
    if (item.operation === 'send') {
      if (!send(item)) return false;
      one.values.push(item.value);
      continue;
    }
    const value = c.store.take(item.peer, item.value, launch);
    if (value === undefined) {
      want(item);
      return false;
    }
    one.cycle = Math.max(one.cycle, c.now) + receiveCycles;
    one.values.push(value);
  }
  const cycle = Math.max(one.cycle, c.now) + afterCycles;
  out.post({ to: asker, type: 'mailbox.answer', ticket, values: one.values, cycle, delay: cycle - c.now });
  return true;
}

/** A mailbox in which these values are from the beginning. */
export function storeOf({ mode, inbox = [] }: MailboxInput): MailboxStore {
  const store = new MailboxStore(mode);
  for (const { src, values } of inbox) for (const value of values) store.arrive(src, value);
  return store;
}

/** Sends a value when the way out is free: one a cycle. Data first, then the line of the trace. */
function send(
  c: MailboxContext,
  one: WaitingRequest,
  { own, peer, value }: MailboxItem,
  out: ChipletOutbox<'Mailbox'>,
): true {
  const { spec } = c;
  const cycle = Math.max(one.cycle, c.now, c.free);
  c.free = cycle + 1;
  one.cycle = cycle;
  if (keyOf(own) !== keyOf(spec.own)) c.foreignSources++;
  const src = spec.trustSource ? own : spec.own;
  out.post({ to: spec.carrier, type: 'message.send', src, dst: peer, value, cycle, delay: cycle - c.now });
  c.trace.push({ cycle: cycle - 1, src, dst: peer });
  return true;
}

/** The mailbox of a chiplet: values from others by sender, and the way out (chiplet specification 4.1 to 4.4). */
export const mailbox = setup({
  types: role.types<MailboxContext, MailboxInput>(),
  guards: { somebodyWaits: when((c) => c.waiting.length > 0) },
  actions: {
    take: update<'mailbox.request'>((c, request) => {
      c.now = request.cycle;
      c.waiting.push({ request, values: [], cycle: request.cycle });
    }),
    put: update<'message.arrived'>((c, { src, value, cycle }) => {
      c.now = cycle;
      c.store.arrive(src, value);
    }),
    letGoOn: act((c, _event, out) => {
      c.waiting = c.waiting.filter((one) => !proceed(c, one, out, (item) => send(c, one, item, out)));
    }),
  },
}).createMachine({
  id: 'mailbox',
  context: ({ input }) => {
    const { inbox: _inbox, ...spec } = input;
    return { spec, store: storeOf(input), waiting: [], free: 0, now: 0, trace: [], foreignSources: 0 };
  },
  on: {
    'mailbox.request': { target: '.looking', actions: 'take' },
    'message.arrived': { target: '.looking', actions: 'put' },
  },
  initial: 'open',
  states: mailboxStates({
    meta: waitsFor<MailboxContext>('messages of other chiplets', ({ spec }) => spec.carrier),
  }),
});
