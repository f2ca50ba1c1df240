import type { Command } from 'commander';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { exactLeapfrog, type LeapfrogOptions, leapfrog } from '../../scenarios/grape/leapfrog.ts';
import { type LeapfrogTrace, leapfrogPicture } from '../../scenarios/grape/leapfrog-picture.ts';
import type { Session } from '../command.ts';
import { naturalOption } from '../natural-option.ts';
import { writeOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { withProgress } from '../with-progress.ts';
import {
  addScheduleOption,
  addSourceOptions,
  assembleFile,
  type SourceOptions,
  scheduleFile,
} from './source-file.ts';

interface LeapfrogWords extends SourceOptions {
  readonly bodies: number;
  readonly steps: number;
  readonly blocks: number;
  readonly pes: number;
  readonly plot?: string;
  readonly json?: boolean;
}

const dt = 1 / 64;
const eps = 1 / 16;

/**
 * `lockstep grape leapfrog FILE.vsm`: follows bodies under their own gravity with forces from the chip, and in double precision, and compares
 * their energies (GRAPE specification 9.1).
 */
export function declareLeapfrog(command: Command, { terminal }: Session): void {
  addScheduleOption(addSourceOptions(command))
    .option('--bodies <n>', 'a multiple of the number of blocks', naturalOption('--bodies', 65_536), 256)
    .option('--steps <n>', `steps of ${dt} units of time`, naturalOption('--steps', 1_000_000), 64)
    .option('--blocks <n>', 'blocks of the chip', naturalOption('--blocks', 64), 16)
    .option('--pes <n>', 'PEs a block', naturalOption('--pes', 1024), 32)
    .option('--plot <file.svg>', 'draw the paths and the change of energy')
    .option(
      '--json',
      'one JSON object {bodies, steps, dt, eps, drift, exactDrift, apart, cycles} on standard output',
    )
    .action(async (file: string, options: LeapfrogWords) => {
      const { bodies, steps, blocks: nBB, pes: nPE, plot } = options;
      if (bodies === 0 || nBB === 0 || nPE === 0 || bodies % nBB !== 0)
        throw new UsageError(
          `found --bodies ${bodies} and --blocks ${nBB}, expected a multiple of the blocks`,
          'records are spread evenly over the blocks',
        );
      const written = await assembleFile(file, options);
      const { program } = options.schedule ? scheduleFile(written, options) : written;
      const library = new GrapeLibrary(program, { nBB, nPE });
      const size = { bodies, steps, dt, eps, nBB, nPE };
      const chip = await followed(library, size, terminal);
      if (![...chip.energies, ...chip.places.flatMap((at) => [...at])].every(Number.isFinite))
        throw new UsageError(
          `${file}: found results that are no numbers, expected accelerations accx, accy, accz and a potential pot`,
          `give a program that computes gravity${options.schedule ? '' : '; one that is not written for the pipeline, such as scenarios/grape/gravity.vsm, needs --schedule'}`,
        );
      const exact = traced({ ...size, steps: chip.energies.length - 1 }, exactLeapfrog);
      const report = {
        bodies,
        steps: chip.energies.length - 1,
        dt,
        eps,
        drift: driftOf(chip),
        exactDrift: driftOf(exact),
        apart: farthest(chip, exact),
        cycles: library.calls.reduce((sum, { cycles }) => sum + cycles, 0),
      };
      if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
      terminal.err(told(report));
      if (plot === undefined) return;
      writeOutput(terminal, plot, leapfrogPicture(chip, exact, dt));
      terminal.err(`picture written: ${plot}\n`);
    });
}

/** Follows bodies on the chip until the end or until Ctrl-C; what was seen so far counts. */
function followed(
  library: GrapeLibrary,
  options: Omit<LeapfrogOptions, 'onStep'>,
  terminal: Session['terminal'],
): Promise<LeapfrogTrace> {
  const trace: { energies: number[]; places: Float64Array[] } = { energies: [], places: [] };
  const running = leapfrog({ ...options, onStep: (_step, { x }, energy) => noteStep(trace, x, energy) });
  return withProgress(
    terminal,
    options.steps,
    async ({ onProgress, shouldStop, turn }) => {
      let step = running.next();
      while (!step.done && !shouldStop()) {
        const seen = trace.energies.length;
        step = running.next(library.call(step.value));
        if (trace.energies.length === seen) continue;
        onProgress(seen, library.simulation.outcome.deliveries);
        await turn();
      }
      return trace;
    },
    'steps',
  );
}

function noteStep(
  trace: { readonly energies: number[]; readonly places: Float64Array[] },
  x: Float64Array,
  energy: number,
): void {
  trace.energies.push(energy);
  trace.places.push(x.slice());
}

function traced(options: LeapfrogOptions, run: (options: LeapfrogOptions) => unknown): LeapfrogTrace {
  const trace: { energies: number[]; places: Float64Array[] } = { energies: [], places: [] };
  run({ ...options, onStep: (_step, { x }, energy) => noteStep(trace, x, energy) });
  return trace;
}

/** Largest change of the energy against the first, relative. */
const driftOf = ({ energies }: LeapfrogTrace): number =>
  Math.max(...energies.map((energy) => Math.abs(energy / energies[0]! - 1)));

/** Largest distance between a place on the chip and in double precision, at the end. */
function farthest(chip: LeapfrogTrace, exact: LeapfrogTrace): number {
  const [a, b] = [chip.places.at(-1)!, exact.places.at(-1)!];
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at]!)), 0);
}

function told({
  bodies,
  steps,
  drift,
  exactDrift,
  apart,
  cycles,
}: Readonly<Record<'bodies' | 'steps' | 'drift' | 'exactDrift' | 'apart' | 'cycles', number>>): string {
  return [
    `${bodies} bodies, ${steps} steps of ${dt}`,
    `energy has changed by at most ${drift.toExponential(3)} on the chip, ${exactDrift.toExponential(3)} in double precision`,
    `places are at most ${apart.toExponential(3)} apart`,
    `${cycles} cycles of the chip`,
    '',
  ].join('\n');
}
