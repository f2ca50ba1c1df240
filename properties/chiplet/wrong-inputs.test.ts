import { expect, test } from 'vitest';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import type { Machine } from '../../machines/machine.ts';
import { coordinatorInputs, inputFault, networkInputs, systemInputs } from './wrong-inputs.ts';

const machines = [
  [networkMachine as unknown as Machine, networkInputs],
  [systemMachine as unknown as Machine, systemInputs],
  [interchipletMachine as unknown as Machine, coordinatorInputs],
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
