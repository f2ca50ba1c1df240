import type { Given } from '../machines/machine.ts';
import { defineMachine, later } from './define-machine.ts';

export const alternatingBit = defineMachine({
  name: 'alternating-bit',
  summary: 'values sent over a channel that loses and doubles messages: the alternating bit protocol',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/alternating-bit.ts')).alternatingBit),
  properties: later(async () => {
    const { transmission } = await import('../properties/protocols/alternating-bit.ts');
    return ({ network }: Pick<Given, 'network'>) => transmission(network);
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).alternatingBitScenarios,
  ),
});
