import { defineMachine, later } from './define-machine.ts';

export const chipletNetwork = defineMachine({
  name: 'chiplet-network',
  summary: 'the network between chiplets by itself, under traffic: the routers of popnet',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/chiplet/network-machine.ts')).networkMachine),
  properties: later(
    async () => (await import('../properties/chiplet/machine-properties.ts')).networkMachineProperties,
  ),
  generator: later(async () => (await import('../properties/chiplet/scenarios.ts')).chipletScenarios),
  verifies: later(async () => [
    (await import('../cli/verify/popnet.ts')).popnetRuns,
    (await import('../cli/verify/popnet-extensions.ts')).popnetExtensions,
    (await import('../cli/verify/popnet-curves.ts')).popnetCurves,
    (await import('../cli/verify/popnet-curves.ts')).booksimCurves,
  ]),
});
