import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { keepRequest, register, registerKit, requestOf } from '../../actors/protocols/register.ts';
import { registerClient, registerProtocol } from '../../actors/protocols/register-client.ts';
import { turns } from '../../actors/protocols/turns.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { noPrograms } from './no-programs.ts';

const count = (most: number) => z.int().min(0).max(most);

const config = z.strictObject({
  clients: count(8).min(1).default(2).describe('who writes and reads'),
  copies: count(8)
    .min(1)
    .default(1)
    .describe(
      'copies of the register, which know nothing of each other; client i uses copy i modulo their number',
    ),
  writes: count(100).default(1).describe('values that each client writes first'),
  reads: count(100).default(1).describe('how often each client reads after that'),
});

/** Configuration of a shared register. */
export type RegisterConfig = z.output<typeof config>;

/** How the register stands. */
export interface RegisterResult {
  /** Values by copy. */
  readonly values: readonly number[];
  /** Operations that were answered, by client. */
  readonly operations: readonly number[];
}

const mutants = mutantsOf<AnyStateMachine>({
  'lost-write': {
    sentence: 'a write is answered and forgotten',
    mutate: (part) => part.provide({ actions: { store: registerKit.update(() => {}) } }),
  },
  'early-answer': {
    sentence: 'a write is answered when it arrives, and carried out later',
    mutate: (part) =>
      part.provide({
        actions: {
          keep: registerKit.act<'register.write' | 'register.read'>((r, request, out) => {
            keepRequest(r, request);
            if (request.type === 'register.write') out.post({ to: request.by, type: 'register.written' });
          }),
          answer: registerKit.post<'turn.take'>((r, turn) =>
            requestOf(r, turn).type === 'register.read'
              ? { to: turn.for, type: 'register.value', value: r.value }
              : undefined,
          ),
        },
      }),
  },
});

/** Clients that write and read one register, of which there is one copy, as it should be, or several. */
export const sharedRegister: Machine<RegisterConfig, readonly unknown[], RegisterResult> = {
  name: 'register',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  protocol: registerProtocol,
  assemble: ({ config: { clients, copies, writes, reads }, mutants: planted }) => {
    const part = withMutants<AnyStateMachine>(register, mutants, planted);
    const wiring = new Wiring();
    const users = registerProtocol.roles.Client.reserve(wiring, clients);
    const registers = registerProtocol.roles.Register.reserve(wiring, copies);
    const scheduler = registerProtocol.roles.Turns.reserve(wiring);
    for (const [client, self] of users.entries()) {
      const values = Array.from({ length: writes }, (_, write) => 1 + client * writes + write);
      wiring.place(self, registerClient, {
        self,
        register: registers[client % copies]!,
        writes: values,
        reads,
      });
      wiring.begin({ to: self, type: 'client.begin' });
    }
    for (const self of registers) wiring.place(self, part, { self, turns: scheduler, value: 0 });
    wiring.place(scheduler, turns, { self: scheduler });
    return {
      wiring,
      result: (run) => ({
        values: registers.map((self) => run.part(self).context['value'] as number),
        operations: users.map((user) => run.part(user).context['done'] as number),
      }),
    };
  },
  figures: ({ values, operations }) => [
    { label: 'values', value: values.join(', ') },
    { label: 'operations', value: operations.join(', ') },
  ],
};
