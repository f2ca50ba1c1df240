import { defineMachine, later } from './define-machine.ts';

export const cell = defineMachine({
  name: 'cell',
  summary: 'SPUs with DMA modules on bidirectional data rings, a data arbiter, a command bus',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/cell.ts')).cellMachine),
  properties: later(
    async () => (await import('../properties/cell/machine-properties.ts')).cellMachineProperties,
  ),
  generator: later(async () => (await import('../properties/cell/scenarios.ts')).cellScenarios),
  verbs: {
    summary: 'workloads, arbitration instances and event logs of the Cell ring machine',
    load: async () => (await import('../cli/cell/cell.ts')).declareCell,
  },
  verifies: later(async () => [
    (await import('../cli/verify/cell-arbitration.ts')).cellArbitration,
    (await import('../cli/verify/cell-workloads.ts')).cellWorkloads,
    (await import('../cli/verify/cell-results.ts')).cellResults,
  ]),
});
