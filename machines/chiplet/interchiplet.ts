import { benchText } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { delayText, parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import type { FunctionalCoordinatorContext } from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { TraceError } from '../../actors/chiplet/interchiplet/located-line.ts';
import { placeText } from '../../actors/chiplet/interchiplet/place.ts';
import type { ProcessContext } from '../../actors/chiplet/interchiplet/process.ts';
import type { RoundsContext } from '../../actors/chiplet/interchiplet/rounds.ts';
import { logRow } from '../../actors/chiplet/interchiplet/script.ts';
import type { TimingCoordinatorContext } from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import type { Assembly, Given, Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { type InterchipletParts, soundInterchiplet, wireInterchiplet } from './interchiplet-assembly.ts';
import {
  type InterchipletConfig,
  type InterchipletPrograms,
  interchipletConfig,
  interchipletPrograms,
} from './interchiplet-config.ts';
import {
  coordinatorHeader,
  coordinatorPicture,
  coordinatorSketch,
  followCoordinator,
} from './interchiplet-log.ts';
import { interchipletMutants } from './interchiplet-mutants.ts';
import { interchipletScene } from './interchiplet-scene.ts';
import { type BlockedProcess, blockedProcesses } from './interchiplet-waits.ts';

/** One round as it is told: traces and delays as lines of their files. */
export interface InterchipletRound {
  readonly round: number;
  readonly cycles: number;
  readonly converged: boolean;
  readonly bench: readonly string[];
  readonly delay: readonly string[];
  /** By place, each logged step as `[step, its arguments, issued, synced]`. */
  readonly logs: Readonly<Record<string, readonly (readonly (string | number)[])[]>>;
}

/** What a coordinator came to. */
export interface InterchipletResult {
  /** Cycles of the last round that came to its end, in time of the system. */
  readonly cycles: number;
  readonly converged: boolean;
  readonly rounds: readonly InterchipletRound[];
  /** W-ORDER, in the order in which they came. */
  readonly warnings: readonly string[];
  /** Who waits for what when the run stands still (E-DEADLOCK). */
  readonly blocked: readonly BlockedProcess[];
}

/** A run of a coordinator. */
export type InterchipletGiven = Given<InterchipletConfig, InterchipletPrograms>;

/** Processes of chiplets under a coordinator that repeats them with the network until the cycles agree (chiplet specification 9). */
export const interchipletMachine: Machine<InterchipletConfig, InterchipletPrograms, InterchipletResult> = {
  name: 'interchiplet',
  config: interchipletConfig,
  programs: interchipletPrograms,
  mutants: mutantSentences(interchipletMutants),
  check,
  assemble: (given) =>
    assembleInterchiplet(given, withMutants(soundInterchiplet, interchipletMutants, given.mutants)),
  figures: ({ cycles, converged, rounds, warnings, blocked }) => [
    {
      label: 'cycles',
      value: `${cycles} after ${rounds.length} rounds, ${converged ? 'converged' : 'not converged'}`,
    },
    ...rounds.map((one) => ({
      label: `round ${one.round}`,
      value: `${one.cycles} cycles, ${one.bench.length} transactions`,
    })),
    ...warnings.map((value) => ({ label: 'warning', value })),
    ...blocked.map(({ process, why }) => ({ label: process, value: why })),
  ],
  logHeader: ({ name, programs }) => coordinatorHeader(name, programs),
  picture: ({ name, programs }, records) => coordinatorPicture(name, programs, records),
  sketch: ({ name, programs }, records, width) => coordinatorSketch(name, programs, records, width),
};

/** Assembles a coordinator from parts of one's own: another network, for example. */
export function assembleInterchiplet(
  { config, programs }: InterchipletGiven,
  parts: InterchipletParts,
): Assembly<InterchipletResult> {
  const wired = wireInterchiplet(config, programs, parts);
  const contextOf = <C>(run: Run, address: Address): C => run.part(address).context as unknown as C;
  return {
    wiring: wired.wiring,
    scene: interchipletScene,
    result: (run) => {
      const { rounds } = contextOf<RoundsContext>(run, wired.rounds);
      const coordinator = contextOf<FunctionalCoordinatorContext>(run, wired.functionalCoordinator);
      const timing = contextOf<TimingCoordinatorContext>(run, wired.timingCoordinator);
      const processes = wired.processes.map((address) => contextOf<ProcessContext>(run, address));
      const last = rounds.at(-1);
      return {
        cycles: last?.cycles ?? 0,
        converged: last?.converged ?? false,
        rounds: rounds.map((one, index) => ({
          round: one.round,
          cycles: one.cycles,
          converged: one.converged,
          bench: one.bench.map(benchText),
          delay: one.delay.map(delayText),
          logs: Object.fromEntries(
            processes.map(({ place, log, logs }) => [placeText(place), (logs[index] ?? log).map(logRow)]),
          ),
        })),
        warnings: [...coordinator.warnings],
        blocked: run.ended ? blockedProcesses(coordinator, timing, (address) => run.nameOf(address)) : [],
      };
    },
    follow: (run, take) => followCoordinator(run, wired.processes, programs, take),
  };
}

/** A sound coordinator of checked parts: what golden rounds and the command line run. */
export const assembleInterchipletGiven = (
  config: InterchipletConfig,
  programs: InterchipletPrograms,
): Assembly<InterchipletResult> =>
  assembleInterchiplet(
    { name: 'coordinator', config, programs, mutants: [], scheduled: false },
    soundInterchiplet,
  );

type CheckFinding = ReturnType<NonNullable<Machine['check']>>[number];

/** What the schemas cannot say: places are distinct, transfers go to processes that exist, delay lines can be read. */
function check({ delay }: InterchipletConfig, programs: InterchipletPrograms): readonly CheckFinding[] {
  const findings: CheckFinding[] = [];
  const places = new Map<string, number>();
  for (const [index, place] of programs.entries()) {
    const first = places.get(placeText(place));
    if (first !== undefined)
      findings.push({
        path: ['programs', index],
        found: `a second process at (${placeText(place)}), the first is number ${first}`,
        expected: 'one process a chiplet',
      });
    else places.set(placeText(place), index);
  }
  for (const [index, { script }] of programs.entries())
    for (const [at, step] of script.entries()) {
      if (step[0] !== 'send' && step[0] !== 'recv' && step[0] !== 'launch') continue;
      const peer = placeText({ x: step[1], y: step[2] });
      if (!places.has(peer))
        findings.push({
          path: ['programs', index, 'script', at],
          found: `${step[0]} with (${peer}), where no process is`,
          expected: `one of ${[...places.keys()].map((one) => `(${one})`).join(' ')}`,
        });
    }
  for (const [index, line] of delay.entries())
    try {
      parseDelay(line, `delay[${index}]`);
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      findings.push({
        path: ['config', 'delay', index],
        found: JSON.stringify(line),
        expected: error.message,
      });
    }
  return findings;
}
