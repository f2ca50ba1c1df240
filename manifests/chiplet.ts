import { defineMachine, later } from './define-machine.ts';

export const chiplet = defineMachine({
  name: 'chiplet',
  summary: 'CPU and GPU chiplets with programs, and the network over which they exchange messages',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/chiplet/system.ts')).systemMachine),
  properties: later(
    async () => (await import('../properties/chiplet/machine-properties.ts')).systemMachineProperties,
  ),
  generator: later(async () =>
    (await import('fast-check')).default.oneof(
      (await import('../properties/chiplet/system/scenarios.ts')).systemScenarios,
      (await import('../properties/chiplet/kernel-scenarios.ts')).kernelScenarios,
      (await import('../properties/chiplet/system/timed-scenarios.ts')).timedScenarios,
    ),
  ),
  verbs: {
    summary:
      'systems of chiplets: popnet by its command line, latency over load, PTX kernels, the coordinator',
    load: async () => (await import('../cli/chiplet/chiplet.ts')).declareChiplet,
  },
  verifies: later(async () => [
    (await import('../cli/verify/ptx.ts')).ptxKernels,
    (await import('../cli/verify/measured-gpu.ts')).measuredGpu,
  ]),
});
