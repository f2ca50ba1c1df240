import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import { type Get, nil, type Put, type PutGetAnswer, type ServerSpec } from './put-get.ts';

interface SingleCopyContext {
  value: string;
}

/** The kit of this server, also for planted faults. */
export const singleCopyKit = component<SingleCopyContext, Get | Put, PutGetAnswer>();
const { update, post } = singleCopyKit;

/** A server that keeps the register by itself: right as long as it is the only one (specification of protocols, 3.2). */
export const singleCopyServer = setup({
  types: {} as { context: SingleCopyContext; events: Get | Put; input: ServerSpec },
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
