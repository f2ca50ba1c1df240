import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type MessagesOf, protocol } from '../../kernel/protocol/protocol.ts';

const number = field.int();

/** What sender and receiver say to each other: a value with its number, and the number that the receiver expects next. Numbers count modulo something. */
export const slidingWindowProtocol = protocol({
  Sender: { receives: { Ack: { number } }, timers: ['send', 'timeout'] },
  Receiver: { receives: { Data: { number, value: field.int() } } },
});
const { Sender, Receiver } = slidingWindowProtocol.roles;
type Sent = MessagesOf<typeof slidingWindowProtocol>;

/** Fixed when the sender is placed. */
export interface WindowSenderSpec {
  readonly receiver: Address;
  /** The values 0 to `messages` - 1 are to be sent. */
  readonly messages: number;
  /** Values that may be under way without being acknowledged. */
  readonly window: number;
  /** Numbers that there are. */
  readonly modulus: number;
}

/** What the sender remembers. */
export interface WindowSenderContext extends WindowSenderSpec {
  /** Values that it knows to have come. */
  acknowledged: number;
  /** Values that it has sent at least once. */
  sent: number;
}

/** The kit of senders, also for planted faults. */
export const windowSenderKit = Sender.component<WindowSenderContext>();
const s = windowSenderKit;

const send = ({ receiver: to, modulus }: WindowSenderContext, value: number, out: Outbox<Sent>): void =>
  out.post({ to, type: 'Data', number: value % modulus, value });

/** How many values more an acknowledgement says to have come. */
export const newlyAcknowledged = ({ acknowledged, modulus }: WindowSenderContext, number: number): number =>
  (((number - acknowledged) % modulus) + modulus) % modulus;

/**
 * Sends values ahead as far as its window reaches, and all that is not acknowledged again when it loses patience: go back N (Cerf and Kahn, "A protocol for packet network
 * intercommunication", 1974; Tanenbaum, "Computer networks", section 3.4).
 */
export const windowSender = setup({
  types: Sender.types<WindowSenderContext, WindowSenderSpec>(),
  guards: {
    isNew: s.when<'Ack'>((sender, { number }) => {
      const more = newlyAcknowledged(sender, number);
      return more > 0 && more <= sender.sent - sender.acknowledged;
    }),
    isDone: s.when(({ acknowledged, messages }) => acknowledged === messages),
    isFull: s.when(
      ({ acknowledged, sent, window, messages }) => sent === Math.min(acknowledged + window, messages),
    ),
  },
  actions: {
    openWindow: s.act((_sender, _event, out) => out.setTimer('send')),
    send: s.act((sender, _event, out) => {
      send(sender, sender.sent++, out);
      out.setTimer('timeout');
    }),
    goBack: s.act((sender, _event, out) => {
      for (let value = sender.acknowledged; value < sender.sent; value++) send(sender, value, out);
      out.setTimer('timeout');
    }),
    advance: s.act<'Ack'>((sender, { number }, out) => {
      sender.acknowledged += newlyAcknowledged(sender, number);
      if (sender.acknowledged === sender.sent) out.cancelTimer('timeout');
    }),
    stop: s.act((_sender, _event, out) => out.cancelTimer('send')),
  },
}).createMachine({
  id: 'windowSender',
  context: ({ input }) => ({ ...input, acknowledged: 0, sent: 0 }),
  initial: 'looking',
  on: { Ack: refused, send: refused, timeout: { actions: 'goBack' } },
  states: {
    looking: {
      always: [
        { guard: 'isDone', target: 'finished' },
        { guard: 'isFull', target: 'windowFull' },
        { target: 'windowOpen' },
      ],
    },
    windowOpen: {
      entry: 'openWindow',
      on: {
        send: { target: 'looking', actions: 'send' },
        Ack: { guard: 'isNew', target: 'looking', actions: 'advance' },
      },
    },
    windowFull: { entry: 'stop', on: { Ack: { guard: 'isNew', target: 'looking', actions: 'advance' } } },
    finished: { entry: 'stop' },
  },
});

/** What the receiver remembers. */
export interface WindowReceiverContext {
  readonly modulus: number;
  /** Values that it has handed on, in that order. */
  delivered: number[];
}

/** The kit of receivers, also for planted faults. */
export const windowReceiverKit = Receiver.component<WindowReceiverContext>();
const r = windowReceiverKit;

/** Hands on the value whose number it expects, and tells after each that comes which number it expects next. */
export const windowReceiver = setup({
  types: Receiver.types<WindowReceiverContext, { readonly modulus: number }>(),
  guards: {
    isExpected: r.when<'Data'>(({ delivered, modulus }, { number }) => number === delivered.length % modulus),
  },
  actions: {
    deliver: r.update<'Data'>((receiver, { value }) => {
      receiver.delivered.push(value);
    }),
    acknowledge: r.post<'Data'>(({ delivered, modulus }, _event, { from: to }) => ({
      to,
      type: 'Ack',
      number: delivered.length % modulus,
    })),
  },
}).createMachine({
  id: 'windowReceiver',
  context: ({ input }) => ({ ...input, delivered: [] }),
  initial: 'receiving',
  states: {
    receiving: {
      on: {
        Data: [{ guard: 'isExpected', actions: ['deliver', 'acknowledge'] }, { actions: 'acknowledge' }],
      },
    },
  },
});
