import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { registerAnswers, registerRole } from './register.ts';
import { turnsRole } from './turns.ts';

/** Fixed when the parts are wired. */
export interface RegisterClientSpec {
  readonly self: Address;
  readonly register: Address;
  /** The values that it writes, in order; no other client writes them. */
  readonly writes: readonly number[];
  /** How often it reads after its writes. */
  readonly reads: number;
}

/** What a client of a register remembers. */
export interface RegisterClientContext extends RegisterClientSpec {
  /** Operations that were answered. */
  done: number;
}

/** Clients and copies of a register, and who says whose request is carried out next. */
export const registerProtocol = protocol({
  Client: { receives: { 'client.begin': {}, ...registerAnswers } },
  Register: registerRole,
  Turns: turnsRole,
});
const role = registerProtocol.roles.Client;

const { update, post, when } = role.component<RegisterClientContext>();
const waiting = {
  tags: 'waiting',
  meta: waitsFor<RegisterClientContext>('an answer', (client) => client.register),
};

/** Writes values of its own into a register, then reads it, one operation after the other. */
export const registerClient = setup({
  types: role.types<RegisterClientContext, RegisterClientSpec>(),
  guards: {
    mayWrite: when(({ done, writes }) => done < writes.length),
    mayRead: when(({ done, writes, reads }) => done < writes.length + reads),
  },
  actions: {
    write: post(({ register: to, self: by, writes, done }) => ({
      to,
      type: 'register.write',
      by,
      value: writes[done]!,
    })),
    read: post(({ register: to, self: by }) => ({ to, type: 'register.read', by })),
    count: update((client) => {
      client.done++;
    }),
  },
}).createMachine({
  id: 'registerClient',
  context: ({ input }) => ({ ...input, done: 0 }),
  initial: 'resting',
  states: {
    resting: { on: { 'client.begin': 'ready' } },
    ready: {
      always: [
        { guard: 'mayWrite', target: 'writing' },
        { guard: 'mayRead', target: 'reading' },
        { target: 'finished' },
      ],
    },
    writing: {
      ...waiting,
      entry: 'write',
      on: { 'register.written': { target: 'ready', actions: 'count' } },
    },
    reading: { ...waiting, entry: 'read', on: { 'register.value': { target: 'ready', actions: 'count' } } },
    finished: {},
  },
});
