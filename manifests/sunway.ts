import { defineMachine, later } from './define-machine.ts';

export const sunway = defineMachine({
  name: 'sunway',
  summary: 'a Sunway node: hosts and arrays of 64 CPEs with DMA, RMA and barriers; a tick is a CPE cycle',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/sunway.ts')).sunwayMachine),
  properties: later(
    async () => (await import('../properties/sunway/machine-properties.ts')).sunwayMachineProperties,
  ),
  generator: later(async () => (await import('../properties/sunway/scenarios.ts')).sunwayScenarios),
  verbs: {
    summary: 'measurements and files of the Sunway machine',
    load: async () => (await import('../cli/sunway/sunway.ts')).declareSunway,
  },
});
