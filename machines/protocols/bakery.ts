import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { bakeryProtocol, customer, customerKit } from '../../actors/protocols/bakery.ts';
import { safeRegister } from '../../actors/protocols/safe-register.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  customers: z.int().min(2).max(8).default(2).describe('who want to be served'),
  rounds: z.int().min(1).max(100).default(1).describe('how often each of them wants to'),
  anything: z
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe(
      'numbers, from 0 on, that may be read while one is written; 0 for registers that have the old or the new one',
    ),
});

/** Configuration of the bakery. */
export type BakeryConfig = z.output<typeof config>;

const { post, update, when } = customerKit;
const mutants = mutantsOf<AnyStateMachine>({
  'awaits-no-choice': {
    sentence: 'a customer does not wait for others who are just taking a number',
    mutate: planting({ guards: { hasChosen: when<'Value'>(() => true) } }),
  },
  'equal-is-ahead': {
    sentence: 'of two customers with the same number each takes itself to be ahead',
    mutate: planting({
      guards: {
        isAhead: when<'Value'>(({ number }, { value }) => value === 0 || number <= value),
      },
    }),
  },
  'takes-highest': {
    sentence: 'a customer takes the highest number that it sees, and not the one after it',
    mutate: planting({
      actions: {
        takeNumber: update((other) => {
          other.number = Math.max(other.highest, 1);
        }),
      },
    }),
  },
  'hides-choosing': {
    sentence: 'a customer does not say that it is taking a number',
    mutate: planting({
      actions: {
        beginChoosing: post(({ choosing, index }) => ({ to: choosing[index]!, type: 'Write', value: 0 })),
      },
    }),
  },
});

/** Customers who take numbers, and are served one at a time, in registers that are read while they are written. */
export const bakery: Machine<BakeryConfig, readonly unknown[], readonly string[]> = {
  name: 'bakery',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: bakeryProtocol,
  assemble: ({ config: { customers: count, rounds, anything }, mutants: ids }) => {
    const part = withMutants<AnyStateMachine>(customer, mutants, ids);
    const wiring = new Wiring({});
    const { roles } = bakeryProtocol;
    const customers = roles.Customer.reserve(wiring, count);
    const [choosing, numbers] = [roles.Choosing.reserve(wiring, count), roles.Number.reserve(wiring, count)];
    for (const at of choosing) wiring.place(at, safeRegister, { values: Math.min(anything, 2) });
    for (const at of numbers) wiring.place(at, safeRegister, { values: anything });
    for (const [index, at] of customers.entries())
      wiring.place(at, part, { index, choosing, numbers, rounds });
    return { wiring, result: ({ state }) => state.named('Customer[*]').map((one) => one.state) };
  },
  figures: (states) => [{ label: 'customers', value: states.join(', ') }],
};
