import type { Given } from '../machines/machine.ts';
import { defineMachine, later } from './define-machine.ts';

export const slidingWindow = defineMachine({
  name: 'sliding-window',
  summary: 'values sent ahead of their acknowledgements over a channel that loses messages: go back N',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/sliding-window.ts')).slidingWindow),
  properties: later(async () => {
    const { transmission } = await import('../properties/protocols/alternating-bit.ts');
    return ({ network }: Pick<Given, 'network'>) => transmission(network);
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).slidingWindowScenarios,
  ),
});
