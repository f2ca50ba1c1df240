import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  kStateProtocol,
  type RingMachineContext,
  type RingMachineSpec,
  ringMachine,
  ringMachineKit,
} from '../../actors/protocols/k-state-ring.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { begunWith, plantingIn } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  machines: z.int().min(2).max(12).default(3).describe('machines in the ring'),
  states: z
    .int()
    .min(2)
    .max(100)
    .optional()
    .describe('states of a machine: K; as many as there are machines when absent'),
});

/** Configuration of the ring. */
export type KStateRingConfig = z.output<typeof config>;

interface Parts {
  readonly bottom: AnyStateMachine;
  readonly other: AnyStateMachine;
}

const { act, post, when } = ringMachineKit;
const { replace } = plantingIn<Parts>();
const mutants = mutantsOf<Parts>({
  'moves-always': {
    sentence: 'the bottom machine moves whether it is privileged or not',
    mutate: replace('bottom', { guards: { isSame: when(() => true) } }),
  },
  'takes-next-state': {
    sentence: 'a machine takes the state after that of its neighbour',
    mutate: replace('other', {
      actions: {
        copy: act((machine, { value }) => {
          machine.value = (value + 1) % machine.states;
        }),
      },
    }),
  },
  'tells-before-moving': {
    sentence: 'the bottom machine tells what it was told, instead of its own state',
    mutate: replace('bottom', {
      actions: { tell: post(({ right: to }, { value }) => ({ to, type: 'State', value })) },
    }),
  },
  'two-states': {
    sentence: 'there are two states, and more machines',
    mutate: ({ bottom, other }) => ({
      bottom: begunWith<RingMachineSpec>(bottom, (spec) => ({ ...spec, states: 2 })),
      other: begunWith<RingMachineSpec>(other, (spec) => ({ ...spec, states: 2 })),
    }),
  },
});

/** Machines in a ring that come from any state to one in which exactly one is privileged, and stay so. */
export const kStateRing: Machine<KStateRingConfig, readonly unknown[], readonly number[]> = {
  name: 'k-state-ring',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: kStateProtocol,
  assemble: ({ config: { machines: count, states = count }, mutants: ids }) => {
    const { bottom, other } = withMutants<Parts>({ bottom: ringMachine, other: ringMachine }, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel' });
    const ring = kStateProtocol.roles.Machine.reserve(wiring, count);
    ring.forEach((address, at) => {
      wiring.place(address, at === 0 ? bottom : other, {
        right: ring[(at + 1) % count]!,
        isBottom: at === 0,
        states,
      });
    });
    return {
      wiring,
      result: ({ state }) =>
        state.named<RingMachineContext>('Machine[*]').map(({ context }) => context.value),
    };
  },
  figures: (values) => [{ label: 'states', value: values.join(' ') }],
};
