import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Place } from '../../actors/chiplet/interchiplet/place.ts';
import type { Place as FilePlace } from '../errors.ts';
import { explainIssues } from '../explain.ts';
import { LocatedDocument } from '../located-document.ts';
import { didYouMean } from '../nearest.ts';

/** A mistake in a benchmark file: place, code, what was found and expected, and what helps (chiplet specification 13). */
export class BenchFileError extends Error {
  override readonly name = 'BenchFileError';
  constructor(
    readonly code: 'E-YAML' | 'E-PROG' | 'E-FILE' | 'E-OPT' | 'E-ADDR',
    at: FilePlace,
    what: string,
    readonly help: string,
  ) {
    super(`${at.file}:${at.line}:${at.column} ${code} ${what}`);
  }
}

/** One process of a benchmark, its names replaced. */
export interface BenchProcess {
  readonly cmd: string;
  readonly args: readonly string[];
  /** File that takes what the process writes; relative to its working directory. */
  readonly log: string;
  /** True when what it writes is shown as well. */
  readonly isToStdout: boolean;
  /** Its clock divided by the clock of the system. */
  readonly clockRate: number;
  /** Files that are copied into its working directory. */
  readonly preCopy: readonly string[];
  /** A file of steps instead of a program: an extension of Lockstep. */
  readonly script?: string;
  /** Base name of the program: of the one behind `--` for run-sniper. */
  readonly program: string;
  /** Where it stands in the file, and its command. */
  readonly at: FilePlace;
  readonly commandAt: FilePlace;
}

/** A benchmark file, read (chiplet specification 9.8). */
export interface BenchFile {
  readonly file: string;
  readonly phase1: readonly BenchProcess[];
  readonly phase2: readonly BenchProcess[];
  /** What is ignored, in words. */
  readonly notices: readonly string[];
}

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const processSchema = z.looseObject({
  cmd: z.string().min(1).optional().describe('the program'),
  args: z.array(word).default([]).describe('its arguments; the last two numbers are the chiplet'),
  log: z.string().default('').describe('file for what it writes'),
  is_to_stdout: z.boolean().default(false).describe('whether what it writes is shown'),
  clock_rate: z.number().positive().describe('its clock divided by the clock of the system'),
  pre_copy: z.string().optional().describe('files for its working directory, separated by blanks'),
  script: z.string().min(1).optional().describe('file of steps instead of a program'),
});
const fileSchema = z.looseObject({
  phase1: z.array(processSchema).min(1).describe('processes of chiplets'),
  phase2: z.array(processSchema).min(1).describe('the network'),
});
type Parsed = z.output<typeof processSchema>;

const ignoredKeys = ['bench_file', 'delayinfo_file'];

/**
 * Reads a benchmark file. `simulatorRoot` stands for `$SIMULATOR_ROOT`; undefined when nobody has said it.
 *
 * Errors: `BenchFileError` E-YAML with place, for the first mistake.
 */
export function parseBenchFile(text: string, file: string, simulatorRoot: string | undefined): BenchFile {
  const document = new LocatedDocument(text, file);
  const refuse = (at: FilePlace, what: string, help: string): never => {
    throw new BenchFileError('E-YAML', at, what, help);
  };
  for (const error of document.errors) refuse(error.at, error.what, error.help);
  const parsed = fileSchema.safeParse(document.data, { reportInput: true });
  if (!parsed.success) {
    const [first] = explainIssues(parsed.error.issues, fileSchema, document);
    return refuse(
      first?.at ?? document.at([]),
      first?.what ?? 'found no benchmark',
      first?.help ?? benchForm,
    );
  }
  const notices: string[] = [];
  const known = Object.keys(processSchema.shape);
  const read = (phase: 'phase1' | 'phase2'): readonly BenchProcess[] =>
    parsed.data[phase].map((one, index) => {
      const path = [phase, index];
      for (const key of Object.keys(one).filter((name) => !known.includes(name))) {
        const { line, column } = document.ofKey(path, key);
        notices.push(
          `${file}:${line}:${column} the key "${key}" is ignored; ${didYouMean(key, known, 'keys of a process')}`,
        );
      }
      if (one.cmd === undefined && one.script === undefined)
        refuse(document.at(path), 'found neither "cmd" nor "script"', 'name a program, or a file of steps');
      return processOf(one, document, path, replacing(file, simulatorRoot, refuse));
    });
  const result = { file, phase1: read('phase1'), phase2: read('phase2'), notices };
  for (const key of Object.keys(parsed.data))
    if (key !== 'phase1' && key !== 'phase2' && !ignoredKeys.includes(key))
      notices.push(`${file}:${document.ofKey([], key).line}:1 the key "${key}" is ignored`);
  return result;
}

const benchForm = 'a benchmark has the lists phase1 and phase2';

type Replace = (text: string, at: FilePlace) => string;

const replacing =
  (
    file: string,
    simulatorRoot: string | undefined,
    refuse: (at: FilePlace, what: string, help: string) => never,
  ): Replace =>
  (text, at) =>
    text
      .replaceAll('$BENCHMARK_ROOT', resolve(dirname(file)))
      .replaceAll('$SIMULATOR_ROOT', () =>
        simulatorRoot === undefined
          ? refuse(at, 'found $SIMULATOR_ROOT, which the environment does not have', 'set SIMULATOR_ROOT')
          : simulatorRoot,
      );

function processOf(
  one: Parsed,
  document: LocatedDocument,
  path: readonly (string | number)[],
  replace: Replace,
): BenchProcess {
  const cmd = replace(one.cmd ?? '', document.at([...path, 'cmd']));
  const args = one.args.map((arg, index) => replace(arg, document.at([...path, 'args', index])));
  const behind = args[args.indexOf('--') + 1];
  const wrapped = basename(cmd) === 'run-sniper' && args.includes('--') ? behind : undefined;
  return {
    cmd,
    args,
    log: replace(one.log, document.at([...path, 'log'])),
    isToStdout: one.is_to_stdout,
    clockRate: one.clock_rate,
    preCopy: replace(one.pre_copy ?? '', document.at([...path, 'pre_copy']))
      .split(/\s+/)
      .filter((name) => name !== ''),
    ...(one.script !== undefined && {
      script: resolve(dirname(document.file), replace(one.script, document.at([...path, 'script']))),
    }),
    program: basename(wrapped ?? cmd),
    at: document.at(path),
    commandAt: document.at([...path, one.script === undefined ? 'cmd' : 'script']),
  };
}

/** The chiplet of a process: the last two numbers of its arguments. Errors: E-YAML when there are none. */
export function placeOfProcess({ args, at }: BenchProcess): Place {
  const numbers = args.filter((arg) => /^\d{1,2}$/.test(arg)).slice(-2);
  if (numbers.length < 2)
    throw new BenchFileError(
      'E-YAML',
      at,
      `found the arguments ${JSON.stringify(args)}, expected two numbers from 0 to 99 at their end`,
      'the last two numbers are the x and the y of the chiplet',
    );
  return { x: Number(numbers[0]), y: Number(numbers[1]) };
}
