import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { putGetClientRole, putGetRequests } from './put-get.ts';

/** Fixed when the client is placed. */
export interface PutGetClientSpec {
  /** All servers, ascending. */
  readonly servers: readonly Address[];
}

/** What a client remembers. */
export interface PutGetClientContext extends PutGetClientSpec {
  /** Number of the request whose answer it awaits, -1 for none. */
  awaits: number;
  /** Operations that it has begun. */
  operations: number;
}

const role = protocol({ Client: putGetClientRole, Server: { receives: putGetRequests } }).roles.Client;
const { act, when } = role.component<PutGetClientContext>();

/**
 * Puts one value of its own, then gets the value of the register, from one server after the other (specification of protocols, 3.1).
 *
 * Details: its states are not tagged as waiting: an answer that never comes is no deadlock, since servers may crash and decide otherwise.
 */
export const putGetClient = setup({
  types: role.types<PutGetClientContext, PutGetClientSpec>(),
  guards: { awaited: when((client, { request }) => request === client.awaits) },
  actions: {
    put: act((client, _event, out) => {
      const { servers } = client;
      const value = String.fromCharCode(65 + out.self - servers.length);
      client.awaits = out.self;
      client.operations = 1;
      out.probe({ type: 'operation.invoked', operation: ['write', value] });
      out.post({ to: servers[out.self % servers.length]!, type: 'Put', request: out.self, value });
    }),
    get: act((client, _event, out) => {
      const { servers, operations } = client;
      client.awaits = (operations + 1) * out.self;
      client.operations++;
      out.probe({ type: 'operation.returned', result: null });
      out.probe({ type: 'operation.invoked', operation: ['read'] });
      out.post({
        to: servers[(out.self + operations) % servers.length]!,
        type: 'Get',
        request: client.awaits,
      });
    }),
    finish: act<'GetOk'>((client, { value }, out) => {
      client.awaits = -1;
      client.operations++;
      out.probe({ type: 'operation.returned', result: value });
    }),
  },
}).createMachine({
  id: 'putGetClient',
  context: ({ input }) => ({ ...input, awaits: -1, operations: 0 }),
  initial: 'putting',
  states: {
    putting: {
      entry: 'put',
      on: { PutOk: { guard: 'awaited', target: 'getting' }, GetOk: refused },
    },
    getting: {
      entry: 'get',
      on: { GetOk: { guard: 'awaited', target: 'finished' }, PutOk: refused },
    },
    finished: { entry: 'finish', on: { PutOk: refused, GetOk: refused } },
  },
});
