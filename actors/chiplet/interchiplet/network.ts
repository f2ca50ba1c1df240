import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Phase2 } from './hop-latencies.ts';
import type { NetworkDone, NetworkRun } from './round-messages.ts';

/** Fixed when the parts are wired. */
export interface NetworkSpec {
  readonly rounds: Address;
  /** What the network makes of a trace: a pure function. */
  readonly phase2: Fixed<Phase2>;
}

/** What a network remembers: nothing from round to round. */
export interface NetworkContext extends NetworkSpec {
  /** Traces that it was given. */
  traces: number;
}

/** The kit of networks, also for planted faults. */
export const networkKit = component<NetworkContext, NetworkRun, NetworkDone>();
const { update, post } = networkKit;

/** Phase 2 as a part: given the trace of a round, it tells what each transaction took (chiplet specification 9.1). */
export const network = setup({
  types: {} as { context: NetworkContext; events: NetworkRun; input: NetworkSpec },
  actions: {
    count: update((n) => {
      n.traces++;
    }),
    simulate: post<'network.run'>(({ rounds: to, phase2 }, { bench }) => ({
      to,
      type: 'network.done',
      delay: 1,
      lines: phase2.value(bench),
    })),
  },
}).createMachine({
  id: 'network',
  context: ({ input }) => ({ ...input, traces: 0 }),
  initial: 'idle',
  states: { idle: { on: { 'network.run': { actions: ['count', 'simulate'] } } } },
});
