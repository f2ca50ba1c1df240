import { defineMachine, later } from './define-machine.ts';

export const paxos = defineMachine({
  name: 'paxos',
  summary: 'servers that agree on one value: single-decree Paxos (Lamport)',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/put-get.ts')).paxos),
  properties: later(async () => [(await import('../properties/protocols/put-get.ts')).putGetIsLinearizable]),
  generator: later(async () => (await import('../properties/protocols/scenarios.ts')).putGetScenarios(4)),
});
