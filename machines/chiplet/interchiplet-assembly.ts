import { parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import { functionalCoordinator } from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { hopLatencies, type Phase2 } from '../../actors/chiplet/interchiplet/hop-latencies.ts';
import { network } from '../../actors/chiplet/interchiplet/network.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import { process } from '../../actors/chiplet/interchiplet/process.ts';
import { interchipletProtocol } from '../../actors/chiplet/interchiplet/protocol.ts';
import { rounds } from '../../actors/chiplet/interchiplet/rounds.ts';
import { timingCoordinator } from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import type { Address } from '../../kernel/message.ts';
import { fixed } from '../../kernel/resource.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { InterchipletConfig, InterchipletPrograms } from './interchiplet-config.ts';

/** The state machines that a coordinator is wired from; mutants replace some. */
export interface InterchipletParts {
  readonly process: typeof process;
  readonly functionalCoordinator: typeof functionalCoordinator;
  readonly timingCoordinator: typeof timingCoordinator;
  readonly rounds: typeof rounds;
  readonly network: typeof network;
  /** What the network makes of a trace. */
  readonly phase2: Phase2;
}

/** A coordinator as specified, with a network without contention. */
export const soundInterchiplet: InterchipletParts = {
  process,
  functionalCoordinator,
  timingCoordinator,
  rounds,
  network,
  phase2: hopLatencies,
};

/** A wired coordinator and where its parts are. */
export interface WiredInterchiplet {
  readonly wiring: Wiring;
  readonly processes: readonly Address[];
  readonly functionalCoordinator: Address;
  readonly timingCoordinator: Address;
  readonly rounds: Address;
}

/** The name of the process of a chiplet. */
export const processName = (place: { readonly x: number; readonly y: number }): string =>
  `Process[${placeText(place)}]`;

/** Wires processes, coordinators, the loop over rounds and the network. */
export function wireInterchiplet(
  config: InterchipletConfig,
  programs: InterchipletPrograms,
  parts: InterchipletParts,
): WiredInterchiplet {
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(interchipletProtocol, { checked: false });
  const processes = programs.map((place) => wiring.reserve(processName(place)));
  const functional = wiring.reserve('Coordinator.FunctionalDesk');
  const timing = wiring.reserve('Coordinator.TimingDesk');
  const loop = wiring.reserve('Coordinator.Rounds');
  const phase2 = wiring.reserve('Network');
  const byPlace = Object.fromEntries(programs.map((place, index) => [placeText(place), processes[index]!]));
  for (const [index, { x, y, script }] of programs.entries())
    wiring.place(processes[index]!, parts.process, {
      self: processes[index]!,
      place: { x, y },
      script,
      functionalCoordinator: functional,
      timingCoordinator: timing,
      processes: byPlace,
    });
  wiring.place(functional, parts.functionalCoordinator, {
    self: functional,
    timingCoordinator: timing,
    processes: processes.length,
  });
  wiring.place(timing, parts.timingCoordinator, {
    functionalCoordinator: functional,
    rounds: loop,
    clockRates: Object.fromEntries(programs.map(({ clockRate }, index) => [processes[index]!, clockRate])),
    networkRate: config.networkRate,
    flitBytes: config.flitBytes,
  });
  wiring.place(loop, parts.rounds, {
    coordinators: [functional, timing],
    processes,
    network: phase2,
    roundsMax: config.rounds,
    errorRate: config.error,
    networkRate: config.networkRate,
    delay: parseDelay(config.delay.join('\n'), 'config.delay'),
    previousCycles: config.previousCycles ?? null,
  });
  wiring.place(phase2, parts.network, { rounds: loop, phase2: fixed(parts.phase2) });
  wiring.begin({ to: loop, type: 'rounds.begin' });
  return { wiring, processes, functionalCoordinator: functional, timingCoordinator: timing, rounds: loop };
}
