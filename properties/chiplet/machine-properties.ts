import type { Observer } from '../../kernel/explore/observer.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { trafficConfig } from '../../machines/chiplet/config.ts';
import type { CoordinatorConfig } from '../../machines/chiplet/coordinator.ts';
import type { InterchipletConfig, InterchipletPrograms } from '../../machines/chiplet/interchiplet-config.ts';
import type { NetworkAssembly, NetworkGiven } from '../../machines/chiplet/network-machine.ts';
import type { SystemAssembly, SystemGiven } from '../../machines/chiplet/system.ts';
import { type SystemConfig, systemConfig } from '../../machines/chiplet/system-config.ts';
import {
  type ChipletConfig,
  type ChipletKindName,
  type ChipletPrograms,
  kindOf,
} from '../../machines/chiplet.ts';
import type { Assembly, Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { type Watch, watch } from '../property.ts';
import { type Reference, withReference } from '../with-reference.ts';
import { chipletProperties } from './chiplet-properties.ts';
import { chipletContext } from './context.ts';
import { keyOf } from './interchiplet/context.ts';
import { interchipletProperties } from './interchiplet/interchiplet-properties.ts';
import { roundsKeepTheirBooks } from './interchiplet/rounds-keep-their-books.ts';
import { runsAsThePlainNetwork } from './runs-as-the-plain-network.ts';
import { systemProperties } from './system/system-properties.ts';

const textOf = ({ sentence }: Observer): string => sentence;

/** The sentences of each kind; of systems also those that hold only where chiplets meet. They do not depend on what there is of it. */
export const chipletSentences: Readonly<Record<ChipletKindName, readonly string[]>> = {
  network: chipletProperties({
    config: trafficConfig.parse({}).network,
    packets: [],
    ports: 0,
    links: new Map(),
  }).map(textOf),
  system: sentencesOfSystem(true),
  coordinator: interchipletProperties({ rates: new Map(), networkRate: 1 }).map(textOf),
};

function sentencesOfSystem(meet: boolean): readonly string[] {
  const chiplets = [{ x: 0, y: 0, kind: 'cpu', program: 'none' }];
  return systemProperties({ config: systemConfig.parse({ chiplets }), nameOf: String }, meet).map(textOf);
}

function sentencesOf(config: ChipletConfig): readonly string[] {
  const kind = kindOf(config);
  if (kind !== 'system') return chipletSentences[kind];
  const { syncFile, mode } = config as SystemConfig;
  return [...sentencesOfSystem(syncFile.enabled), ...(mode === 'coupled' ? chipletSentences.network : [])];
}

const propertiesOf = (given: Given, assembly: Assembly): readonly Observer[] => {
  const { config, programs } = given as Given<ChipletConfig, ChipletPrograms>;
  // The configuration says what was given and what was assembled.
  switch (kindOf(config)) {
    case 'network':
      return chipletProperties(
        chipletContext(assembly as NetworkAssembly, (given as NetworkGiven).config.network),
      );
    case 'system':
      return ofSystem(given as SystemGiven, assembly as SystemAssembly);
    case 'coordinator':
      return ofCoordinator((config as CoordinatorConfig).coordinator, programs as InterchipletPrograms);
  }
};

/** The properties of a coordinator. */
function ofCoordinator(
  { networkRate }: InterchipletConfig,
  programs: InterchipletPrograms,
): readonly Observer[] {
  const rates = new Map(programs.map((one) => [`Process[${keyOf(one)}]`, one.clockRate]));
  return interchipletProperties({ rates, networkRate });
}

/** The properties of a system, and where messages go through its network those of the network. */
function ofSystem({ config, programs }: SystemGiven, assembly: SystemAssembly): readonly Observer[] {
  const { network, plan, wiring } = assembly.wired;
  const nameOf = (address: Address): string => wiring.placements[address]?.name ?? `address ${address}`;
  return [
    ...systemProperties({ config, programs, nameOf }),
    ...(network ? chipletProperties(chipletContext({ plan, wired: network }, config.network)) : []),
  ];
}

/** What runs of a kind are compared with. */
const references: Partial<Readonly<Record<ChipletKindName, Reference>>> = {
  network: runsAsThePlainNetwork,
  coordinator: roundsKeepTheirBooks,
};

/** The properties of chiplets: those of the network, of systems and of the coordinator; the kind of a scenario says which judge its runs. */
export const chipletMachineProperties: MachineProperties = {
  sentences: Object.values(chipletSentences).flat(),
  sentencesOf: ({ config }) => sentencesOf(config as ChipletConfig),
  watch: withReference(
    (run, given, assembly) => watch(run, propertiesOf(given, assembly)),
    [(run, given, assembly) => references[kindOf(given.config as ChipletConfig)]?.(run, given, assembly)],
  ),
  observers: propertiesOf,
};

/** Lets the properties of coordinators watch one. */
export const watchCoordinator = (
  run: Run,
  config: InterchipletConfig,
  programs: InterchipletPrograms,
): Watch => watch(run, ofCoordinator(config, programs));

/** Lets the properties of systems watch one. */
export const watchSystem = (run: Run, given: SystemGiven, assembly: SystemAssembly): Watch =>
  watch(run, ofSystem(given, assembly));
