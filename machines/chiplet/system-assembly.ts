import { routerAt } from '../../actors/chiplet/network/topology/topology.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import { awaitingMailbox } from '../../actors/chiplet/system/awaiting-mailbox.ts';
import type { ChipletPlaces } from '../../actors/chiplet/system/chiplet-place.ts';
import { everyTick, networkTicks, onClock } from '../../actors/chiplet/system/clock-domain.ts';
import { directCarrier } from '../../actors/chiplet/system/direct-carrier.ts';
import { latencyDesk, type MessageLatency } from '../../actors/chiplet/system/latency-desk.ts';
import { networkInterface } from '../../actors/chiplet/system/network-interface.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import {
  type NetworkParts,
  type NetworkPlan,
  soundNetwork,
  type WiredNetwork,
  wireNetwork,
} from './assembly.ts';
import { clockTicks } from './clock-ratios.ts';
import { wireCpuChiplet } from './cpu-chiplet.ts';
import { type ChipletGiven, type ChipletParts, soundChipletParts, wireGpuChiplet } from './gpu-chiplet.ts';
import { messageFlits } from './message-files.ts';
import { planOf } from './plan.ts';
import type { ChipletEntry, SystemConfig, SystemPrograms } from './system-config.ts';
import { codeOf, timingOf } from './system-programs.ts';

/** The state machines that a system is wired from; mutants replace some. */
export interface SystemParts {
  readonly chiplet: ChipletParts;
  readonly network: NetworkParts;
  readonly directCarrier: typeof directCarrier;
  readonly networkInterface: typeof networkInterface;
  readonly latencyDesk: typeof latencyDesk;
  readonly awaitingMailbox: typeof awaitingMailbox;
}

/** A system as specified. */
export const soundSystem: SystemParts = {
  chiplet: soundChipletParts,
  network: soundNetwork,
  directCarrier,
  networkInterface,
  latencyDesk,
  awaitingMailbox,
};

/** A chiplet of a wired system. */
export interface WiredChiplet {
  readonly entry: ChipletEntry;
  readonly at: ChipletAddress;
  readonly host: Address;
  readonly mailbox: Address;
  readonly cores: readonly Address[];
  /** Ticks of the system in one of its cycles. */
  readonly cycleTicks: number;
  readonly clockMegahertz: number;
}

/** The addresses of a wired system. */
export interface WiredSystem {
  readonly wiring: Wiring;
  readonly chiplets: readonly WiredChiplet[];
  /** Who carries messages: carrier, interface or desk, as the mode is. */
  readonly carrier: Address;
  /** The network, where messages go through it. */
  readonly network?: WiredNetwork;
  readonly plan: NetworkPlan;
  /** Ticks of the system in a cycle of the network. */
  readonly cycleTicks: number;
  readonly flits: number;
}

/** By pair of chiplets, what its messages took in the round before. */
export type RecordedLatencies = Readonly<Record<string, readonly MessageLatency[]>>;

/** Wires a checked system (chiplet specification 12). `latencies` are those of the round before, in an iterative run. */
export function wireSystem(
  config: SystemConfig,
  programs: SystemPrograms,
  parts: SystemParts = soundSystem,
  latencies: RecordedLatencies = {},
): WiredSystem {
  const { mode, network: net } = config;
  const code = codeOf(config, programs);
  const wiring = new Wiring();
  const carrier = wiring.reserve(carrierNames[mode]);
  const ticks = clockTicks(config.chiplets.map(({ clockRate }) => clockRate));
  const flits = messageFlits(config.flitRule);
  const chiplets = config.chiplets.map((entry, index): WiredChiplet => {
    const cycleTicks = ticks.chiplets[index]!;
    const at: ChipletAddress = [entry.x, entry.y];
    const given: ChipletGiven = {
      at,
      program: code.hosts.get(entry.program)!(entry),
      carrier,
      mode: config.mailbox,
      trustSource: config.trustKernelSource,
      files: code.data,
    };
    const own = chipletParts(parts, config, cycleTicks);
    const timing = timingOf(entry, config, code);
    const { clockMegahertz } = timing;
    if (entry.kind === 'cpu')
      return { entry, at, ...wireCpuChiplet(wiring, given, own), cores: [], cycleTicks, clockMegahertz };
    const gpu = wireGpuChiplet(wiring, { ...given, ptx: code.ptx, timing }, own);
    return { entry, at, ...gpu, cycleTicks, clockMegahertz };
  });
  const places: ChipletPlaces = Object.fromEntries(
    chiplets.map(({ at, mailbox, cycleTicks }) => [
      at.join(','),
      { mailbox, cycleTicks, router: routerAt({ side: net.A }, at) },
    ]),
  );
  const plan = planOf(net, []);
  const wired = { wiring, chiplets, carrier, plan, cycleTicks: ticks.network, flits };
  switch (mode) {
    case 'decoupled':
      wiring.place(carrier, parts.directCarrier, { chiplets: places });
      return wired;
    case 'iterative':
      wiring.place(carrier, parts.latencyDesk, {
        chiplets: places,
        cycleTicks: ticks.network,
        flits,
        latencies,
      });
      return wired;
    case 'coupled': {
      const network = wireNetwork(plan, networkParts(parts.network, ticks.network), {
        wiring,
        interface: carrier,
      });
      wiring.place(carrier, parts.networkInterface, {
        spec: {
          self: carrier,
          chiplets: places,
          routers: network.routers,
          cycleTicks: ticks.network,
          flits,
          oneByOne: net.random === 'shared',
        },
        commons: network.commons,
      });
      return { ...wired, network };
    }
  }
}

const carrierNames = { decoupled: 'Carrier', coupled: 'Interface', iterative: 'Desk' } as const;

/** The parts of chiplets whose cycle takes so many ticks. */
function chipletParts(
  { chiplet, awaitingMailbox: awaiting }: SystemParts,
  { mode }: SystemConfig,
  cycleTicks: number,
): ChipletParts {
  const rule = everyTick(cycleTicks);
  // A mailbox that awaits answers is asked and answers as the other one does.
  const mailbox = mode === 'iterative' ? (awaiting as unknown as ChipletParts['mailbox']) : chiplet.mailbox;
  return {
    simtCore: onClock(chiplet.simtCore, rule),
    dispatcher: onClock(chiplet.dispatcher, rule),
    memoryChannel: onClock(chiplet.memoryChannel, rule),
    mailbox: onClock(mailbox, rule),
    host: onClock(chiplet.host, rule),
  };
}

/** The parts of a network whose cycle takes so many ticks; as they are when it takes the two that they are written for. */
function networkParts(parts: NetworkParts, cycleTicks: number): NetworkParts {
  if (cycleTicks === 2) return parts;
  const rule = networkTicks(cycleTicks);
  return {
    ...parts,
    router: onClock(parts.router, rule),
    link: onClock(parts.link, rule),
    clock: onClock(parts.clock, rule),
  };
}
