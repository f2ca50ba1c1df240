import type { NetworkInterfaceContext } from '../../actors/chiplet/system/network-interface.ts';
import type { Run } from '../../kernel/run.ts';
import type { Assembly, Given, Machine } from '../machine.ts';
import { type Mutants, mutantSentences, withMutants } from '../mutant.ts';
import type { WiredNetwork } from './assembly.ts';
import { cutShort, isNetworkOver } from './cut-short.ts';
import type { CoreDetail } from './gpu-chiplet.ts';
import { drained, type Slice } from './in-slices.ts';
import { networkMutants } from './mutants.ts';
import { type NetworkResult, networkResult } from './result.ts';
import { sourceMutants } from './source-mutants.ts';
import { type Standstill, standstillOf } from './standstill.ts';
import { type SystemParts, soundSystem, type WiredSystem, wireSystem } from './system-assembly.ts';
import { systemFindings } from './system-check.ts';
import { type SystemConfig, type SystemPrograms, systemConfig, systemPrograms } from './system-config.ts';
import { systemFigures } from './system-figures.ts';
import { followSystem, systemHeader, systemPicture, systemSketch } from './system-log.ts';
import { systemMutants } from './system-mutants.ts';
import { systemTrace, tracedNetwork } from './system-network.ts';
import {
  type ChipletState,
  chipletStates,
  type Meetings,
  meetingsOf,
  messagesCarried,
} from './system-result.ts';
import { cyclesOf, roundsFrom, type SystemRound } from './system-rounds.ts';
import { systemScene } from './system-scene.ts';
import { blockedText, waitingCircle } from './system-waits.ts';
import { warningsOf } from './system-warnings.ts';

/*
 * CPU and GPU chiplets that exchange messages over a network (chiplet specification 12). One calendar for all: see clock-ratios.ts for its ticks.
 *
 * In all modes chiplets see the values of a pair in the order of sending, so that a program whose receives name their sender computes the same. What
 * differs is when: at once (decoupled; the network runs afterwards, on the trace), when the tail of the packet was accepted (coupled), or by the
 * latencies of the round before (iterative; the run is the first round, those that follow belong to its result).
 */

/** What a chiplet came to. */
export interface ChipletFigures {
  readonly at: readonly [x: number, y: number];
  readonly kind: 'cpu' | 'gpu';
  readonly ended: boolean;
  /** Cycles of its own clock, and the same in cycles of the network. */
  readonly cycles: number;
  readonly systemCycles: number;
  readonly kernels: readonly { readonly kernel: string; readonly start: number; readonly cycles: number }[];
  readonly sent: number;
  readonly received: number;
  readonly unread: number;
  readonly watts: number;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
}

/** Total cycles as the seed computes them from separate simulations (chiplet specification 6). */
export interface DecoupledTotals {
  readonly synchronisations: number;
  readonly gpuCycles: number;
  readonly formulaA: number;
  readonly formulaB: number;
}

/** What a system came to. */
export interface SystemResult {
  readonly mode: SystemConfig['mode'];
  /** Total cycles of the mode, in cycles of the network; what a run that did not come to its end has reached so far. */
  readonly cycles: number;
  readonly complete: boolean;
  readonly chiplets: readonly ChipletFigures[];
  readonly messages: { readonly sent: number; readonly delivered: number; readonly unread: number };
  readonly network: NetworkResult;
  readonly totals?: DecoupledTotals;
  readonly rounds?: readonly SystemRound[];
  /** Absent where chiplets do not meet. */
  readonly meetings?: Meetings;
  /** Watts. */
  readonly power: {
    readonly gpu: number;
    readonly cpu: number;
    readonly network: number;
    readonly total: number;
  };
  /** W-UNREAD, W-INDEX, E-OPCODE, E-LIMIT: what is worth a look, each a sentence. */
  readonly warnings: readonly string[];
  /** Who waits for what in a system that stands still (E-DEADLOCK). */
  readonly blocked: readonly string[];
  /** Chiplets that wait for each other; the network tells its own circle in its `standstill`. */
  readonly circle: readonly string[];
}

/** A run of a system. */
export type SystemGiven = Given<SystemConfig, SystemPrograms>;

/** An assembled system, with what files and properties must know of it. */
export interface SystemAssembly extends Assembly<SystemResult> {
  readonly wired: WiredSystem;
  /**
   * What a run came to, slice by slice: the network on a trace and further rounds are simulated here.
   *
   * Gotchas: it takes its time; `result` does the same at once, so call one of them, and once.
   */
  read(run: Run): Generator<Slice, SystemReading>;
}

/** What a run of a system came to, and what its chiplets did: in the last round, where rounds are simulated. */
export interface SystemReading {
  readonly result: SystemResult;
  readonly states: readonly ChipletState[];
}

/** Faults of systems, and those of the network that is part of one. */
const plantable: Mutants<SystemParts> = new Map([
  ...systemMutants,
  ...sourceMutants,
  ...[...networkMutants].map(([id, { sentence, mutate }]) => {
    const inSystem = (parts: SystemParts): SystemParts => ({ ...parts, network: mutate(parts.network) });
    return [id, { sentence, mutate: inSystem }] as const;
  }),
]);

/** CPU and GPU chiplets on a grid, with messages between them (chiplet specification 12). */
export const systemMachine = {
  name: 'chiplet',
  config: systemConfig,
  programs: systemPrograms,
  mutants: mutantSentences(plantable),
  check: systemFindings,
  assemble,
  figures: systemFigures,
  logHeader: (given) => systemHeader(given.name, given.config),
  picture: (given, records) => systemPicture(given.name, given.config, records),
  sketch: (given, records, width) => systemSketch(given.name, given.config, records, width),
} satisfies Machine<SystemConfig, SystemPrograms, SystemResult>;

function assemble(given: SystemGiven): SystemAssembly {
  const { config, programs, mutants } = given;
  const parts = withMutants(soundSystem, plantable, mutants);
  const coreDetail = coreDetailOf(given);
  const wired = wireSystem(config, programs, parts, {}, coreDetail);
  const read = (run: Run): Generator<Slice, SystemReading> => readingOf(run, wired, config, programs, parts);
  return {
    wired,
    wiring: wired.wiring,
    ...(coreDetail !== coreDetailOf({ ...given, fast: false }) && { fast: true }),
    read,
    result: (run) => drained(read(run)).result,
    follow: (run, take) => followSystem(run, wired, take),
    scene: (run) => systemScene(run, wired, systemHeader(given.name, config)),
  };
}

/** SIMT cores of all chiplets up to which each warp is an actor where nothing else is said. */
const coresMost = 2;

/** What the actors of SIMT cores are. Planted faults sit in warps and in cores that have some. */
function coreDetailOf({ config, mutants, faults, scheduled, fast }: SystemGiven): CoreDetail {
  const { coreDetail, chiplets } = config;
  if (mutants.length > 0) return 'warp';
  if (coreDetail !== 'auto') return coreDetail;
  if (fast && !faults?.length) return 'core';
  const cores = chiplets.reduce(
    (sum, one) => sum + (one.kind === 'gpu' ? (one.cores ?? coresMost + 1) : 0),
    0,
  );
  return scheduled || faults?.length || cores <= coresMost ? 'warp' : 'core';
}

/** What a run of a wired system came to, slice by slice. */
const readingOf = (
  run: Run,
  wired: WiredSystem,
  config: SystemConfig,
  programs: SystemPrograms,
  parts: SystemParts,
): Generator<Slice, SystemReading> =>
  config.mode === 'iterative' ? readRounds(run, wired, config, programs, parts) : readRun(run, wired, config);

/** The result of a run of a wired system. */
export const systemResultOf = (...of: Parameters<typeof readingOf>): SystemResult =>
  drained(readingOf(...of)).result;

function* readRounds(
  run: Run,
  wired: WiredSystem,
  config: SystemConfig,
  programs: SystemPrograms,
  parts: SystemParts,
): Generator<Slice, SystemReading> {
  const done = yield* roundsFrom({ run, wired }, config, programs, parts);
  const { rounds, states, messages, network, last } = done;
  const complete = last.run.ended && last.run.outcome.verdict === 'ok' && rounds.at(-1)!.converged;
  const packets = rounds.at(-1)!.transactions;
  const cut = cutShort(config, { ...last, messages, network, packets, rounds });
  const meetings = meetingsOf(last.run, last.wired);
  const result = told(config, { states, messages, meetings, cut }, network, cyclesOf(states), complete);
  return { result: { ...result, rounds }, states };
}

function* readRun(run: Run, wired: WiredSystem, config: SystemConfig): Generator<Slice, SystemReading> {
  const states = chipletStates(run, wired, config);
  const messages = messagesCarried(run, wired);
  const done = (network: NetworkResult, packets: number): Done => ({
    states,
    messages,
    meetings: meetingsOf(run, wired),
    cut: cutShort(config, { run, wired, messages, network, packets }),
  });
  const ended = states.every((one) => one.ended);
  if (wired.network) {
    const now = Math.max(1, Math.ceil(run.outcome.ticks / wired.cycleTicks));
    const isStuck = run.outcome.deadlock && !isNetworkOver(run, wired);
    const standstill = isStuck && systemStandstill(run, wired, wired.network);
    const network = {
      ...networkResult(run, wired.network, wired.plan, config.network.L, now),
      ...(standstill && { standstill }),
    };
    return {
      result: told(config, done(network, messages.sent), network, cyclesOf(states), ended),
      states,
    };
  }
  const lines = systemTrace(states.map(({ trace }) => trace));
  const { result: network } = yield* tracedNetwork(config, lines);
  const totals = totalsOf(config, states, network);
  const result = told(config, done(network, lines.length), network, totals.formulaA, ended);
  return { result: { ...result, totals }, states };
}

/** How the network of a coupled run stands still, packets told as the messages that they carry. */
function systemStandstill(run: Run, wired: WiredSystem, network: WiredNetwork): Standstill | undefined {
  const { underWay, pairs } = run.part(wired.carrier).context as unknown as NetworkInterfaceContext;
  return standstillOf(run, network, wired.plan, (packet) => {
    const [key, number] = underWay[packet]!;
    const { src, dst } = pairs[key]!;
    return `message ${number} from (${src.join(', ')}) to (${dst.join(', ')})`;
  });
}

/** Formulas A and B (chiplet specification 6). */
function totalsOf(
  { syncCount }: SystemConfig,
  states: readonly ChipletState[],
  { avgDelay }: NetworkResult,
): DecoupledTotals {
  const synchronisations = syncCount ?? Math.max(0, ...states.map(({ receivePhases }) => receivePhases));
  const gpuCycles = Math.max(0, ...states.map(kernelCycles));
  return {
    synchronisations,
    gpuCycles,
    formulaA: synchronisations * avgDelay + gpuCycles,
    formulaB: 16 * avgDelay + gpuCycles,
  };
}

/** Total cycles of a chiplet's kernels. */
export const kernelCycles = ({ kernels }: ChipletState): number =>
  kernels.reduce((sum, { cycles }) => sum + cycles, 0);

/** Power of a CPU chiplet (chiplet specification 8): constant, or its energy over the time of its cycles, with network cycles of a nanosecond. */
function cpuWatts(
  { cycles, systemCycles }: ChipletState,
  { cpuPowerWatts, cpuPicojoulesPerCycle }: SystemConfig,
): number {
  if (cpuPicojoulesPerCycle === undefined) return cpuPowerWatts;
  return systemCycles === 0 ? 0 : (cpuPicojoulesPerCycle * cycles) / (1000 * systemCycles);
}

/** What chiplets have done, in one run or in the last round. */
interface Done {
  readonly states: readonly ChipletState[];
  readonly messages: { readonly sent: number; readonly delivered: number };
  readonly meetings: Meetings | undefined;
  /** What has kept it from its end. */
  readonly cut: readonly string[];
}

function told(
  config: SystemConfig,
  { states, messages: { sent, delivered }, meetings, cut }: Done,
  network: NetworkResult,
  cycles: number,
  complete: boolean,
): SystemResult {
  const chiplets = states.map(
    (one): ChipletFigures => ({
      at: one.at,
      kind: one.kind,
      ended: one.ended,
      cycles: one.cycles,
      systemCycles: one.systemCycles,
      kernels: one.kernels.map(({ kernel, start, cycles: took }) => ({ kernel, start, cycles: took })),
      sent: one.trace.length,
      received: one.received.reduce((sum, { values }) => sum + values.length, 0),
      unread: one.unread.reduce((sum, { count }) => sum + count, 0),
      watts: one.power?.watts ?? cpuWatts(one, config),
      outputs: one.outputs,
    }),
  );
  const wattsOf = (kind: 'cpu' | 'gpu'): number =>
    chiplets.reduce((sum, one) => sum + (one.kind === kind ? one.watts : 0), 0);
  const [gpu, cpu] = [wattsOf('gpu'), wattsOf('cpu')];
  return {
    mode: config.mode,
    cycles,
    complete: complete && cut.length === 0,
    chiplets,
    messages: { sent, delivered, unread: chiplets.reduce((sum, { unread }) => sum + unread, 0) },
    network,
    ...(meetings && { meetings }),
    power: { gpu, cpu, network: network.totalPower, total: gpu + cpu + network.totalPower },
    warnings: [...warningsOf(states), ...cut],
    blocked: complete ? [] : blockedText(states),
    circle: complete ? [] : waitingCircle(states),
  };
}
