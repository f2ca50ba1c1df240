import type { Given } from '../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../machines/sunway/config.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { sunwayProperties } from './sunway-properties.ts';

/** The properties of the Sunway node. */
export const sunwayMachineProperties: MachineProperties = {
  sentences: sunwayProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config, programs } = given as Given<SunwayConfig, SunwayPrograms>;
    return watch(run, sunwayProperties, { config, programs });
  },
};
