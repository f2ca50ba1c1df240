import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compileKernels } from '../../actors/chiplet/ptx/program.ts';
import { h100Cold, h100Warm } from '../../machines/chiplet/h100-timing.ts';
import {
  type InstructionRow,
  instructionRows,
  measuredLatencies,
} from '../../machines/chiplet/instruction-chains.ts';
import { measuredFile } from '../../machines/chiplet/measured-case.ts';
import {
  type CycleRow,
  type CycleSummary,
  cycleSummary,
  fittedNames,
  predictedCycles,
} from '../../machines/chiplet/measured-cycles.ts';
import type { Session } from '../command.ts';
import { readInput } from '../read-input.ts';
import { readJsonAs } from '../read-json.ts';

interface CalibrateOptions {
  readonly preset: 'h100' | 'generic';
  readonly explicit?: boolean;
  readonly instructions?: string;
  readonly json?: boolean;
}

/** `lockstep chiplet calibrate CASES.json`: predicted beside measured cycles of launches on a GPU. */
export function declareCalibrate(command: Command, session: Session): void {
  command
    .argument('<cases.json>', 'measured launches (lockstep-gpu/1), beside the texts that they name')
    .addOption(
      new Option('--preset <name>', 'the chiplet: like an H100, or as shipped')
        .choices(['h100', 'generic'])
        .default('h100'),
    )
    .option('--explicit', 'state machines for all parts, also where plain code does the same faster')
    .option('--instructions <latencies.json>', 'cycles of instructions, too: measured by chains of them')
    .option('--json', 'one JSON object {warm, cold} on standard output, each with rows and summaries')
    .action((file: string, { preset, explicit, instructions, json }: CalibrateOptions) => {
      const { cases } = readJsonAs(file, measuredFile, 'give a file of the format lockstep-gpu/1');
      const fitted = fittedNames(
        cases.filter(({ expected }) => Object.values(expected).some(({ cycles }) => cycles)),
      );
      const found = { warm: [] as CycleRow[], cold: [] as CycleRow[] };
      for (const one of cases)
        for (const [text, { cycles }] of Object.entries(one.expected)) {
          if (cycles === undefined) continue;
          const path = resolve(dirname(file), text);
          const program = compileKernels([{ file: path, text: readInput(path) }], {
            messageOpcode: 'off',
            entries: [one.entry],
          });
          for (const way of ['warm', 'cold'] as const) {
            const h100 = way === 'warm' ? h100Warm : h100Cold;
            const timing = preset === 'h100' ? h100 : defaultTiming;
            const predicted = predictedCycles(program, one, timing, explicit ? 'warp' : 'core');
            const measured = cycles[way];
            const error = predicted / measured - 1;
            found[way].push({
              name: one.name,
              text,
              fitted: fitted.has(one.name),
              measured,
              predicted,
              error,
            });
          }
        }
      const summaries = (rows: readonly CycleRow[]) => ({
        fitted: cycleSummary(rows.filter((row) => row.fitted)),
        other: cycleSummary(rows.filter((row) => !row.fitted)),
      });
      const rows = instructions === undefined ? [] : rowsOf(instructions, preset);
      const { terminal } = session;
      const all = { warm: summaries(found.warm), cold: summaries(found.cold) };
      if (json) {
        const of = (way: 'warm' | 'cold') => ({ rows: found[way], ...all[way] });
        const more = instructions === undefined ? {} : { instructions: rows };
        terminal.out(`${JSON.stringify({ preset, warm: of('warm'), cold: of('cold'), ...more })}\n`);
        return;
      }
      for (const [at, warm] of found.warm.entries()) terminal.out(line(warm, found.cold[at]!));
      for (const way of ['warm', 'cold'] as const) {
        terminal.out(closing(`${way}, fitted`, all[way].fitted));
        terminal.out(closing(`${way}, not used in the fit`, all[way].other));
      }
      if (instructions !== undefined) terminal.out(instructionTable(rows));
    });
}

const rowsOf = (file: string, preset: CalibrateOptions['preset']): readonly InstructionRow[] =>
  instructionRows(
    readJsonAs(file, measuredLatencies, 'give latencies by chain of instructions'),
    preset === 'h100' ? h100Warm : defaultTiming,
  );

function instructionTable(rows: readonly InstructionRow[]): string {
  const lines = rows.map(
    ({ name, step, measured, predicted, error }) =>
      `${name.padEnd(22)} measured ${measured.toFixed(1).padStart(7)} predicted ${predicted.toFixed(1).padStart(7)} ${percent(error).padStart(7)}   ${step}\n`,
  );
  const sizes = rows.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const far = sizes.filter((size) => size > 0.25).length;
  return `${lines.join('')}instructions: ${rows.length} chains, median error ${(100 * (sizes[sizes.length >> 1] ?? 0)).toFixed(1)} %, ${far} off by more than 25 %\n`;
}

const percent = (share: number): string => `${share < 0 ? '-' : '+'}${Math.abs(100 * share).toFixed(0)} %`;

const line = (warm: CycleRow, cold: CycleRow): string =>
  `${warm.fitted ? 'fit  ' : 'other'} ${warm.name.padEnd(24)} warm ${String(warm.measured).padStart(6)} ${String(warm.predicted).padStart(6)} ${percent(warm.error).padStart(7)}   cold ${String(cold.measured).padStart(6)} ${String(cold.predicted).padStart(6)} ${percent(cold.error).padStart(7)}\n`;

const closing = (what: string, one: CycleSummary): string =>
  `${what}: ${one.launches} launches, median error ${(100 * one.median).toFixed(1)} %, worst ${percent(one.worst)} (${one.worstName}), predicted / measured ${one.ratio.toFixed(2)} (geometric mean), spread a factor of ${one.spread.toFixed(2)}, correlation of logarithms ${one.correlation.toFixed(2)}\n`;
