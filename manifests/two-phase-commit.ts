import { defineMachine, later } from './define-machine.ts';

export const twoPhaseCommit = defineMachine({
  name: 'two-phase-commit',
  summary: 'a transaction manager and resource managers that all commit or all abort',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/two-phase-commit.ts')).twoPhaseCommit),
  properties: later(async () => [
    (await import('../properties/protocols/consistent-decisions.ts')).consistentDecisions,
  ]),
  generator: later(
    async () => (await import('../properties/protocols/scenarios.ts')).twoPhaseCommitScenarios,
  ),
});
