import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  alternatingBitProtocol,
  type ReceiverContext,
  receiver,
  receiverKit,
  sender,
  senderKit,
} from '../../actors/protocols/alternating-bit.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import { channelCapacity } from './channel-capacity.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  messages: z.int().min(0).max(1000).default(3).describe('values that are to be sent'),
  capacity: z.int().min(1).max(100).default(3).describe('messages of a channel beyond which is not looked'),
});

/** Configuration of the alternating bit protocol. */
export type AlternatingBitConfig = z.output<typeof config>;

/** How far the parties have come. */
export interface AlternatingBitResult {
  readonly sender: string;
  readonly delivered: readonly number[];
}

interface Parts {
  readonly sender: AnyStateMachine;
  readonly receiver: AnyStateMachine;
}

const { replace } = plantingIn<Parts>();

const mutants = mutantsOf<Parts>({
  'takes-any-ack': {
    sentence: 'the sender takes any acknowledgement for that of the present value',
    mutate: replace('sender', {
      guards: { isAck0: senderKit.when(() => true), isAck1: senderKit.when(() => true) },
    }),
  },
  'delivers-again': {
    sentence: 'the receiver hands on whatever comes, without a look at its bit',
    mutate: replace('receiver', {
      guards: { hasBit0: receiverKit.when(() => true), hasBit1: receiverKit.when(() => true) },
    }),
  },
  'acknowledges-expected': {
    sentence: 'the receiver acknowledges an old value with the bit that it expects',
    mutate: replace('receiver', {
      actions: {
        acknowledgeAgain: receiverKit.post<'Data'>((_receiver, { bit }, { from: to }) => ({
          to,
          type: 'Ack',
          bit: bit === 0 ? 1 : 0,
        })),
      },
    }),
  },
  'gives-up': {
    sentence: 'the sender sends each value once',
    mutate: replace('sender', {
      actions: { resend0: senderKit.act(() => {}), resend1: senderKit.act(() => {}) },
    }),
  },
});

/** A sender and a receiver over a channel that loses and doubles messages, and keeps their order. */
export const alternatingBit: Machine<AlternatingBitConfig, readonly unknown[], AlternatingBitResult> = {
  name: 'alternating-bit',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: alternatingBitProtocol,
  assemble: ({ config: { messages, capacity }, mutants: ids }) => {
    const parts = withMutants<Parts>({ sender, receiver }, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel', lossy: true, duplicating: true });
    const from = wiring.reserve('Sender');
    const to = wiring.place('Receiver', parts.receiver, undefined);
    wiring.place(from, parts.sender, { receiver: to, messages });
    wiring.boundary = channelCapacity(capacity);
    return {
      wiring,
      result: ({ state }) => ({
        sender: state.actor('Sender').state,
        delivered: state.actor<ReceiverContext>('Receiver').context.delivered ?? [],
      }),
    };
  },
  figures: ({ sender: state, delivered }) => [
    { label: 'sender', value: state },
    { label: 'delivered', value: delivered.join(' ') },
  ],
};
