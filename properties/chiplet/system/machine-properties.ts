import type { SystemConfig, SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import type { Given } from '../../../machines/machine.ts';
import type { MachineProperties } from '../../properties.ts';
import { watch } from '../../property.ts';
import { systemProperties } from './system-properties.ts';

/** The properties of systems of chiplets. */
export const systemMachineProperties: MachineProperties = {
  machine: 'chiplet-system',
  sentences: systemProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config } = given as Given<SystemConfig, SystemPrograms>;
    return watch(run, systemProperties, { config });
  },
};
