import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { creditStates } from '../../common/credits.ts';
import { isTail } from './flit.ts';
import { networkProtocol } from './protocol.ts';

/** Whom an output channel knows, and what it begins with. */
export interface OutputChannelInput {
  readonly router: Address;
  /** Its number in the router. */
  readonly output: number;
  /** The input channels of the router by number. */
  readonly inputs: readonly Address[];
  /** Places in the buffer behind it. */
  readonly places: number;
}

/** An output channel: free places behind it, and who has it. */
export interface OutputChannelContext {
  readonly spec: Fixed<OutputChannelInput>;
  /** Credits: free places in the buffer at the other end of the link. */
  credits: number;
  /** Number of the input channel whose packet has it; -1 while it is free. */
  user: number;
}

const role = networkProtocol.roles['Router.Output'];

/** The kit of output channels, also for planted faults. */
export const outputChannelKit = role.component<OutputChannelContext>();
const { update, post, when } = outputChannelKit;

/** The input channel whose packet has it. */
const userOf = ({ spec, user }: OutputChannelContext): Address => spec.value.inputs[user]!;

/**
 * A virtual channel of an output port (chiplet specification 5.2): whether a packet has it, and the places that are free behind it.
 *
 * Details: it is free again as soon as the tail of its packet has gone through the switch, whatever is still in the buffer behind it (5.4).
 */
export const outputChannel = setup({
  types: role.types<OutputChannelContext, OutputChannelInput>(),
  guards: {
    isTail: when<'flit.through'>((_output, { flit }) => isTail(flit)),
    isLastCredit: when((output) => output.credits === 1),
  },
  actions: {
    keepUser: update<'channel.give'>((output, { input }) => {
      output.user = input;
    }),
    tellUser: post<'channel.give'>((output, { input, cycle }) => ({
      to: output.spec.value.inputs[input]!,
      type: 'channel.given',
      cycle,
      output: output.spec.value.output,
      hasPlace: output.credits > 0,
    })),
    forgetUser: update((output) => {
      output.user = -1;
    }),
    takePlace: update<'flit.through'>((output) => {
      output.credits--;
    }),
    passOn: post<'flit.through'>((output, { type: _type, ...flit }) => ({
      ...flit,
      to: output.spec.value.router,
      type: 'flit.crossed',
      output: output.spec.value.output,
      hasPlace: output.credits > 0,
      isFree: output.user < 0,
    })),
    tellNone: post<'flit.through'>((output, { flit }) =>
      isTail(flit) ? undefined : { to: userOf(output), type: 'place.none' },
    ),
    givePlaceBack: update<'place.back'>((output) => {
      output.credits++;
    }),
    tellFree: post<'place.back'>((output, { cycle }) => {
      const place = { type: 'place.free', output: output.spec.value.output, cycle } as const;
      const router = { ...place, to: output.spec.value.router };
      return output.user < 0 ? router : [router, { ...place, to: userOf(output) }];
    }),
  },
}).createMachine({
  id: 'output-channel',
  context: ({ input }) => ({ spec: fixed(input), credits: input.places, user: -1 }),
  type: 'parallel',
  states: {
    use: {
      initial: 'free',
      states: {
        free: {
          on: { 'channel.give': { target: 'taken', actions: ['keepUser', 'tellUser'] } },
        },
        taken: {
          on: { 'flit.through': [{ guard: 'isTail', target: 'free', actions: 'forgetUser' }, {}] },
        },
      },
    },
    places: {
      initial: 'some',
      states: creditStates('flit.through', 'place.back', {
        spend: ['takePlace', 'passOn'],
        spendLast: ['takePlace', 'passOn', 'tellNone'],
        refund: ['givePlaceBack'],
        refundFirst: ['givePlaceBack', 'tellFree'],
      }),
    },
  },
});
