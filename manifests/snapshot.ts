import { defineMachine, later } from './define-machine.ts';

export const snapshot = defineMachine({
  name: 'snapshot',
  summary: 'a global state that is recorded while money is on its way: Chandy and Lamport',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/snapshot.ts')).snapshot),
  properties: later(async () => {
    const { recordsAllMoney, completes } = await import('../properties/protocols/snapshot.ts');
    return [recordsAllMoney, completes];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).snapshotScenarios,
  ),
});
