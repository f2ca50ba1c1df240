import { defineMachine, later } from './define-machine.ts';

export const pingPong = defineMachine({
  name: 'ping-pong',
  summary: 'two players that count the balls between them, over any network',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/ping-pong.ts')).pingPong),
  properties: later(async () => [
    (await import('../properties/protocols/players-stay-together.ts')).playersStayTogether,
  ]),
  generator: later(async () => (await import('../properties/protocols/scenarios.ts')).pingPongScenarios),
});
