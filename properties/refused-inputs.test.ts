import { expect, test } from 'vitest';
import { cellMachine } from '../machines/cell.ts';
import { interchipletMachine } from '../machines/chiplet/interchiplet.ts';
import { networkMachine } from '../machines/chiplet/network-machine.ts';
import { systemMachine } from '../machines/chiplet/system.ts';
import { grapeMachine } from '../machines/grape.ts';
import type { Machine } from '../machines/machine.ts';
import { sunwayMachine } from '../machines/sunway.ts';
import { tcaMachine } from '../machines/tca.ts';
import { cellInputs, saturatingInputs } from './cell/wrong-inputs.ts';
import { coordinatorInputs, networkInputs, systemInputs } from './chiplet/wrong-inputs.ts';
import { grapeInputs } from './grape/wrong-inputs.ts';
import { inputFault } from './refused-inputs.ts';
import { sunwayInputs } from './sunway/wrong-inputs.ts';
import { tcaInputs } from './tca/wrong-inputs.ts';

const machines = [
  [networkMachine as unknown as Machine, networkInputs],
  [systemMachine as unknown as Machine, systemInputs],
  [interchipletMachine as unknown as Machine, coordinatorInputs],
  [grapeMachine as unknown as Machine, grapeInputs],
  [tcaMachine as unknown as Machine, tcaInputs],
  [sunwayMachine as unknown as Machine, sunwayInputs],
  [cellMachine as unknown as Machine, cellInputs],
  [cellMachine as unknown as Machine, saturatingInputs],
] as const;

for (const [machine, { right, wrong }] of machines) {
  test.each(wrong.map((one) => [JSON.stringify(one), one] as const))(
    `${machine.name} judges %s`,
    (_, one) => {
      expect(inputFault(machine, { right, wrong: [one] })).toBeUndefined();
    },
  );

  test(`${machine.name}: what is not refused, or refused in vain, is told`, () => {
    const vain = wrong.find(([, found]) => found !== '')!;
    expect(inputFault(machine, { right, wrong: [[{}, 'a fault', 'config']] })).toBe(
      'with {} there is "" at "", not "a fault" at "config"',
    );
    expect(inputFault(machine, { right, wrong: [[vain[0], '']] })).toContain(', not "" at ""');
  });
}
