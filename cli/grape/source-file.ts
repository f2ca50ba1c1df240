import { basename } from 'node:path';
import type { Command } from 'commander';
import { type Assembled, assemble } from '../../machines/grape/assembler/assemble.ts';
import { AssemblyError, tellDiagnostic } from '../../machines/grape/assembler/diagnostics.ts';
import { disassemble } from '../../machines/grape/assembler/disassemble.ts';
import { MacroError } from '../../machines/grape/macros/errors.ts';
import { expandMacros, hasMacros } from '../../machines/grape/macros/expand.ts';
import type { Expansion } from '../../machines/grape/macros/interpreter.ts';
import { expandWith, type RubyVm } from '../../machines/grape/macros/real-ruby.ts';
import { type Scheduled, schedule } from '../../machines/grape/schedule/schedule.ts';
import { ScheduleError } from '../../machines/grape/schedule/schedule-error.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';
import { rubyCure, startRuby } from './real-ruby.ts';

/**
 * Who evaluates macros: Lockstep's own evaluator and a real Ruby for what it does not support, or one of them alone
 * (GRAPE specification 5).
 */
export const rubyChoices = ['auto', 'own', 'real'] as const;
type RubyChoice = (typeof rubyChoices)[number];

/** Options that decide how a source is read (GRAPE specification 3.9). */
export interface SourceOptions {
  readonly g?: boolean;
  readonly t?: boolean;
  readonly e?: Readonly<Record<string, string>>;
  readonly legacy?: boolean;
  readonly strictHazards?: boolean;
  readonly schedule?: boolean;
  readonly ruby?: RubyChoice;
}

/** Adds the options that all verbs on sources share. */
export function addSourceOptions(command: Command): Command {
  return command
    .argument('<file.vsm>', 'a VSM source')
    .option('-g', 'a type I program: passes over j particles, data moved by the library')
    .option('-t', 'a type II program: idp and rrn move the data')
    .option('-e <name=value>', 'a macro variable; may be repeated', define)
    .option(
      '--ruby <which>',
      `who evaluates macros: own, real (CRuby in WebAssembly, an optional package), or auto: own, real for what own does not support`,
      wordOption('--ruby', rubyChoices),
      'auto',
    )
    .option('--legacy', "let through what the manual's own samples do against its rules")
    .option('--strict-hazards', 'hazards are errors');
}

function define(word: string, known: Readonly<Record<string, string>> = {}): Record<string, string> {
  const match = /^([A-Za-z_]\w*)=(.+)$/.exec(word);
  if (!match)
    throw new UsageError(`-e found "${word}", expected name=value`, 'write for example -e stride=2');
  return { ...known, [match[1]!]: match[2]! };
}

/** A source, expanded and assembled. */
export interface AssembledFile extends Assembled {
  readonly file: string;
  /** The file's name without its ending. */
  readonly base: string;
  readonly expansion: Expansion;
}

/** Reads, expands and assembles a file. Errors: `UsageError` with the located text of the first error. */
export async function assembleFile(file: string, options: SourceOptions): Promise<AssembledFile> {
  if (options.g && options.t)
    throw new UsageError('found -g and -t, expected one of them', 'a program is of type I or of type II');
  const source = readInput(file);
  const expansion = await expanded(source, file, options).catch((error: unknown) => {
    if (!(error instanceof MacroError)) throw error;
    throw new UsageError(error.message, lineHelp(source, error.line));
  });
  try {
    const assembled = assemble(expansion.text, {
      file,
      legacy: options.legacy ?? false,
      // What is scheduled may have hazards before.
      strictHazards: (options.strictHazards ?? false) && !options.schedule,
      ...(options.g && { type: 1 as const }),
      ...(options.t && { type: 2 as const }),
    });
    return { ...assembled, file, base: basename(file).replace(/\.(vsm|vsb)$/, ''), expansion };
  } catch (error) {
    if (!(error instanceof AssemblyError)) throw error;
    throw new UsageError(
      error.message,
      assembledLineHelp(source, expansion.text, file, error.diagnostic.line),
    );
  }
}

/** Characters of a line that are shown. */
const shownMax = 200;

/** Shows the line that a message is about. */
function lineHelp(text: string, line: number): string {
  const whole = text.split('\n')[line - 1]?.trim() ?? '';
  return `line ${line} is: ${whole.length > shownMax ? `${whole.slice(0, shownMax)}…` : whole}`;
}

/** As `lineHelp`, for a line that the assembler or the scheduler saw: after macro expansion, where there are macros. */
const assembledLineHelp = (source: string, text: string, file: string, line: number): string =>
  hasMacros(source)
    ? `${lineHelp(text, line)}; it counts after macro expansion: see lockstep grape asm ${file} --expand`
    : lineHelp(text, line);

/**
 * The text of a source after its macros.
 *
 * Details: a real Ruby is started only when it is asked for, or when the own evaluator meets what it does not support. Errors: `MacroError`;
 * `UsageError` for a real Ruby that is needed and not there, with the cure.
 */
export async function expanded(
  source: string,
  file: string,
  { e = {}, ruby = 'auto' }: Pick<SourceOptions, 'e' | 'ruby'>,
  start: () => Promise<RubyVm | undefined> = startRuby,
): Promise<Expansion> {
  if (ruby === 'real' && hasMacros(source)) {
    const vm = await start();
    if (vm === undefined) throw new UsageError('--ruby real found no real Ruby', rubyCure);
    return expandWith(vm, source, e, file);
  }
  try {
    return await expandMacros(source, e, file);
  } catch (error) {
    if (ruby !== 'auto' || !(error instanceof MacroError) || !isRubysAffair(error)) throw error;
    const vm = await start();
    if (vm === undefined && error.kind === 'Unsupported')
      throw new UsageError(error.message, `or let a real Ruby evaluate it; ${rubyCure}`);
    if (vm === undefined) throw error;
    return expandWith(vm, source, e, file);
  }
}

/** True when a real Ruby may know what the own evaluator does not: what it has no support for, constants, methods. */
const isRubysAffair = ({ kind, what }: MacroError): boolean =>
  kind === 'Unsupported' || kind === 'NoMethodError' || what.startsWith('uninitialized constant');

/** What the assembler had to say, a line each. */
export const diagnosticLines = ({ file, diagnostics }: AssembledFile): string =>
  diagnostics.map((one) => `${tellDiagnostic(file, one)}\n`).join('');

/** The option of verbs that can schedule a source (GRAPE specification 15). */
export const addScheduleOption = (command: Command): Command =>
  command.option(
    '--schedule',
    'take the source as written for functional mode, and reorder it for the machine',
  );

/** A source that was scheduled. */
export interface ScheduledFile extends AssembledFile {
  readonly figures: Scheduled['figures'];
}

/**
 * Schedules a source: its program and its text are the scheduled ones then, in canonical form.
 *
 * Details: what is said of it is about the source as written, without its hazards, which scheduling is
 * there for.
 *
 * Errors: `UsageError` for one that has no schedule.
 */
export function scheduleFile(written: AssembledFile, { legacy = false }: SourceOptions): ScheduledFile {
  const { file, program, diagnostics, expansion } = written;
  try {
    const { program: scheduled, figures } = schedule(program);
    const text = disassemble(scheduled);
    return {
      ...written,
      ...assemble(text, { file, legacy, type: program.type }),
      diagnostics: diagnostics.filter(({ code }) => !code.startsWith('H_')),
      expansion: { ...expansion, text },
      figures,
    };
  } catch (error) {
    if (error instanceof ScheduleError)
      throw new UsageError(
        `${file}:${error.message}`,
        assembledLineHelp(readInput(file), expansion.text, file, error.line),
      );
    throw error;
  }
}

/** Slots of each section with code: as written, with nops, scheduled, and what is the least. */
export function scheduleLines({ file, figures }: ScheduledFile): string {
  return Object.entries(figures)
    .filter(([, { written, scheduled }]) => written > 0 || scheduled > 0)
    .map(([name, { written, withNops, scheduled, bounds }]) => {
      const nops = withNops === undefined ? 'nops alone do not help' : `${withNops} with nops`;
      const least = `at least ${bounds.units} by units, ${bounds.path} by the longest chain`;
      return `${file}: ${name}: ${written} slots as written, ${nops}, ${scheduled} scheduled; ${least}\n`;
    })
    .join('');
}
