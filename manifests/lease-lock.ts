import { defineMachine, later } from './define-machine.ts';

export const leaseLock = defineMachine({
  name: 'lease-lock',
  summary: 'a lock that is lent for a time over clocks that drift, and writes that are fenced by tokens',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/lease-lock.ts')).leaseLock),
  properties: later(async () => {
    const { oneHolder, writesAreFenced, tokensGrow, lockIsHeld } = await import(
      '../properties/protocols/lease-lock.ts'
    );
    return [oneHolder, writesAreFenced, tokensGrow, lockIsHeld];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).leaseLockScenarios,
  ),
});
