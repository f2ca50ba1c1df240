import { defineMachine, later } from './define-machine.ts';

export const cellbe = defineMachine({
  name: 'cellbe',
  summary:
    'preset of the Cell machine: the Element Interconnect Bus of the real chip, twelve elements, packets of 128 bytes',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/cell/cellbe-machine.ts')).cellbeMachine),
  properties: later(
    async () => (await import('../properties/cell/eib/machine-properties.ts')).cellbeMachineProperties,
  ),
  generator: later(async () => (await import('../properties/cell/eib/scenarios.ts')).cellbeScenarios),
  verifies: later(async () => [(await import('../cli/verify/eib-anchors.ts')).eibAnchors]),
});
