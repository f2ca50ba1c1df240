import { setup } from 'xstate';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { nil, putGetClientRole, putGetRequests, type ServerSpec } from './put-get.ts';

/** Clients, and servers that say nothing among themselves. */
export const singleCopyProtocol = protocol({
  Client: putGetClientRole,
  Server: { receives: putGetRequests },
});
const role = singleCopyProtocol.roles.Server;

interface SingleCopyContext {
  value: string;
}

/** The kit of this server, also for planted faults. */
export const singleCopyKit = role.component<SingleCopyContext>();
const { update, post } = singleCopyKit;

/** A server that keeps the register by itself: right as long as it is the only one (specification of protocols, 3.2). */
export const singleCopyServer = setup({
  types: role.types<SingleCopyContext, ServerSpec>(),
  actions: {
    store: update<'Put'>((server, { value }) => {
      server.value = value;
    }),
    confirm: post<'Put'>((_server, { request }, { from: to }) => ({ to, type: 'PutOk', request })),
    answer: post<'Get'>(({ value }, { request }, { from: to }) => ({ to, type: 'GetOk', request, value })),
  },
}).createMachine({
  id: 'singleCopyServer',
  context: () => ({ value: nil }),
  initial: 'serving',
  states: { serving: { on: { Put: { actions: ['store', 'confirm'] }, Get: { actions: 'answer' } } } },
});
