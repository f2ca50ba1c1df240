import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type EventsOf, protocol } from '../../kernel/protocol/protocol.ts';
import { type TurnTake, turnsRole, turnTake } from './turns.ts';

const value = field.int();
const by = field.address();

/** The role of a register: it is asked for its value, or given one, and carries that out when it has its turn. */
export const registerRole = {
  receives: {
    'register.read': { by },
    'register.write': { by, value },
    'turn.take': turnTake,
  },
};

/** What a register answers when it has read or written. */
export const registerAnswers = { 'register.value': { value }, 'register.written': {} };

const alone = protocol({ Register: registerRole, Asker: { receives: registerAnswers }, Turns: turnsRole });
const role = alone.roles.Register;

/** What a register answers, when it has read or written. */
export type RegisterAnswer = EventsOf<typeof alone, 'Asker'>;

/** Fixed when the parts are wired. */
export interface RegisterSpec {
  readonly self: Address;
  readonly turns: Address;
  /** The value before the first write. */
  readonly value: number;
}

/** What a register remembers. */
export interface RegisterContext extends Omit<RegisterSpec, 'value'> {
  value: number;
  /** What is to be done, in the order of the askers: who asked first must make no difference. */
  requests: RegisterRequest[];
}

/** A request to a register. */
export type RegisterRequest = Exclude<EventsOf<typeof alone, 'Register'>, TurnTake>;

/** The kit of registers, also for planted faults. */
export const registerKit = role.component<RegisterContext>();
const { update, post, when } = registerKit;

/** Puts a request into its place. */
export function keepRequest(register: RegisterContext, request: RegisterRequest): void {
  register.requests.push(request);
  register.requests.sort((one, other) => one.by - other.by);
}

/** The request whose turn it is. */
export const requestOf = ({ requests }: RegisterContext, turn: TurnTake): RegisterRequest =>
  requests.find(({ by }) => by === turn.for)!;

/** A variable that parties of arbitrary speed share: each request that waits may be the next one to be carried out, in a turn of its own. */
export const register = setup({
  types: role.types<RegisterContext, RegisterSpec>(),
  guards: { isLast: when(({ requests }) => requests.length === 1) },
  actions: {
    keep: update<RegisterRequest['type']>(keepRequest),
    askForTurn: post<RegisterRequest['type']>((r, { by }) => ({
      to: r.turns,
      type: 'turn.ask',
      by: r.self,
      for: by,
    })),
    store: update<'turn.take'>((r, turn) => {
      const request = requestOf(r, turn);
      if (request.type === 'register.write') r.value = request.value;
    }),
    answer: post<'turn.take'>((r, turn) =>
      requestOf(r, turn).type === 'register.write'
        ? { to: turn.for, type: 'register.written' }
        : { to: turn.for, type: 'register.value', value: r.value },
    ),
    forget: update<'turn.take'>((r, turn) => {
      r.requests.splice(r.requests.indexOf(requestOf(r, turn)), 1);
    }),
  },
}).createMachine({
  id: 'register',
  context: ({ input }) => ({ ...input, requests: [] }),
  initial: 'unasked',
  states: {
    unasked: {
      on: {
        'register.read': { target: 'asked', actions: ['keep', 'askForTurn'] },
        'register.write': { target: 'asked', actions: ['keep', 'askForTurn'] },
        'turn.take': refused,
      },
    },
    asked: {
      on: {
        'register.read': { actions: ['keep', 'askForTurn'] },
        'register.write': { actions: ['keep', 'askForTurn'] },
        'turn.take': [
          { guard: 'isLast', target: 'unasked', actions: ['store', 'answer', 'forget'] },
          { actions: ['store', 'answer', 'forget'] },
        ],
      },
    },
  },
});
