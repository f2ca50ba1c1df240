import { setup } from 'xstate';
import { type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type MessagesOf, protocol } from '../../kernel/protocol/protocol.ts';

/** One bit, by which each message is told from the one before. */
const bit = field.oneOf(0, 1);
export type Bit = 0 | 1;

/** What sender and receiver say to each other: a value with its bit, and the bit of a value that has come. */
export const alternatingBitProtocol = protocol({
  Sender: { receives: { Ack: { bit } }, timers: ['resend'] },
  Receiver: { receives: { Data: { bit, value: field.int() } } },
});
const { Sender, Receiver } = alternatingBitProtocol.roles;
type Sent = MessagesOf<typeof alternatingBitProtocol>;

/** Fixed when the sender is placed. */
export interface SenderSpec {
  readonly receiver: Address;
  /** The values 0 to `messages` - 1 are to be sent. */
  readonly messages: number;
}

/** What the sender remembers. */
export interface SenderContext extends SenderSpec {
  /** Values that it knows to have come; the next one is under way. */
  acknowledged: number;
}

/** The kit of senders, also for planted faults. */
export const senderKit = Sender.component<SenderContext>();
const s = senderKit;

const send =
  (bit: Bit) =>
  ({ receiver: to, acknowledged: value }: SenderContext, _event: unknown, out: Outbox<Sent>): void => {
    out.post({ to, type: 'Data', bit, value });
    out.setTimer('resend');
  };

/** Sends each value with the other bit than the one before, again and again until it is acknowledged. */
export const sender = setup({
  types: Sender.types<SenderContext, SenderSpec>(),
  guards: {
    isAck0: s.when<'Ack'>((_sender, { bit }) => bit === 0),
    isAck1: s.when<'Ack'>((_sender, { bit }) => bit === 1),
    isDone: s.when(({ acknowledged, messages }) => acknowledged === messages),
  },
  actions: {
    send0: s.act(send(0)),
    send1: s.act(send(1)),
    resend0: s.act(send(0)),
    resend1: s.act(send(1)),
    count: s.update((sender) => {
      sender.acknowledged++;
    }),
    stop: s.act((_sender, _event, out) => out.cancelTimer('resend')),
  },
}).createMachine({
  id: 'sender',
  context: ({ input }) => ({ ...input, acknowledged: 0 }),
  initial: 'sending0',
  on: { Ack: refused, resend: refused },
  states: {
    sending0: {
      always: [
        { guard: 'isDone', target: 'finished' },
        { target: 'awaitingAck0', actions: 'send0' },
      ],
    },
    awaitingAck0: {
      on: { Ack: { guard: 'isAck0', target: 'sending1', actions: 'count' }, resend: { actions: 'resend0' } },
    },
    sending1: {
      always: [
        { guard: 'isDone', target: 'finished' },
        { target: 'awaitingAck1', actions: 'send1' },
      ],
    },
    awaitingAck1: {
      on: { Ack: { guard: 'isAck1', target: 'sending0', actions: 'count' }, resend: { actions: 'resend1' } },
    },
    finished: { entry: 'stop' },
  },
});

/** What the receiver remembers. */
export interface ReceiverContext {
  /** Values that it has handed on, in that order. */
  delivered: number[];
}

/** The kit of receivers, also for planted faults. */
export const receiverKit = Receiver.component<ReceiverContext>();
const r = receiverKit;

/** Hands on each value whose bit is the one that it expects, and acknowledges all that comes. */
export const receiver = setup({
  types: Receiver.types<ReceiverContext, undefined>(),
  guards: {
    hasBit0: r.when<'Data'>((_receiver, { bit }) => bit === 0),
    hasBit1: r.when<'Data'>((_receiver, { bit }) => bit === 1),
  },
  actions: {
    deliver: r.update<'Data'>((receiver, { value }) => {
      receiver.delivered.push(value);
    }),
    acknowledge: r.post<'Data'>((_receiver, { bit }, { from: to }) => ({ to, type: 'Ack', bit })),
    acknowledgeAgain: r.post<'Data'>((_receiver, { bit }, { from: to }) => ({ to, type: 'Ack', bit })),
  },
}).createMachine({
  id: 'receiver',
  context: () => ({ delivered: [] }),
  initial: 'expecting0',
  states: {
    expecting0: {
      on: {
        Data: [
          { guard: 'hasBit0', target: 'expecting1', actions: ['deliver', 'acknowledge'] },
          { actions: 'acknowledgeAgain' },
        ],
      },
    },
    expecting1: {
      on: {
        Data: [
          { guard: 'hasBit1', target: 'expecting0', actions: ['deliver', 'acknowledge'] },
          { actions: 'acknowledgeAgain' },
        ],
      },
    },
  },
});
