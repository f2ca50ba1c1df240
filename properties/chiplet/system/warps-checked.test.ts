import { expect, test } from 'vitest';
import { kindOf } from '../../../kernel/explore/claim.ts';
import { Explorer } from '../../../kernel/explore/explorer.ts';
import { type CoreDetail, soundChipletParts } from '../../../machines/chiplet/gpu-chiplet.ts';
import { chipletPartMutants } from '../../../machines/chiplet/gpu-mutants.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { soundSystem, wireSystem } from '../../../machines/chiplet/system-assembly.ts';
import type { Assembly, Given } from '../../../machines/machine.ts';
import { systemMachineProperties } from '../machine-properties.ts';
import { givenFrom } from './trial.ts';

/*
 * The exhaustive checker goes through all orders of the warps of a SIMT core.
 */

async function explored(detail: CoreDetail, chiplet = soundChipletParts) {
  const given = await givenFrom('system-warps.yaml', { coreDetail: detail });
  const { config, programs } = given;
  const observers = systemMachineProperties.observers!(
    given as unknown as Given,
    systemMachine.assemble(given) as unknown as Assembly,
  );
  const wiring = () => wireSystem(config, programs, { ...soundSystem, chiplet }, {}, detail).wiring;
  return new Explorer(wiring, { observers, kindOf }).toEnd();
}

test.each([
  ['warp', 322],
  ['core', 1288],
] as const)('every order of three warps is right where each %s is an actor', async (detail, count) => {
  const { verdict, findings, open, states } = await explored(detail);

  expect({ verdict, findings, open }).toEqual({ verdict: 'ok', findings: [], open: [] });
  expect(states).toBe(count);
});

test('a barrier that opens one warp early is found in one of them', async () => {
  const { findings } = await explored('warp', chipletPartMutants.get('M-05')!.mutate(soundChipletParts));

  expect(findings.map(({ what }) => what)).toContain(
    'a kernel keeps to its memory and to the rules of messages',
  );
});
