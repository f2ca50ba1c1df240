import { defineMachine, later } from './define-machine.ts';

export const lamportMutex = defineMachine({
  name: 'lamport-mutex',
  summary: 'mutual exclusion in the order of requests, by logical clocks: Lamport',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/lamport-mutex.ts')).lamportMutex),
  properties: later(async () => {
    const { oneInside, inOrderOfRequests, everybodyEnters } = await import(
      '../properties/protocols/lamport-mutex.ts'
    );
    return [oneInside, inOrderOfRequests, everybodyEnters];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).lamportMutexScenarios,
  ),
});
