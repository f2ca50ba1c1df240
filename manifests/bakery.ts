import { defineMachine, later } from './define-machine.ts';

export const bakery = defineMachine({
  name: 'bakery',
  summary: 'mutual exclusion by numbers, with registers that are read while they are written: Lamport',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/bakery.ts')).bakery),
  properties: later(async () => {
    const { everybodyIsServed, firstComeFirstServed, oneIsServed } = await import(
      '../properties/protocols/bakery.ts'
    );
    return [oneIsServed, firstComeFirstServed, everybodyIsServed];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).bakeryScenarios,
  ),
});
