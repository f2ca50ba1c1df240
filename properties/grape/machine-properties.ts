import { assembledSource } from '../../machines/grape/assembled.ts';
import type { GrapeConfig, GrapePrograms } from '../../machines/grape/config.ts';
import { grapeMachine } from '../../machines/grape.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { withSameEnd } from '../same-end.ts';
import { grapeProperties } from './grape-properties.ts';

/** The properties of the SING/GRAPE-DR chip. */
export const grapeMachineProperties: MachineProperties = {
  machine: 'grape',
  sentences: grapeProperties.map(({ sentence }) => sentence),
  // Everything that a chip calculates, and when, follows from the program and its data (GRAPE specification 1, 8).
  watch: withSameEnd(
    grapeMachine,
    (result) => result,
    (run, given) => {
      const { config, programs } = given as Given<GrapeConfig, GrapePrograms>;
      return watch(run, grapeProperties, { config, program: assembledSource(config, programs).program });
    },
  ),
};
