import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from '../jitter.ts';
import type { FileAppend, ServiceTaken } from '../messages.ts';

/** Where the file output of one core group goes. */
export interface SioProxyInput extends JitterInput {
  readonly files: Address;
  /** Cycles from a request's coming to its acceptance; at least 1. */
  readonly acceptCycles: number;
}

interface SioProxyContext extends Jittered {
  readonly spec: Fixed<SioProxyInput>;
}

const { choose, post } = component<SioProxyContext, FileAppend, FileAppend | ServiceTaken>();

/** File output of the CPEs of one core group: each request is appended whole, in the order of arrival (specification 6.8, 8.10). */
export const sioProxy = setup({
  types: {} as { context: SioProxyContext; events: FileAppend; input: SioProxyInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    pass: post((c, request) => ({ ...request, to: c.spec.value.files, delay: 1 })),
    accept: post((c, { requester }) => {
      const delay = c.spec.value.acceptCycles + c.jitter;
      return { to: requester, type: 'service.taken', value: 0, delay };
    }),
  },
}).createMachine({
  id: 'sioProxy',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0 }),
  initial: 'serving',
  states: { serving: { on: { 'file.append': { actions: ['drawJitter', 'pass', 'accept'] } } } },
});
