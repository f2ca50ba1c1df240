import { defineMachine, later } from './define-machine.ts';

export const chiplet = defineMachine({
  name: 'chiplet',
  summary:
    'chiplets and the network between them: traffic alone, CPU and GPU chiplets with programs, or processes under a coordinator',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/chiplet.ts')).chipletMachine),
  properties: later(
    async () => (await import('../properties/chiplet/machine-properties.ts')).chipletMachineProperties,
  ),
  generator: later(async () => (await import('../properties/chiplet/all-scenarios.ts')).allChipletScenarios),
  verbs: {
    summary:
      'systems of chiplets: popnet by its command line, latency over load, PTX kernels, the coordinator',
    load: async () => (await import('../cli/chiplet/chiplet.ts')).declareChiplet,
  },
  verifies: later(async () => [
    (await import('../cli/verify/popnet.ts')).popnetRuns,
    (await import('../cli/verify/popnet-extensions.ts')).popnetExtensions,
    (await import('../cli/verify/popnet-curves.ts')).popnetCurves,
    (await import('../cli/verify/popnet-curves.ts')).booksimCurves,
    (await import('../cli/verify/ptx.ts')).ptxKernels,
    (await import('../cli/verify/measured-gpu.ts')).measuredGpu,
    (await import('../cli/verify/interchiplet.ts')).interchipletRounds,
  ]),
});
