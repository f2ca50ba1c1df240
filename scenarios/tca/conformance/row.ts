import { gasnetProgram } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Mode } from '../../../actors/tca/gasnet/options.ts';
import { canonical } from '../../../kernel/choices.ts';
import { mixSeed } from '../../../kernel/mix-seed.ts';
import { Run } from '../../../kernel/run.ts';
import type { Assembly, Given } from '../../../machines/machine.ts';
import { type TcaConfig, type TcaPrograms, tcaConfig } from '../../../machines/tca/config.ts';
import { type TcaRunResult, tcaMachine } from '../../../machines/tca.ts';
import { type ScheduleKind, scheduleProducers } from '../../schedule.ts';
import type { Conditions, ConformanceCase } from './case.ts';

/** A case under one setting of the runtime and on one machine. */
export interface Row {
  readonly case: ConformanceCase;
  readonly topology: TcaConfig['topology'];
  readonly nodes: number;
  readonly mode: Mode | 'auto';
  readonly channels: readonly number[];
}

/** What the machine is given for a row. */
export type RowGiven = Given<TcaConfig, TcaPrograms>;

/** Has properties watch a run; `end` is called when the run is over. */
export type Watching = (run: Run, given: RowGiven, assembly: Assembly<TcaRunResult>) => { end(): void };

/** Simulated time in which every case ends: 100 ms. */
const ticksMax = 400_000_000;

/** The machine that nodes of this number make: a pair, a ring, two rings. */
export const topologyOf = (nodes: number): TcaConfig['topology'] =>
  nodes === 2 ? 'pair' : nodes <= 8 ? 'ring' : 'dualRing';

/** A row in words, unique among all rows. */
export const rowName = ({ case: { id }, topology, nodes, mode, channels }: Row): string =>
  `${id} ${topology}(${nodes}) ${mode} channels ${channels.join('')}`;

/** The configuration of a row. */
export const rowConfig = ({ case: { gasnet }, topology, nodes, mode, channels }: Row): TcaConfig =>
  tcaConfig.parse({
    topology,
    nodes,
    cpuBytes: 2 ** 23,
    gpuBytes: 2 ** 22,
    gasnet: { ...gasnet, forceMode: mode, channels },
  });

const kinds: readonly ScheduleKind[] = ['random', 'pct', 'pos', 'delay', 'roundrobin'];

/** How a schedule is called in reports; number 0 is the default one. */
export const scheduleName = (number: number): string =>
  number === 0 ? 'fifo' : `${kinds[(number - 1) % kinds.length]}, seed ${number}`;

/**
 * Runs a row under a schedule; gives what is wrong, or undefined.
 *
 * Details: `number` 0 is the default schedule and runs every job of the case; others go through the kinds of schedules, with the number as seed, and run one job each, whichever kind of schedule it is.
 * The numbers that a case draws follow `seed` and `number`.
 */
export function findingOf(
  row: Row,
  seed: number,
  number: number,
  mutants: readonly string[] = [],
  watch?: Watching,
): string | undefined {
  const { variants = 1 } = row.case;
  const all = Array.from({ length: variants }, (_, k) => k);
  const chosen = number === 0 ? all : [mixSeed(number, 0) % variants];
  for (const variant of chosen) {
    const found = findingIn(row, seed + number, number, variant, mutants, watch);
    if (found !== undefined) return variants === 1 ? found : `job ${variant}: ${found}`;
  }
  return undefined;
}

function findingIn(
  row: Row,
  seed: number,
  number: number,
  variant: number,
  mutants: readonly string[],
  watch: Watching | undefined,
): string | undefined {
  const config = rowConfig(row);
  const conditions: Conditions = { config, mode: row.mode, seed, variant };
  const programs = Array.from({ length: row.nodes }, () => ({
    module: row.case.id,
    program: gasnetProgram(row.case.program(conditions)),
  }));
  const given: RowGiven = { name: rowName(row), config, programs, mutants, scheduled: number > 0 };
  const assembly = tcaMachine.assemble(given);
  const choices = number === 0 ? canonical : scheduleProducers[kinds[(number - 1) % kinds.length]!](number);
  const run = new Run(assembly.wiring, { choices });
  const followed = row.case.follow?.(run, conditions);
  const watching = watch?.(run, given, assembly);
  run.until(ticksMax);
  watching?.end();
  const judge = row.case.judge ?? nobodyEnded;
  return wrongWith(row.case, run) ?? judge(assembly.result(run), conditions) ?? followed?.();
}

/** What a run ended in, if that is not its usual end. */
function wrongWith({ hurts = [] }: ConformanceCase, run: Run): string | undefined {
  const { verdict, failure, violations } = run.outcome;
  if (failure) return `${failure.actor}: ${failure.message}`;
  const [first] = violations.filter(({ property }) => !hurts.includes(property));
  if (first) return `${first.property}: ${first.why}`;
  if (!run.ended) return 'the run does not come to an end';
  if (verdict === 'deadlock' || verdict === 'livelock') return verdict;
  return undefined;
}

/** The usual end: every program returned, and none ended the job. */
function nobodyEnded({ nodes }: TcaRunResult): string | undefined {
  const ended = nodes.findIndex(({ exitCode }) => exitCode !== undefined);
  return ended < 0 ? undefined : `rank ${ended} ended the job with ${nodes[ended]!.exitCode}`;
}
