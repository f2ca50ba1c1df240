import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { TraceError } from '../../actors/chiplet/interchiplet/located-line.ts';
import { MessageFileError } from '../../machines/chiplet/message-files.ts';
import type { RunFile } from '../../machines/chiplet/run-directory.ts';
import { type RunDirectory, readRunDirectory } from '../../machines/chiplet/run-directory-reading.ts';
import { systemConfig } from '../../machines/chiplet/system-config.ts';
import { networkOfTrace } from '../../machines/chiplet/system-network.ts';
import type { Session } from '../command.ts';
import { naturalOption } from '../natural-option.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';
import { configOf, numbers, type PopnetOptions } from './popnet.ts';

type CombineWords = PopnetOptions & {
  readonly sync?: number;
  readonly cpuWatts: number;
  readonly bufferNameOrder: 'sender-first' | 'receiver-first';
  readonly json?: boolean;
};

const usage = 'DIR [-A 4 -V 3 -B 12 -O 12 -F 4 -L 1000 -T 20000 -r 1 -R 0] [--sync N]';

/** `lockstep chiplet combine DIR`: the network on the traces of a run directory, and total cycles and power (chiplet specification 6, 11). */
export function declareCombine(command: Command, session: Session): void {
  command.argument('<folder>', 'a run directory: bench or bench.x.y, console lines, power reports, buffers');
  for (const [letter, what] of numbers) command.option(`-${letter} <number>`, what);
  command
    .option('--sync <count>', 'synchronisations of formula A', naturalOption('--sync'))
    .option('--cpu-watts <watts>', 'power of the CPU chiplets', naturalOption('--cpu-watts'), 0)
    .option(
      '--buffer-name-order <order>',
      'which address comes first in the name of a buffer file: sender-first or receiver-first',
      wordOption('--buffer-name-order', ['sender-first', 'receiver-first']),
      'sender-first',
    )
    .option('--json', 'one JSON object on standard output')
    .action((folder: string, words: CombineWords) => {
      combine(folder, words, session);
    });
}

function combine(folder: string, words: CombineWords, { terminal }: Session): void {
  const read = filesOf(folder, words);
  if (read.trace.length === 0) refuseWithoutPackets(folder);
  const mesh = configOf({ c: '2', ...words, json: undefined } as unknown as PopnetOptions, usage);
  const away = read.trace.findIndex(({ src, dst }) => [...src, ...dst].some((one) => one >= mesh.A));
  if (away >= 0)
    throw new UsageError(
      `E-ADDR ${folder}: found (${read.trace[away]!.src.join(', ')}) to (${read.trace[away]!.dst.join(', ')}) in line ${away + 1} of the merged trace`,
      `coordinates from 0 to ${mesh.A - 1}; -A gives the routers in each dimension`,
    );
  const config = systemConfig.parse({
    network: mesh,
    chiplets: [{ x: 0, y: 0, kind: 'cpu', program: 'none' }],
  });
  const { result } = networkOfTrace(config, read.trace);
  const gpuCycles = Math.max(0, ...read.cycles.map(({ cycles }) => cycles));
  const gpuWatts = read.watts.reduce((sum, { watts }) => sum + watts, 0);
  const totals = {
    packets: result.finished,
    avgDelay: result.avgDelay,
    gpuCycles,
    ...(words.sync !== undefined && { formulaA: words.sync * result.avgDelay + gpuCycles }),
    formulaB: 16 * result.avgDelay + gpuCycles,
    power: {
      gpu: gpuWatts,
      cpu: words.cpuWatts,
      network: result.totalPower,
      total: gpuWatts + words.cpuWatts + result.totalPower,
    },
    buffers: read.buffers.map(({ source, target, values }) => ({ source, target, values: values.length })),
    ...(read.synchronization && { synchronization: read.synchronization }),
  };
  terminal.err(
    `packets: ${result.finished} of ${read.trace.length}, average delay ${result.avgDelay.toFixed(4)}\n`,
  );
  if (totals.formulaA !== undefined) terminal.err(`formula A: ${totals.formulaA.toFixed(3)} cycles\n`);
  terminal.err(`formula B: ${totals.formulaB.toFixed(3)} cycles\n`);
  terminal.err(`total power: ${totals.power.total.toPrecision(6)} W\n`);
  if (words.json) terminal.out(`${JSON.stringify(totals)}\n`);
}

function refuseWithoutPackets(folder: string): never {
  const traces = [folder, join(folder, 'trace')].flatMap((one) =>
    existsSync(one)
      ? readdirSync(one)
          .sort()
          .map((name) => join(one, name))
      : [],
  );
  const empty = traces.find((name) => /^bench(\.\d+\.\d+)?$/.test(basename(name)));
  if (empty === undefined)
    throw new UsageError(`E-FILE ${folder}: found no file of a trace`, 'a file bench, or files bench.x.y');
  throw new UsageError(
    `E-FILE ${empty}: found no packet`,
    'a line for each packet: time, source, target, flits',
  );
}

/** The files of a folder, and of `trace/` in it. Errors: E-FILE, E-TRACE, with file and line. */
function filesOf(folder: string, { bufferNameOrder }: CombineWords): RunDirectory {
  const textsIn = (path: string): readonly RunFile[] =>
    readdirSync(path)
      .filter((name) => statSync(join(path, name)).isFile())
      .sort()
      .map((name) => ({ name, text: readInput(join(path, name)) }));
  let files: readonly RunFile[];
  try {
    const own = textsIn(folder);
    const traces = readdirSync(folder).includes('trace') ? textsIn(join(folder, 'trace')) : [];
    files = [...own, ...traces];
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`E-FILE ${folder}: found no folder that can be read`, 'give a run directory');
  }
  try {
    return readRunDirectory(files, bufferNameOrder);
  } catch (error) {
    if (error instanceof MessageFileError)
      throw new UsageError(
        `${error.code} ${join(folder, error.file)}:${error.line}: found ${JSON.stringify(error.found)}`,
        `expected ${error.expected}`,
      );
    if (error instanceof TraceError) {
      const [what = '', help = ''] = error.message.split('\n  help: ');
      throw new UsageError(what, help);
    }
    throw error;
  }
}
