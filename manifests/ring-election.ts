import { defineMachine, later } from './define-machine.ts';

export const ringElection = defineMachine({
  name: 'ring-election',
  summary: 'nodes of a ring that elect the largest of them: Chang and Roberts',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/ring-election.ts')).ringElection),
  properties: later(async () => {
    const { largestLeads, everybodyLearns } = await import('../properties/protocols/ring-election.ts');
    return [largestLeads, everybodyLearns];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).ringElectionScenarios,
  ),
});
