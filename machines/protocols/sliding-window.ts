import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  slidingWindowProtocol,
  type WindowReceiverContext,
  type WindowSenderSpec,
  windowReceiver,
  windowReceiverKit,
  windowSender,
  windowSenderKit,
} from '../../actors/protocols/sliding-window.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { begunWith, plantingIn } from '../planting.ts';
import { channelCapacity } from './channel-capacity.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  messages: z.int().min(0).max(1000).default(3).describe('values that are to be sent'),
  window: z.int().min(1).max(100).default(2).describe('values that may be under way unacknowledged'),
  modulus: z
    .int()
    .min(1)
    .max(101)
    .optional()
    .describe('numbers that there are; one more than the window when absent, and fewer are too few'),
  capacity: z.int().min(1).max(100).default(3).describe('messages of a channel beyond which is not looked'),
});

/** Configuration of the sliding window. */
export type SlidingWindowConfig = z.output<typeof config>;

/** How far the parties have come. */
export interface SlidingWindowResult {
  readonly sender: string;
  readonly delivered: readonly number[];
}

interface Parts {
  readonly sender: AnyStateMachine;
  readonly receiver: AnyStateMachine;
}

const { replace } = plantingIn<Parts>();

const mutants = mutantsOf<Parts>({
  'too-few-numbers': {
    sentence: 'there are as many numbers as the window is wide',
    mutate: (parts) => ({
      sender: begunWith<WindowSenderSpec>(parts.sender, (spec) => ({ ...spec, modulus: spec.modulus - 1 })),
      receiver: begunWith<{ modulus: number }>(parts.receiver, ({ modulus }) => ({ modulus: modulus - 1 })),
    }),
  },
  'takes-old-acks': {
    sentence: 'the sender takes an acknowledgement that says nothing new for one of all that is under way',
    mutate: replace('sender', {
      guards: { isNew: windowSenderKit.when<'Ack'>(({ acknowledged, sent }) => sent > acknowledged) },
      actions: {
        advance: windowSenderKit.update<'Ack'>((sender) => {
          sender.acknowledged = sender.sent;
        }),
      },
    }),
  },
  'leaves-gaps': {
    sentence: 'the receiver hands on a later value in place of the one that it expects',
    mutate: replace('receiver', {
      guards: {
        isExpected: windowReceiverKit.when<'Data'>(({ delivered, modulus }, { number }) =>
          [0, 1].some((ahead) => number === (delivered.length + ahead) % modulus),
        ),
      },
    }),
  },
  'gives-up': {
    sentence: 'the sender sends each value once',
    mutate: replace('sender', { actions: { goBack: windowSenderKit.act(() => {}) } }),
  },
});

/** A sender that is ahead of its acknowledgements, and a receiver, over a channel that loses and doubles messages, and keeps their order. */
export const slidingWindow: Machine<SlidingWindowConfig, readonly unknown[], SlidingWindowResult> = {
  name: 'sliding-window',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: slidingWindowProtocol,
  assemble: ({ config: { messages, window, modulus = window + 1, capacity }, mutants: ids }) => {
    const parts = withMutants<Parts>({ sender: windowSender, receiver: windowReceiver }, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel', lossy: true, duplicating: true });
    const from = wiring.reserve('Sender');
    const to = wiring.place('Receiver', parts.receiver, { modulus });
    wiring.place(from, parts.sender, { receiver: to, messages, window, modulus });
    wiring.boundary = channelCapacity(capacity);
    return {
      wiring,
      result: ({ state }) => ({
        sender: state.actor('Sender').state,
        delivered: state.actor<WindowReceiverContext>('Receiver').context.delivered ?? [],
      }),
    };
  },
  figures: ({ sender: state, delivered }) => [
    { label: 'sender', value: state },
    { label: 'delivered', value: delivered.join(' ') },
  ],
};
