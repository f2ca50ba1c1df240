import { defineMachine, later } from './define-machine.ts';

export const interchiplet = defineMachine({
  name: 'interchiplet',
  summary:
    'processes of chiplets under a coordinator, which repeats them with the network until their cycles agree',
  kind: 'hardware',
  machine: later(async () => (await import('../machines/chiplet/interchiplet.ts')).interchipletMachine),
  properties: later(
    async () => (await import('../properties/chiplet/machine-properties.ts')).interchipletMachineProperties,
  ),
  generator: later(
    async () => (await import('../properties/chiplet/interchiplet/scenarios.ts')).coordinatorScenarios,
  ),
  verifies: later(async () => [(await import('../cli/verify/interchiplet.ts')).interchipletRounds]),
});
