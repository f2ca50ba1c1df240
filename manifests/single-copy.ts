import { defineMachine, later } from './define-machine.ts';

export const singleCopy = defineMachine({
  name: 'single-copy',
  summary: 'a register whose servers know nothing of each other: linearizable with one server only',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/put-get.ts')).singleCopy),
  properties: later(async () => [(await import('../properties/protocols/put-get.ts')).putGetIsLinearizable]),
  generator: later(async () => (await import('../properties/protocols/scenarios.ts')).putGetScenarios(1)),
});
