import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { TurnTake } from './turns.ts';

/** Asks for the value of a register; answered by `register.value`. */
export interface RegisterRead {
  readonly type: 'register.read';
  readonly by: Address;
}

/** Gives a register a value; answered by `register.written`. */
export interface RegisterWrite {
  readonly type: 'register.write';
  readonly by: Address;
  readonly value: number;
}

/** What a register answers, when it has read or written. */
export type RegisterAnswer =
  | { readonly type: 'register.value'; readonly value: number }
  | { readonly type: 'register.written' };

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
export type RegisterRequest = RegisterRead | RegisterWrite;
type RegisterEvent = TurnTake | RegisterRequest;

/** The kit of registers, also for planted faults. */
export const registerKit = component<RegisterContext, RegisterEvent>();
const { update, post } = registerKit;

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
  types: {} as { context: RegisterContext; events: RegisterEvent; input: RegisterSpec },
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
  initial: 'serving',
  states: {
    serving: {
      on: {
        'register.read': { actions: ['keep', 'askForTurn'] },
        'register.write': { actions: ['keep', 'askForTurn'] },
        'turn.take': { actions: ['store', 'answer', 'forget'] },
      },
    },
  },
});
