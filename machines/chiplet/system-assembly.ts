import type { AnyStateMachine } from 'xstate';
import { routerAt } from '../../actors/chiplet/network/topology/topology.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import { awaitingMailbox } from '../../actors/chiplet/system/awaiting-mailbox.ts';
import type { ChipletPlaces } from '../../actors/chiplet/system/chiplet-place.ts';
import {
  everyTick,
  networkTicks,
  onClock,
  onPacedClock,
  type Pacing,
} from '../../actors/chiplet/system/clock-domain.ts';
import { cycleBarrier } from '../../actors/chiplet/system/cycle-barrier.ts';
import { directCarrier } from '../../actors/chiplet/system/direct-carrier.ts';
import { gate } from '../../actors/chiplet/system/gate.ts';
import { latencyCoordinator, type MessageLatency } from '../../actors/chiplet/system/latency-coordinator.ts';
import type { MeetingPlan } from '../../actors/chiplet/system/meeting-plan.ts';
import { networkInterface } from '../../actors/chiplet/system/network-interface.ts';
import { systemProtocol } from '../../actors/chiplet/system/protocol.ts';
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
import {
  type ChipletGiven,
  type ChipletParts,
  type CoreDetail,
  chipletName,
  soundChipletParts,
  wireGpuChiplet,
} from './gpu-chiplet.ts';
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
  readonly latencyCoordinator: typeof latencyCoordinator;
  readonly awaitingMailbox: typeof awaitingMailbox;
  readonly gate: typeof gate;
  readonly cycleBarrier: typeof cycleBarrier;
}

/** A system as specified. */
export const soundSystem: SystemParts = {
  chiplet: soundChipletParts,
  network: soundNetwork,
  directCarrier,
  networkInterface,
  latencyCoordinator,
  awaitingMailbox,
  gate,
  cycleBarrier,
};

/** A chiplet of a wired system. */
export interface WiredChiplet {
  readonly entry: ChipletEntry;
  readonly at: ChipletAddress;
  readonly host: Address;
  readonly mailbox: Address;
  readonly cores: readonly Address[];
  /** Its gate, where chiplets meet. */
  readonly gate?: Address;
  /** Ticks of the system in one of its cycles. */
  readonly cycleTicks: number;
  readonly clockMegahertz: number;
}

/** The addresses of a wired system. */
export interface WiredSystem {
  readonly wiring: Wiring;
  readonly chiplets: readonly WiredChiplet[];
  /** Who carries messages: carrier, interface or coordinator, as the mode is. */
  readonly carrier: Address;
  /** The network, where messages go through it. */
  readonly network?: WiredNetwork;
  readonly plan: NetworkPlan;
  /** Ticks of the system in a cycle of the network. */
  readonly cycleTicks: number;
  readonly flits: number;
  readonly coreDetail: CoreDetail;
  /** The cycle barrier, where chiplets meet. */
  readonly barrier?: Address;
}

/** By pair of chiplets, what its messages took in the round before. */
export type RecordedLatencies = Readonly<Record<string, readonly MessageLatency[]>>;

/** Wires a checked system (chiplet specification 12). `latencies` are those of the round before, in an iterative run. */
export function wireSystem(
  config: SystemConfig,
  programs: SystemPrograms,
  parts: SystemParts = soundSystem,
  latencies: RecordedLatencies = {},
  coreDetail: CoreDetail = 'core',
): WiredSystem {
  const { mode, network: net } = config;
  const code = codeOf(config, programs);
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(systemProtocol, { checked: false });
  const carrier = wiring.reserve(carrierNames[mode]);
  const ticks = clockTicks(config.chiplets.map(({ clockRate }) => clockRate));
  const flits = messageFlits(config.flitRule);
  const plan = meetingPlan(config);
  const barrier = plan && wiring.reserve('CycleBarrier');
  const chiplets = config.chiplets.map((entry, index): WiredChiplet => {
    const cycleTicks = ticks.chiplets[index]!;
    const at: ChipletAddress = [entry.x, entry.y];
    const gateAt = plan && wiring.reserve(`${chipletName(at)}.Gate`);
    const given: ChipletGiven = {
      at,
      program: code.hosts.get(entry.program)!(entry),
      carrier: gateAt ?? carrier,
      watcher: gateAt,
      mode: config.mailbox,
      trustSource: config.trustKernelSource,
      strictSource: config.strictSource,
      files: code.data,
      costs: {
        cyclesPerInstruction: entry.cpi,
        ...(entry.cyclesPerElement !== undefined && { cyclesPerElement: entry.cyclesPerElement }),
      },
    };
    const pacing = plan && gateAt !== undefined ? { gate: gateAt, plan } : undefined;
    const own = chipletParts(parts, config, cycleTicks, pacing);
    const timing = timingOf(entry, config, code);
    const { clockMegahertz } = timing;
    const addresses =
      entry.kind === 'cpu'
        ? { ...wireCpuChiplet(wiring, given, own), cores: [] }
        : wireGpuChiplet(wiring, { ...given, ptx: code.ptx, timing, coreDetail }, own);
    const wired = { entry, at, ...addresses, cycleTicks, clockMegahertz };
    return gateAt === undefined ? wired : { ...wired, gate: gateAt };
  });
  if (plan && barrier !== undefined) wireMeetings(wiring, { carrier, barrier, plan, chiplets }, parts);
  const places: ChipletPlaces = Object.fromEntries(
    chiplets.map(({ at, gate: border, mailbox, cycleTicks }) => [
      at.join(','),
      { mailbox: border ?? mailbox, cycleTicks, router: routerAt({ side: net.A }, at) },
    ]),
  );
  const network = planOf(net, []);
  const wired = {
    wiring,
    chiplets,
    carrier,
    plan: network,
    cycleTicks: ticks.network,
    flits,
    coreDetail,
    ...(barrier !== undefined && { barrier }),
  };
  switch (mode) {
    case 'decoupled':
      wiring.place(carrier, parts.directCarrier, { chiplets: places });
      return wired;
    case 'iterative':
      wiring.place(carrier, parts.latencyCoordinator, {
        chiplets: places,
        cycleTicks: ticks.network,
        flits,
        latencies,
      });
      return wired;
    case 'coupled': {
      const joined = wireNetwork(network, networkParts(parts.network, ticks.network), {
        wiring,
        interface: carrier,
      });
      wiring.place(carrier, parts.networkInterface, {
        spec: {
          self: carrier,
          chiplets: places,
          routers: joined.routers,
          cycleTicks: ticks.network,
          flits,
          oneByOne: net.random === 'shared',
        },
        sharedState: joined.holder,
      });
      return { ...wired, network: joined };
    }
  }
}

const carrierNames = { decoupled: 'Carrier', coupled: 'Interface', iterative: 'Desk' } as const;

/** When the chiplets of a system meet; undefined when they do not. */
export const meetingPlan = ({ syncFile: { enabled, S, I } }: SystemConfig): MeetingPlan | undefined =>
  enabled ? { first: S, intervals: typeof I === 'number' ? [I] : I } : undefined;

/** Places the barrier, and a gate for each chiplet. */
function wireMeetings(
  wiring: Wiring,
  given: Pick<WiredSystem, 'carrier' | 'chiplets'> & {
    readonly barrier: Address;
    readonly plan: MeetingPlan;
  },
  parts: SystemParts,
): void {
  const { barrier, plan, carrier, chiplets } = given;
  for (const [chiplet, { gate, mailbox, cycleTicks }] of chiplets.entries())
    wiring.place(gate!, parts.gate, {
      barrier,
      chiplet,
      mailbox,
      carrier,
      cycleTicks,
      firstMeeting: plan.first,
    });
  wiring.place(barrier, parts.cycleBarrier, {
    chiplets: chiplets.map(({ at: [x, y], gate: address }) => ({ address: address!, place: { x, y } })),
    cycle: plan.first,
    intervals: plan.intervals,
  });
}

/** The parts of chiplets whose cycle takes so many ticks. */
function chipletParts(
  { chiplet, awaitingMailbox: awaiting }: SystemParts,
  { mode }: SystemConfig,
  cycleTicks: number,
  pacing: Pacing | undefined,
): ChipletParts {
  const rule = everyTick(cycleTicks);
  const clocked = <M extends AnyStateMachine>(machine: M): M =>
    pacing ? onPacedClock(machine, cycleTicks, pacing) : onClock(machine, rule);
  // A mailbox that awaits answers is asked and answers as the other one does.
  const mailbox = mode === 'iterative' ? (awaiting as unknown as ChipletParts['mailbox']) : chiplet.mailbox;
  return {
    ...chiplet,
    // What is inside a core says nothing that takes time.
    simtCore: clocked(chiplet.simtCore),
    fastSimtCore: clocked(chiplet.fastSimtCore),
    dispatcher: clocked(chiplet.dispatcher),
    memoryChannel: clocked(chiplet.memoryChannel),
    mailbox: clocked(mailbox),
    host: clocked(chiplet.host),
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
    fast: {
      ...parts.fast,
      router: onClock(parts.fast.router, rule),
      clock: onClock(parts.fast.clock, rule),
    },
  };
}
