import type { HostContext } from '../../actors/chiplet/gpu/host-context.ts';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { outside } from '../../actors/chiplet/outside.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { figuresOfCore } from './core-figures.ts';
import { type CoreDetail, wireGpuChiplet } from './gpu-chiplet.ts';
import { buffersIn, type MeasuredCase, type MeasuredOutcome, prepareMeasured } from './measured-case.ts';

/*
 * Predicted cycles of measured launches beside the measured ones.
 *
 * The timing of the preset was fitted to half of the launches: those of the file `latency`, and of the others, by name, the first, third, fifth and so on. What
 * is reported of the preset is its error on the other half.
 */

/** A launch with its cycles. */
export interface CycleRow {
  readonly name: string;
  readonly text: string;
  /** True for the half that the preset was fitted to. */
  readonly fitted: boolean;
  readonly measured: number;
  readonly predicted: number;
  /** predicted / measured - 1. */
  readonly error: number;
}

/** What a list of rows comes to. */
export interface CycleSummary {
  readonly launches: number;
  /** Median and largest of |error|, and the launch with the largest. */
  readonly median: number;
  readonly worst: number;
  readonly worstName: string;
  /** Geometric mean of predicted / measured, and the factor of its standard deviation. */
  readonly ratio: number;
  readonly spread: number;
  /** Correlation of the logarithms of predicted and measured cycles. */
  readonly correlation: number;
}

/** The names of the launches that the preset was fitted to. */
export function fittedNames(cases: readonly Pick<MeasuredCase, 'name'>[]): ReadonlySet<string> {
  const names = [...new Set(cases.map(({ name }) => name))].sort();
  const latency = names.filter((name) => name.startsWith('latency_'));
  const others = names.filter((name) => !name.startsWith('latency_')).filter((_, at) => at % 2 === 0);
  return new Set([...latency, ...others]);
}

/** A measured launch on a chiplet: the run, which has not begun, the cycles that the launch took, none while it has not ended, and what it left. Errors: `LaunchError`. */
export function timedMeasured(
  program: PtxProgram,
  one: MeasuredCase,
  timing: GpuTiming,
  coreDetail: CoreDetail = 'core',
) {
  const { memory, launch, args, places } = prepareMeasured(program, one);
  const { kernel, grid, block, dynamicSharedBytes, cluster } = launch;
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  const carrier = wiring.place('Outside', outside, undefined);
  const chiplet = wireGpuChiplet(wiring, {
    at: [0, 0],
    program: function* () {
      yield { op: 'launch', kernel: kernel.name, grid, block, args, dynamicSharedBytes, cluster };
    },
    carrier,
    ptx: program,
    timing,
    coreDetail,
    memory,
  });
  const run = new Run(wiring);
  const report = () => (run.part(chiplet.host).context as unknown as HostContext).reports[0];
  return {
    run,
    cycles: (): number | undefined => report()?.cycles,
    /** What it left behind; undefined while it has not ended. */
    outcome: (): MeasuredOutcome | undefined => {
      const ended = report();
      const { memory: left } = figuresOfCore(run, chiplet.cores[0]!);
      return ended && { buffers: buffersIn(left, places), counts: ended.statistics.counts };
    },
  };
}

/** Cycles that a chiplet takes for a measured launch. Errors: `LaunchError`, and what the launch itself comes to when it does not end. */
export function predictedCycles(
  program: PtxProgram,
  one: MeasuredCase,
  timing: GpuTiming,
  coreDetail: CoreDetail = 'core',
): number {
  const { run, cycles } = timedMeasured(program, one, timing, coreDetail);
  run.toEnd();
  return cycles() ?? Number.NaN;
}

/** Errors of predictions, together. */
export function cycleSummary(rows: readonly CycleRow[]): CycleSummary {
  const ended = rows.filter(({ predicted }) => Number.isFinite(predicted));
  const sizes = ended.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const middle = sizes.length >> 1;
  const median = sizes.length % 2 === 1 ? sizes[middle]! : (sizes[middle - 1]! + sizes[middle]!) / 2;
  const worst = sizes.at(-1) ?? Number.NaN;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const predicted = ended.map((row) => Math.log(row.predicted));
  const measured = ended.map((row) => Math.log(row.measured));
  const ratios = predicted.map((one, at) => one - measured[at]!);
  const [m, p, r] = [mean(measured), mean(predicted), mean(ratios)];
  const together = mean(predicted.map((one, at) => (one - p) * (measured[at]! - m)));
  const variance = (values: readonly number[], of: number): number =>
    mean(values.map((one) => (one - of) ** 2));
  return {
    launches: rows.length,
    median,
    worst,
    worstName: ended.find(({ error }) => Math.abs(error) === worst)?.name ?? '',
    ratio: Math.exp(r),
    spread: Math.exp(Math.sqrt(variance(ratios, r))),
    correlation: together / Math.sqrt(variance(predicted, p) * variance(measured, m)),
  };
}
