import type { Command } from 'commander';
import type { ExecutionMode } from '../../actors/grape/block/block.ts';
import { type HostValue, HostValueError } from '../../actors/grape/host-words.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { ChipMisfit } from '../../machines/grape/misfits.ts';
import { type Output, outputText } from '../../machines/grape/outputs.ts';
import { parseCase } from '../../scenarios/grape/case.ts';
import type { Session } from '../command.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';
import {
  type AssembledFile,
  addScheduleOption,
  addSourceOptions,
  assembleFile,
  diagnosticLines,
  type SourceOptions,
  scheduleFile,
  scheduleLines,
} from './source-file.ts';

const modes = ['pipelined', 'functional'] as const;

interface RunOptions extends SourceOptions {
  readonly case?: string;
  readonly mode: ExecutionMode;
  readonly json?: boolean;
}

/** `lockstep grape run FILE.vsm`: runs a program, alone or on the data of a case (GRAPE specification 7). */
export function declareRun(command: Command, { terminal }: Session): void {
  addScheduleOption(addSourceOptions(command))
    .option('--case <file.json>', 'chip, i particles, j records, tables and passes')
    .option(
      '--mode <mode>',
      'pipelined, as the chip is, or functional',
      wordOption('--mode', modes),
      'pipelined',
    )
    .option('--json', 'one JSON object {mode, cycles, calls, output, result} on standard output')
    .action(async (file: string, options: RunOptions) => {
      const written = await assembleFile(file, options);
      const scheduled = options.schedule ? scheduleFile(written, options) : undefined;
      const assembled = scheduled ?? written;
      terminal.err(assembled.expansion.stdout);
      terminal.err(diagnosticLines(assembled));
      if (scheduled) terminal.err(scheduleLines(scheduled));
      const given = options.case === undefined ? undefined : parseCase(readInput(options.case), options.case);
      const library = libraryOf(assembled, { ...given?.config, mode: options.mode });
      const result =
        given === undefined
          ? alone(library)
          : asUsage(options.case, () => onData(library, assembled.program.type, given));
      const { calls, outputs } = library;
      const cycles = calls.reduce((sum, one) => sum + one.cycles, 0);
      if (options.json)
        terminal.out(
          `${JSON.stringify({ mode: options.mode, cycles, calls, output: outputs, result }, plain)}\n`,
        );
      else
        terminal.out(
          `${outputs.map(line).join('')}${result.map((one) => `${JSON.stringify(one, plain)}\n`).join('')}`,
        );
      for (const { why } of library.simulation.outcome.violations) terminal.err(`${file}: ${why}\n`);
      terminal.err(`${file}: ${cycles} cycles, ${result.length} results, ${options.mode}\n`);
    });
}

const line = (output: Output): string => `${outputText(output)}\n`;

const plain = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

/** The chip with a program. Errors: `UsageError` for a program that names what the chip does not have. */
function libraryOf({ file, program }: AssembledFile, config: Partial<GrapeConfig>): GrapeLibrary {
  try {
    return new GrapeLibrary(program, config);
  } catch (error) {
    if (!(error instanceof ChipMisfit)) throw error;
    throw new UsageError(
      `${file}: ${error.message}`,
      'name a block and a PE that are there, or give a larger chip: the config of --case has nBB and nPE',
    );
  }
}

/** Runs on the data of a case. Errors: `UsageError` for values that the program's members cannot hold. */
function asUsage<T>(file: string | undefined, run: () => T): T {
  try {
    return run();
  } catch (error) {
    // The machine in time says in which handling it was thrown.
    const found = error instanceof Error && error.cause !== undefined ? error.cause : error;
    if (!(found instanceof HostValueError)) throw error;
    throw new UsageError(
      `${file}: ${found.message}`,
      'the header that `lockstep grape asm --header` writes has the types',
    );
  }
}

/** Runs what the stand-alone simulator runs: everything once, in order. */
function alone(library: GrapeLibrary): readonly object[] {
  library.runAlone();
  return [];
}

function onData(
  library: GrapeLibrary,
  type: 1 | 2,
  { tables, i, j, run }: ReturnType<typeof parseCase>,
): readonly unknown[] {
  library.init();
  for (const [num, record] of Object.entries(tables)) library.sendHltData(Number(num), record);
  library.registerIParticleConversion();
  for (const [at, record] of j.entries()) library.sendJParticle(record, at);
  if (library.sendIParticle(i) !== 0)
    throw new UsageError(
      `found ${i.length} i particles, expected at most ${4 * library.numberOfPe()}: four a PE`,
      'send fewer, or configure more PEs (config.nPE)',
    );
  if (type === 2) {
    const out: HostValue[] = [];
    library.type2Run(run, out);
    return out;
  }
  library.run(run);
  return library.getResult();
}
