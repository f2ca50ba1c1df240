import type { Given } from '../../machines/machine.ts';
import type { TcaConfig, TcaPrograms } from '../../machines/tca/config.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { tcaProperties } from './tca-properties.ts';

/** The properties of the nodes with PEACH2 chips. */
export const tcaMachineProperties: MachineProperties = {
  sentences: tcaProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config, programs } = given as Given<TcaConfig, TcaPrograms>;
    return watch(run, tcaProperties, { config, programs });
  },
};
