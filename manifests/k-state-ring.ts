import { defineMachine, later } from './define-machine.ts';

export const kStateRing = defineMachine({
  name: 'k-state-ring',
  summary: "a ring that stabilizes itself, with one privilege: Dijkstra's K-state machines",
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/k-state-ring.ts')).kStateRing),
  properties: later(async () => {
    const { stabilizes, staysStable, bottomMoves } = await import('../properties/protocols/k-state-ring.ts');
    return [stabilizes, staysStable, bottomMoves];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).kStateRingScenarios,
  ),
});
