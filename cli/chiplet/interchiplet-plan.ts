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
  /** Nodes of a row, where traces have the numbers of nodes. */
  readonly width: number | undefined;
  /** What is other than the benchmark says, in words. */
  readonly notices: readonly string[];
}

/** The grid of a benchmark, as far as its user has said it. */
export interface BenchGrid {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** A command that names a program of this one, whatever files there are. */
const builtInPrefix = 'builtin:';
/** Networks that are built in. */
const networks: readonly string[] = ['popnet'];

/** Who carries a process out. */
type Chosen = InProcess | External | { readonly entry: BenchProcess; readonly missing: true };

/**
 * Decides for each process of a benchmark who carries it out: the file that its command names when that can be executed, else the built-in program of that name.
 *
 * Errors: `BenchFileError` E-PROG, E-YAML, E-OPT, E-ADDR, each with its place.
 */
export function planBench({ phase1, phase2 }: BenchFile, cwd: string, grid: BenchGrid): BenchPlan {
  const notices: string[] = [];
  const known = Object.keys(builtInPrograms);
  const chosen = phase1.map((entry) => chosenFor(entry, cwd, known, notices));
  refuseMissing(chosen, known);
  const chiplets = chosen.filter((one): one is InProcess | External => !('missing' in one));
  for (const one of chiplets) if ('place' in one) checkPlace(one, grid);
  const mixed = chiplets.some((one) => 'cmd' in one);
  return {
    phase1: mixed
      ? { kind: 'external', processes: chiplets.map((one) => ('cmd' in one ? one : asExternal(one))) }
      : { kind: 'in-process', processes: chiplets.filter((one) => 'place' in one) },
    phase2: networkOf(phase2, cwd, grid, notices),
    networkRate: phase2[0]?.clockRate ?? 1,
    width: grid.width,
    notices,
  };
}

function chosenFor(entry: BenchProcess, cwd: string, known: readonly string[], notices: string[]): Chosen {
  if (entry.script !== undefined) {
    const script = parseScript(readInput(entry.script), entry.script);
    return { entry, place: placeOfProcess(entry), script };
  }
  const external = externalOf(entry, cwd);
  if (external) return external;
  const name = builtInName(entry, known, notices);
  if (name === undefined) return { entry, missing: true };
  const place = placeOfProcess(entry);
  const script = builtInPrograms[name]!(place, entry.args.slice(0, -2));
  // It reads no files.
  return { entry: { ...entry, preCopy: [] }, place, script };
}

/** The built-in program that stands for a command without a file. */
function builtInName(
  { cmd, program, commandAt }: BenchProcess,
  known: readonly string[],
  notices: string[],
): string | undefined {
  if (cmd.startsWith(builtInPrefix)) {
    const name = cmd.slice(builtInPrefix.length);
    return known.includes(name) ? name : undefined;
  }
  if (!known.includes(program)) return undefined;
  if (cmd.includes('/'))
    notices.push(
      `${commandAt.file}:${commandAt.line}:${commandAt.column} "${cmd}" is not there: the built-in program ${program} takes its place`,
    );
  return program;
}

/** The simulator that a process belongs to, by its command; undefined when it does not say. */
function simulatorOf({ cmd, program, preCopy }: BenchProcess): string | undefined {
  if (/run-sniper$/.test(cmd)) return 'Sniper';
  if (/gem5/.test(cmd)) return 'gem5';
  if (/mnsim|^cim$/i.test(program)) return 'MNSIM';
  return /_cu$/.test(program) || preCopy.some((name) => name.includes('gpgpu-sim')) ? 'GPGPU-Sim' : undefined;
}

/** Refuses processes that nobody can carry out: all of them in one error, each program with the simulator that it needs. */
function refuseMissing(chosen: readonly Chosen[], known: readonly string[]): void {
  const missing = chosen.flatMap((one) => ('missing' in one ? [one.entry] : []));
  const [first] = missing;
  if (!first) return;
  const told = (entry: BenchProcess): string => {
    const simulator = simulatorOf(entry);
    return `"${entry.program}"${simulator === undefined ? '' : ` (${simulator})`}`;
  };
  const others = new Set(missing.slice(1).map(told));
  others.delete(told(first));
  const simulators = [...new Set(missing.flatMap((entry) => simulatorOf(entry) ?? []))];
  throw new BenchFileError(
    'E-PROG',
    first.commandAt,
    `found "${first.cmd}", which is no built-in program and no file that can be executed${others.size > 0 ? `; nor are there ${[...others].join(', ')}` : ''}`,
    simulators.length > 0
      ? `they are programs of external simulators: ${simulators.join(', ')}; build them, or give the steps of a process as "script"`
      : didYouMean(first.program, known, 'programs'),
  );
}

/** Refuses a chiplet outside of the grid. */
function checkPlace({ entry, place: { x, y } }: InProcess, { width, height }: BenchGrid): void {
  if (x < (width ?? Number.POSITIVE_INFINITY) && y < (height ?? Number.POSITIVE_INFINITY)) return;
  throw new BenchFileError(
    'E-ADDR',
    entry.at,
    `found the chiplet (${x}, ${y}) in a grid of ${width ?? 'any'} x ${height ?? 'any'} nodes`,
    'give a larger -w or -H',
  );
}

const lockstep = `${projectFolder}cli/lockstep.mjs`;

/** A process given as steps beside real ones: this program, as a process of its own. */
function asExternal({ entry, place }: InProcess): External {
  const program = entry.cmd.startsWith(builtInPrefix) ? entry.cmd.slice(builtInPrefix.length) : entry.program;
  const source = entry.script === undefined ? ['--program', program] : ['--script', entry.script];
  const args = [lockstep, 'chiplet', 'process', String(place.x), String(place.y), ...source];
  return { entry, cmd: process.execPath, args };
}

function networkOf(
  phase2: readonly BenchProcess[],
  cwd: string,
  { width }: BenchGrid,
  notices: string[],
): BenchPlan['phase2'] {
  const externals = phase2.map((entry) => externalOf(entry, cwd));
  const [first, second] = phase2;
  const name = first && !externals[0] ? builtInName(first, networks, notices) : undefined;
  if (first && name !== undefined) {
    if (second)
      throw new BenchFileError(
        'E-YAML',
        second.at,
        'found a second network, expected one',
        'keep one of them',
      );
    const config = networkOfArguments(first, cwd, width, notices);
    return { kind: 'in-process', run: popnetLatencies(config, width) };
  }
  refuseMissing(
    phase2.map((entry, at) => externals[at] ?? { entry, missing: true }),
    networks,
  );
  return { kind: 'external', processes: externals.filter((one) => one !== undefined) };
}

/** The process of a command whose file is there. */
function externalOf(entry: BenchProcess, cwd: string): External | undefined {
  const cmd = executable(entry.cmd, cwd);
  return cmd === undefined ? undefined : { entry, cmd, args: entry.args };
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
