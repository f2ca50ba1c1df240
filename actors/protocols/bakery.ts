import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { protocol, type ShownBy } from '../../kernel/protocol/protocol.ts';
import { safeRegisterAnswers, safeRegisterRole } from './safe-register.ts';

/** Customers, and the registers by which they know of each other. Each shows that it has gone up to the door, has taken a number, and is served. */
export const bakeryProtocol = protocol({
  Customer: {
    receives: safeRegisterAnswers,
    timers: ['want', 'leave'],
    shows: { 'door.reached': {}, 'number.taken': {}, 'service.begun': {} },
  },
  Choosing: safeRegisterRole,
  Number: safeRegisterRole,
});
const role = bakeryProtocol.roles.Customer;

/** Fixed when the customer is placed. */
export interface CustomerSpec {
  /** Its place among the customers. */
  readonly index: number;
  /** By customer: the register that is 1 while it takes a number, and the one with its number, 0 for none. */
  readonly choosing: readonly Address[];
  readonly numbers: readonly Address[];
  /** How often it wants to be served. */
  readonly rounds: number;
}

/** What a customer remembers. */
export interface CustomerContext extends CustomerSpec {
  rounds: number;
  number: number;
  /** The highest number that it has seen while it takes its own. */
  highest: number;
  /** The other customer that it looks at. */
  other: number;
}

/** The kit of customers, also for planted faults. */
export const customerKit = role.component<CustomerContext>();
const { act, post, update, when } = customerKit;

const shows = (type: ShownBy<typeof bakeryProtocol>['type']) =>
  act((_customer, _event, out) => out.probe({ type }));
const write = (which: 'choosing' | 'numbers', value: (customer: CustomerContext) => number) =>
  post((customer) => ({ to: customer[which][customer.index]!, type: 'Write', value: value(customer) }));
const read = (which: 'choosing' | 'numbers') =>
  post((customer) => ({ to: customer[which][customer.other]!, type: 'Read' }));
const nextOf = ({ index, other }: CustomerContext): number => other + (other + 1 === index ? 2 : 1);

/**
 * A customer of the bakery: takes a number higher than all that it sees, and is served when nobody has a lower one (Lamport, "A new solution of Dijkstra's concurrent programming
 * problem", 1974). It bears registers that are read while they are written.
 */
export const customer = setup({
  types: role.types<CustomerContext, CustomerSpec>(),
  guards: {
    isLast: when((one) => nextOf(one) >= one.numbers.length),
    hasChosen: when<'Value'>((_one, { value }) => value === 0),
    isAhead: when<'Value'>(
      ({ number, index, other }, { value }) =>
        value === 0 || number < value || (number === value && index < other),
    ),
  },
  actions: {
    rest: act(({ rounds }, _event, out) => {
      if (rounds > 0) out.setTimer('want');
    }),
    reachDoor: shows('door.reached'),
    beginChoosing: write('choosing', () => 1),
    first: update((one) => {
      one.other = one.index === 0 ? 1 : 0;
    }),
    next: update((one) => {
      one.other = nextOf(one);
    }),
    note: update<'Value'>((one, { value }) => {
      one.highest = Math.max(one.highest, value);
    }),
    takeNumber: update((one) => {
      one.number = one.highest + 1;
    }),
    writeNumber: write('numbers', ({ number }) => number),
    endChoosing: write('choosing', () => 0),
    showNumber: shows('number.taken'),
    readNumber: read('numbers'),
    readChoosing: read('choosing'),
    begin: act((_one, _event, out) => {
      out.probe({ type: 'service.begun' });
      out.setTimer('leave');
    }),
    giveBack: update((one) => {
      Object.assign(one, { number: 0, highest: 0, other: 0, rounds: one.rounds - 1 });
    }),
  },
}).createMachine({
  id: 'customer',
  context: ({ input }) => ({ ...input, number: 0, highest: 0, other: 0 }),
  initial: 'outside',
  on: { Value: refused, Written: refused, want: refused, leave: refused },
  states: {
    outside: { entry: 'rest', on: { want: { target: 'atDoor', actions: ['reachDoor', 'beginChoosing'] } } },
    atDoor: { on: { Written: { target: 'looking', actions: ['first', 'readNumber'] } } },
    looking: {
      on: {
        Value: [
          { guard: 'isLast', target: 'taking', actions: ['note', 'takeNumber', 'writeNumber'] },
          { actions: ['note', 'next', 'readNumber'] },
        ],
      },
    },
    taking: { on: { Written: { target: 'closingDoor', actions: 'endChoosing' } } },
    closingDoor: {
      on: { Written: { target: 'awaitingChoice', actions: ['showNumber', 'first', 'readChoosing'] } },
    },
    awaitingChoice: {
      on: {
        Value: [
          { guard: 'hasChosen', target: 'awaitingTurn', actions: 'readNumber' },
          { actions: 'readChoosing' },
        ],
      },
    },
    awaitingTurn: {
      on: { Value: [{ guard: 'isAhead', target: 'passing' }, { actions: 'readNumber' }] },
    },
    passing: {
      always: [
        { guard: 'isLast', target: 'inside' },
        { target: 'awaitingChoice', actions: ['next', 'readChoosing'] },
      ],
    },
    inside: { entry: 'begin', on: { leave: { target: 'leaving', actions: ['giveBack', 'writeNumber'] } } },
    leaving: { on: { Written: 'outside' } },
  },
});
