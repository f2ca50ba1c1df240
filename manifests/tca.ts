import { defineMachine, later } from './define-machine.ts';

export const tca = defineMachine({
  name: 'tca',
  summary: 'GPU nodes joined by PEACH2 chips with four DMA channels; a tick is a quarter of a nanosecond',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/tca.ts')).tcaMachine),
  properties: later(
    async () => (await import('../properties/tca/machine-properties.ts')).tcaMachineProperties,
  ),
  generator: later(async () => (await import('../properties/tca/scenarios.ts')).tcaScenarios),
  verbs: {
    summary: 'measurements of the TCA machine: the figures of the paper, beside what others measured',
    load: async () => (await import('../cli/tca/tca.ts')).declareTca,
  },
  verifies: later(async () => [
    (await import('../cli/verify/tca-himeno.ts')).tcaHimeno,
    ...(await import('../cli/verify/tca-figures.ts')).tcaFigures,
  ]),
});
