import { agrees } from '../../actors/chiplet/interchiplet/rounds.ts';
import { Run } from '../../kernel/run.ts';
import { inSlices, type Slice } from './in-slices.ts';
import type { NetworkResult } from './result.ts';
import {
  type RecordedLatencies,
  type SystemParts,
  soundSystem,
  type WiredSystem,
  wireSystem,
} from './system-assembly.ts';
import type { SystemConfig, SystemPrograms } from './system-config.ts';
import { latenciesOf, systemTrace, tracedNetwork } from './system-network.ts';
import { type ChipletState, chipletStates, messagesCarried } from './system-result.ts';

/** One round of an iterative run. */
export interface SystemRound {
  readonly round: number;
  readonly cycles: number;
  readonly transactions: number;
  readonly converged: boolean;
}

/** Where the rounds have come to. */
export interface RoundsResult {
  readonly rounds: readonly SystemRound[];
  readonly states: readonly ChipletState[];
  readonly messages: { readonly sent: number; readonly delivered: number };
  /** The run of the last round. */
  readonly last: { readonly run: Run; readonly wired: WiredSystem };
  /** The network on the trace of the last round. */
  readonly network: NetworkResult;
}

/** The largest end of a chiplet, in cycles of the network. */
export const cyclesOf = (states: readonly ChipletState[]): number =>
  Math.max(0, ...states.map(({ systemCycles }) => systemCycles));

/**
 * The rounds that follow a first one: network, then chiplets with its latencies, until the cycles of two rounds agree (chiplet specification 9.1).
 *
 * Details: yields between slices of a round. A round that did not come to its end is the last one.
 */
export function* roundsFrom(
  first: { readonly run: Run; readonly wired: WiredSystem },
  config: SystemConfig,
  programs: SystemPrograms,
  parts: SystemParts = soundSystem,
): Generator<Slice, RoundsResult> {
  let { run, wired } = first;
  const rounds: SystemRound[] = [];
  for (let round = 1; ; round++) {
    const states = chipletStates(run, wired, config);
    const lines = systemTrace(states.map(({ trace }) => trace));
    const cycles = cyclesOf(states);
    const before = rounds.at(-1);
    const ended = run.ended && run.outcome.verdict === 'ok';
    const converged = ended && before !== undefined && agrees(cycles, before.cycles, config.error);
    rounds.push({ round, cycles, transactions: lines.length, converged });
    const { result, delays } = yield* tracedNetwork(config, lines);
    if (converged || round === config.rounds || !ended)
      return { rounds, states, messages: messagesCarried(run, wired), last: { run, wired }, network: result };
    const latencies: RecordedLatencies = latenciesOf(lines, delays);
    wired = wireSystem(config, programs, parts, latencies, wired.coreDetail);
    run = new Run(wired.wiring);
    yield* inSlices(run);
  }
}
