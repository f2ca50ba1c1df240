import type {
  InterchipletConfig,
  InterchipletPrograms,
} from '../../../machines/chiplet/interchiplet-config.ts';
import type { PaceConfig, PacePrograms } from '../../../machines/chiplet/interchiplet-pace.ts';
import type { Given } from '../../../machines/machine.ts';
import type { MachineProperties } from '../../properties.ts';
import { watch } from '../../property.ts';
import { keyOf } from './context.ts';
import { cycleBarrierProperties } from './cycle-barrier-properties.ts';
import { interchipletProperties } from './interchiplet-properties.ts';

/** The properties of the coordinator and of the cycle barrier. */
export const interchipletMachineProperties: readonly MachineProperties[] = [
  {
    machine: 'interchiplet',
    sentences: interchipletProperties.map(({ sentence }) => sentence),
    watch: (run, given) => {
      const { config, programs } = given as Given<InterchipletConfig, InterchipletPrograms>;
      const rates = new Map(programs.map((one) => [`Process[${keyOf(one)}]`, one.clockRate]));
      return watch(run, interchipletProperties, { rates, networkRate: config.networkRate });
    },
  },
  {
    machine: 'cycle-barrier',
    sentences: cycleBarrierProperties.map(({ sentence }) => sentence),
    watch: (run, given) => {
      const { config, programs } = given as Given<PaceConfig, PacePrograms>;
      return watch(run, cycleBarrierProperties, {
        chiplets: programs.map((one) => `Chiplet[${keyOf(one)}]`),
        cycle: config.cycle,
        intervals: typeof config.interval === 'number' ? [config.interval] : config.interval,
      });
    },
  },
];
