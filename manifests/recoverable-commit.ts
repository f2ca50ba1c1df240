import { defineMachine, later } from './define-machine.ts';

export const recoverableCommit = defineMachine({
  name: 'recoverable-commit',
  summary: 'two-phase commit whose resource managers may crash and begin anew',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/recoverable-commit.ts')).recoverableCommit),
  properties: later(async () => [
    (await import('../properties/protocols/consistent-decisions.ts')).consistentDecisions,
  ]),
});
