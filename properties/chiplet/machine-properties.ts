import type { Observer } from '../../kernel/explore/observer.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { trafficConfig } from '../../machines/chiplet/config.ts';
import { gpuCaseFile } from '../../machines/chiplet/gpu-case-schema.ts';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import type { InterchipletConfig, InterchipletPrograms } from '../../machines/chiplet/interchiplet-config.ts';
import type { NetworkAssembly, NetworkGiven } from '../../machines/chiplet/network-machine.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import type { SystemAssembly, SystemGiven } from '../../machines/chiplet/system.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { systemConfig } from '../../machines/chiplet/system-config.ts';
import { limitsAsDeclared } from '../declared-limits.ts';
import type { MachineProperties } from '../properties.ts';
import { type Watch, watch } from '../property.ts';
import { inputsAreRefused } from '../refused-inputs.ts';
import { withSameRun } from '../same-run.ts';
import { withReference } from '../with-reference.ts';
import { chipletProperties } from './chiplet-properties.ts';
import { chipletContext } from './context.ts';
import { networkFixed } from './fixed.ts';
import { instructionsAreRefused } from './instructions-are-refused.ts';
import { keyOf } from './interchiplet/context.ts';
import { coordinatorsAnswerAsPlainOnes } from './interchiplet/coordinators-answer-as-plain-ones.ts';
import { interchipletProperties } from './interchiplet/interchiplet-properties.ts';
import { interchipletLimits } from './interchiplet/limits.ts';
import { roundsKeepTheirBooks } from './interchiplet/rounds-keep-their-books.ts';
import { networkLimits } from './limits.ts';
import { caseLimits, programFixed, programLimits, scriptLimits, trafficLimits } from './program-limits.ts';
import { textsAreRead } from './read-texts.ts';
import { runsAsThePlainNetwork } from './runs-as-the-plain-network.ts';
import { systemFixed } from './system/fixed.ts';
import { hostsAreStopped } from './system/hosts-are-stopped.ts';
import { kernelsRunAsCases } from './system/kernels-run-as-cases.ts';
import { kernelsTakeConfiguredCycles } from './system/kernels-take-configured-cycles.ts';
import { systemLimits } from './system/limits.ts';
import { resultsAddUp } from './system/results-add-up.ts';
import { systemProperties } from './system/system-properties.ts';
import { casesDoAsTold } from './told-cases.ts';
import { coordinatorInputs, networkInputs, systemInputs } from './wrong-inputs.ts';

/** Of so many scenarios one is run again from a snapshot: that takes as long as three of its runs. */
const sameRun = { oneIn: 3 };

const textOf = ({ sentence }: Observer): string => sentence;

/** The sentences of each machine; of systems also those that hold only where chiplets meet. They do not depend on what there is of it. */
export const chipletSentences = {
  network: chipletProperties({
    config: trafficConfig.parse({}).network,
    packets: [],
    ports: 0,
    links: new Map(),
  }).map(textOf),
  system: sentencesOfSystem(true),
  interchiplet: interchipletProperties({ rates: new Map(), networkRate: 1, flitBytes: 64 }).map(textOf),
} as const satisfies Readonly<Record<string, readonly string[]>>;

function sentencesOfSystem(meet: boolean): readonly string[] {
  const chiplets = [{ x: 0, y: 0, kind: 'cpu', program: 'none' }];
  return systemProperties({ config: systemConfig.parse({ chiplets }), nameOf: String }, meet).map(textOf);
}

/** The properties of a coordinator. */
function ofCoordinator(
  { networkRate, flitBytes }: InterchipletConfig,
  programs: InterchipletPrograms,
): readonly Observer[] {
  const rates = new Map(programs.map((one) => [`Process[${keyOf(one)}]`, one.clockRate]));
  return interchipletProperties({ rates, networkRate, flitBytes });
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

/** The properties of a network by itself. */
const ofNetwork = ({ config }: NetworkGiven, assembly: NetworkAssembly): readonly Observer[] =>
  chipletProperties(chipletContext(assembly, config.network));

/** The properties of networks; their runs are compared with a plain one. */
export const networkMachineProperties: MachineProperties = {
  sentences: chipletSentences.network,
  wholeRuns: true,
  watch: withReference(
    withSameRun(
      networkMachine,
      (run, given, assembly) => watch(run, ofNetwork(given as NetworkGiven, assembly as NetworkAssembly)),
      sameRun,
    ),
    [
      limitsAsDeclared(networkMachine, networkFixed, networkLimits),
      limitsAsDeclared({ config: networkMachine.programs }, {}, trafficLimits),
      inputsAreRefused(networkMachine, networkInputs),
      textsAreRead,
      runsAsThePlainNetwork,
    ],
  ),
  observers: (given, assembly) => ofNetwork(given as NetworkGiven, assembly as NetworkAssembly),
};

/** The properties of systems, those of the network between their chiplets included. */
export const systemMachineProperties: MachineProperties = {
  sentences: [...chipletSentences.system, ...chipletSentences.network],
  sentencesOf: (given) => {
    const { syncFile, mode } = (given as SystemGiven).config;
    return [...sentencesOfSystem(syncFile.enabled), ...(mode === 'coupled' ? chipletSentences.network : [])];
  },
  wholeRuns: true,
  watch: withReference(
    withSameRun(
      systemMachine,
      (run, given, assembly) => watchSystem(run, given as SystemGiven, assembly as SystemAssembly),
      sameRun,
    ),
    [
      limitsAsDeclared(systemMachine, systemFixed, systemLimits),
      limitsAsDeclared({ config: systemMachine.programs }, programFixed, programLimits),
      limitsAsDeclared({ config: gpuCaseFile }, {}, caseLimits),
      inputsAreRefused(systemMachine, systemInputs),
      hostsAreStopped,
      instructionsAreRefused,
      casesDoAsTold,
      kernelsRunAsCases,
      kernelsTakeConfiguredCycles,
      resultsAddUp,
    ],
  ),
  observers: (given, assembly) => ofSystem(given as SystemGiven, assembly as SystemAssembly),
};

/** The properties of coordinators; their rounds are compared with programs and traces. */
export const interchipletMachineProperties: MachineProperties = {
  sentences: chipletSentences.interchiplet,
  wholeRuns: true,
  watch: withReference(
    withSameRun(
      interchipletMachine,
      (run, { config, programs }) =>
        watchCoordinator(run, config as InterchipletConfig, programs as InterchipletPrograms),
      sameRun,
    ),
    [
      limitsAsDeclared(interchipletMachine, {}, interchipletLimits),
      limitsAsDeclared({ config: interchipletMachine.programs }, {}, scriptLimits),
      inputsAreRefused(interchipletMachine, coordinatorInputs),
      textsAreRead,
      roundsKeepTheirBooks,
      coordinatorsAnswerAsPlainOnes,
    ],
  ),
  observers: ({ config, programs }) =>
    ofCoordinator(config as InterchipletConfig, programs as InterchipletPrograms),
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
