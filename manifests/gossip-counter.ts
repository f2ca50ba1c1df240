import type { Given } from '../machines/machine.ts';
import { defineMachine, later } from './define-machine.ts';

export const gossipCounter = defineMachine({
  name: 'gossip-counter',
  summary: 'a counter in replicas that gossip, a conflict-free replicated data type: the PN-counter',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/gossip-counter.ts')).gossipCounter),
  properties: later(async () => {
    const { convergence } = await import('../properties/protocols/gossip-counter.ts');
    return ({ network }: Pick<Given, 'network'>) => convergence(network);
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).gossipCounterScenarios,
  ),
});
