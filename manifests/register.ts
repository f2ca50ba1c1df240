import { defineMachine, later } from './define-machine.ts';

export const register = defineMachine({
  name: 'register',
  summary: 'clients that write and read one register, kept in one copy or, wrongly, in several',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/register.ts')).sharedRegister),
  properties: later(async () => [
    (await import('../properties/protocols/linearizable-register.ts')).linearizableRegister,
  ]),
  generator: later(async () => (await import('../properties/protocols/scenarios.ts')).registerScenarios),
});
