import { defineMachine, later } from './define-machine.ts';

export const abd = defineMachine({
  name: 'abd',
  summary: 'an atomic register on several servers, a majority of which answers (Attiya, Bar-Noy, Dolev)',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/put-get.ts')).abd),
  properties: later(async () => [(await import('../properties/protocols/put-get.ts')).putGetIsLinearizable]),
  generator: later(async () => (await import('../properties/protocols/scenarios.ts')).putGetScenarios(4)),
});
