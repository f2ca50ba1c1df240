import { defineMachine, later } from './define-machine.ts';

export const grape = defineMachine({
  name: 'grape',
  summary: 'a SIMD chip: blocks of PEs in lock step under a control processor, with a VSM assembler',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/grape.ts')).grapeMachine),
  properties: later(
    async () => (await import('../properties/grape/machine-properties.ts')).grapeMachineProperties,
  ),
  generator: later(async () => {
    // Some sources have macros, whose parser is loaded once.
    const { loadMacros } = await import('../machines/grape/macros/expand.ts');
    await loadMacros();
    return (await import('../properties/grape/scenarios.ts')).grapeScenarios;
  }),
  verbs: {
    summary: 'VSM assembler and programs of the GRAPE machine',
    load: async () => (await import('../cli/grape/grape.ts')).declareGrape,
  },
  verifies: later(async () => [...(await import('../cli/verify/grape.ts')).grapeKinds]),
});
