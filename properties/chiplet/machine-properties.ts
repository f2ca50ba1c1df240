import type { Run } from '../../kernel/run.ts';
import type { CoordinatorConfig } from '../../machines/chiplet/coordinator.ts';
import type { InterchipletConfig, InterchipletPrograms } from '../../machines/chiplet/interchiplet-config.ts';
import type { NetworkAssembly, NetworkGiven } from '../../machines/chiplet/network-machine.ts';
import type { SystemAssembly, SystemGiven } from '../../machines/chiplet/system.ts';
import { type ChipletConfig, type ChipletPrograms, kindOf } from '../../machines/chiplet.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { type Watch, watch } from '../property.ts';
import { chipletProperties } from './chiplet-properties.ts';
import { chipletContext } from './context.ts';
import { keyOf } from './interchiplet/context.ts';
import { interchipletProperties } from './interchiplet/interchiplet-properties.ts';
import { systemProperties } from './system/system-properties.ts';

/** The properties of chiplets: those of the network, of systems and of the coordinator; the kind of a scenario says which watch its runs. */
export const chipletMachineProperties: MachineProperties = {
  sentences: [...chipletProperties, ...systemProperties, ...interchipletProperties].map(
    ({ sentence }) => sentence,
  ),
  watch: (run, given, assembly) => {
    const { config, programs } = given as Given<ChipletConfig, ChipletPrograms>;
    // The configuration says what was given and what was assembled.
    switch (kindOf(config)) {
      case 'network': {
        const { network } = (given as NetworkGiven).config;
        return watch(run, chipletProperties, chipletContext(assembly as NetworkAssembly, network));
      }
      case 'system':
        return watchSystem(run, given as SystemGiven, assembly as SystemAssembly);
      case 'coordinator':
        return watchCoordinator(
          run,
          (config as CoordinatorConfig).coordinator,
          programs as InterchipletPrograms,
        );
    }
  },
};

/** Lets the properties of coordinators watch one. */
export function watchCoordinator(
  run: Run,
  { networkRate }: InterchipletConfig,
  programs: InterchipletPrograms,
): Watch {
  const rates = new Map(programs.map((one) => [`Process[${keyOf(one)}]`, one.clockRate]));
  return watch(run, interchipletProperties, { rates, networkRate });
}

/** Lets the properties of systems watch one, and where messages go through its network those of the network. */
export function watchSystem(run: Run, { config, programs }: SystemGiven, assembly: SystemAssembly): Watch {
  const { network, plan } = assembly.wired;
  const watches = [
    watch(run, systemProperties, { config, programs, result: () => assembly.result(run) }),
    ...(network
      ? [watch(run, chipletProperties, chipletContext({ plan, wired: network }, config.network))]
      : []),
  ];
  return {
    get judged() {
      return watches.flatMap(({ judged = [] }) => judged);
    },
    end: () => {
      for (const one of watches) one.end();
    },
  };
}
