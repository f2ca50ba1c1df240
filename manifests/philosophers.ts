import { defineMachine, later } from './define-machine.ts';

export const philosophers = defineMachine({
  name: 'philosophers',
  summary: 'dining philosophers, who take forks in one order so that no circle waits (Dijkstra)',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/philosophers.ts')).philosophers),
  properties: later(async () => {
    const { everybodyEats, neighboursTakeTurns } = await import('../properties/protocols/philosophers.ts');
    return [neighboursTakeTurns, everybodyEats];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).philosophersScenarios,
  ),
});
