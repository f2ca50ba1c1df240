import { defineMachine, later } from './define-machine.ts';

export const mutualExclusion = defineMachine({
  name: 'mutual-exclusion',
  summary: 'two processes that keep each other out of a critical section, by shared variables alone',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/mutual-exclusion.ts')).mutualExclusion),
  properties: later(async () => [(await import('../properties/protocols/one-at-a-time.ts')).oneAtATime]),
  generator: later(
    async () => (await import('../properties/protocols/scenarios.ts')).mutualExclusionScenarios,
  ),
});
