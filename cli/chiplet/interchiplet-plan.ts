import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Phase2 } from '../../actors/chiplet/interchiplet/hop-latencies.ts';
import type { Place } from '../../actors/chiplet/interchiplet/place.ts';
import type { Script } from '../../actors/chiplet/interchiplet/script.ts';
import { popnetLatencies } from '../../machines/chiplet/popnet-latencies.ts';
import {
  type BenchFile,
  BenchFileError,
  type BenchProcess,
  placeOfProcess,
} from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import { builtInPrograms } from '../../scenarios/chiplet/interchiplet-programs.ts';
import { parseScript } from '../../scenarios/chiplet/interchiplet-script-file.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { projectFolder } from '../project.ts';
import { readInput } from '../read-input.ts';
import { networkOfArguments } from './interchiplet-network.ts';

/** A chiplet's process that is carried out here. */
export interface InProcess {
  readonly entry: BenchProcess;
  readonly place: Place;
  readonly script: Script;
}

/** A process that is started. */
export interface External {
  readonly entry: BenchProcess;
  readonly cmd: string;
  readonly args: readonly string[];
}

/** How a benchmark is carried out. */
export interface BenchPlan {
  /** All processes of chiplets in this process, or all as processes of their own: they cannot share named pipes otherwise. */
  readonly phase1:
    | { readonly kind: 'in-process'; readonly processes: readonly InProcess[] }
    | { readonly kind: 'external'; readonly processes: readonly External[] };
  readonly phase2:
    | { readonly kind: 'in-process'; readonly run: Phase2 }
    | { readonly kind: 'external'; readonly processes: readonly External[] };
  /** Rate of the clock of the network. */
  readonly networkRate: number;
}

/** Networks by the base name of their command; each makes a network of its arguments. */
const networks: Readonly<Record<string, (entry: BenchProcess) => Phase2>> = {
  popnet: (entry) => popnetLatencies(networkOfArguments(entry)),
};

/** Decides for each process of a benchmark who carries it out. Errors: `BenchFileError` E-PROG, E-YAML, each with its place. */
export function planBench({ phase1, phase2 }: BenchFile, cwd: string): BenchPlan {
  const chiplets = phase1.map(
    (entry) => inProcessOf(entry) ?? externalOf(entry, cwd, Object.keys(builtInPrograms)),
  );
  const mixed = chiplets.some((one) => 'cmd' in one);
  return {
    phase1: mixed
      ? { kind: 'external', processes: chiplets.map((one) => ('cmd' in one ? one : asExternal(one))) }
      : { kind: 'in-process', processes: chiplets.filter((one) => 'place' in one) },
    phase2: networkOf(phase2, cwd),
    networkRate: phase2[0]?.clockRate ?? 1,
  };
}

function inProcessOf(entry: BenchProcess): InProcess | undefined {
  if (entry.script !== undefined) {
    const script = parseScript(readInput(entry.script), entry.script);
    return { entry, place: placeOfProcess(entry), script };
  }
  const program = Object.hasOwn(builtInPrograms, entry.program) ? builtInPrograms[entry.program] : undefined;
  if (!program) return undefined;
  const place = placeOfProcess(entry);
  return { entry, place, script: program(place, entry.args.slice(0, -2)) };
}

const lockstep = `${projectFolder}cli/lockstep.mjs`;

/** A process given as steps beside real ones: this program, as a process of its own. */
function asExternal({ entry, place }: InProcess): External {
  const source = entry.script === undefined ? ['--program', entry.program] : ['--script', entry.script];
  const args = [lockstep, 'chiplet', 'process', String(place.x), String(place.y), ...source];
  return { entry, cmd: process.execPath, args };
}

function networkOf(phase2: readonly BenchProcess[], cwd: string): BenchPlan['phase2'] {
  const [first, second] = phase2;
  const known = first && Object.hasOwn(networks, first.program) ? networks[first.program] : undefined;
  if (first && known) {
    if (second)
      throw new BenchFileError(
        'E-YAML',
        second.at,
        'found a second network, expected one',
        'keep one of them',
      );
    return { kind: 'in-process', run: known(first) };
  }
  return {
    kind: 'external',
    processes: phase2.map((entry) => externalOf(entry, cwd, Object.keys(networks))),
  };
}

function externalOf(entry: BenchProcess, cwd: string, known: readonly string[]): External {
  const cmd = executable(entry.cmd, cwd);
  if (cmd === undefined)
    throw new BenchFileError(
      'E-PROG',
      entry.commandAt,
      `found "${entry.cmd}", which is no built-in program and no file that can be executed`,
      didYouMean(entry.program, known, 'programs'),
    );
  return { entry, cmd, args: entry.args };
}

/** The file of a command: a path from the folder of the benchmark run, or a name on the search path. */
function executable(cmd: string, cwd: string): string | undefined {
  const { PATH = '' } = process.env;
  const folders = cmd.includes('/') ? [cwd] : PATH.split(delimiter);
  return folders
    .map((folder) => (cmd.includes('/') ? resolve(folder, cmd) : join(folder, cmd)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
