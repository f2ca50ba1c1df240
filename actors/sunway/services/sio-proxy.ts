import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type Serving, serverParts, serverStates } from '../../common/server.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from '../jitter.ts';
import type { FileAppend, ServiceTaken } from '../messages.ts';

/** Where the file output of one core group goes. */
export interface SioProxyInput extends JitterInput {
  readonly files: Address;
  /** Cycles from a request's coming to its acceptance; at least 1. */
  readonly acceptCycles: number;
}

interface SioProxyContext extends Jittered, Serving {
  readonly spec: Fixed<SioProxyInput>;
}

type SioProxyEvent = FileAppend | { readonly type: 'proxy.done' };

const kit = component<SioProxyContext, SioProxyEvent, FileAppend | ServiceTaken>();
const acceptCycles = ({ spec, jitter }: SioProxyContext): number => spec.value.acceptCycles + jitter;
const server = serverParts(kit, 'proxy.done', acceptCycles);

/** File output of the CPEs of one core group: each request is appended whole, in the order of arrival (specification 6.8, 8.10). */
export const sioProxy = setup({
  types: {} as { context: SioProxyContext; events: SioProxyEvent; input: SioProxyInput },
  guards: server.guards,
  actions: {
    ...server.actions,
    drawJitter: kit.choose('jitter', jitterCount, keepJitter),
    pass: kit.post<'file.append'>((c, request) => ({ ...request, to: c.spec.value.files, delay: 1 })),
    accept: kit.post<'file.append'>((c, { requester: to }) => ({
      to,
      type: 'service.taken',
      value: 0,
      delay: acceptCycles(c),
    })),
  },
}).createMachine({
  id: 'sioProxy',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0, servesUntil: 0 }),
  initial: 'idle',
  on: { 'file.append': { target: '.serving', actions: ['drawJitter', 'pass', 'accept', 'serve'] } },
  states: serverStates('proxy.done'),
});
