import { dirname, join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { emitHeader } from '../../machines/grape/assembler/header.ts';
import { listing, programJson } from '../../machines/grape/assembler/listing.ts';
import { emitSource } from '../../machines/grape/assembler/source.ts';
import { emitTypes } from '../../machines/grape/assembler/types.ts';
import type { Session } from '../command.ts';
import { writeOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';
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

interface AsmOptions extends SourceOptions {
  readonly listing?: boolean;
  readonly expand?: boolean;
  readonly object?: string;
  readonly header?: string;
  readonly source?: string;
  readonly types?: string;
  readonly json?: boolean;
}

/** `lockstep grape asm FILE.vsm`: assembles, tells what there is to say, writes what is asked for. */
export function declareAsm(command: Command, { terminal }: Session): void {
  addScheduleOption(addSourceOptions(command))
    .option('--listing', 'print the listing on standard output')
    .option(
      '--expand',
      'print the text after macro expansion on standard output; with --schedule, the scheduled text',
    )
    .option('--object <file.json>', 'write the object form')
    .option('--header <file.h>', 'write the C header of the host interface')
    .option(
      '--source <file.c>',
      'write the C source of the host interface; without --header, its header beside it',
    )
    .option('--types <file.ts>', 'write the records of the host interface as TypeScript')
    .option('--json', 'one JSON object {file, diagnostics, used, slots, program} on standard output')
    .action(async (file: string, options: AsmOptions) => {
      const printed = (['listing', 'expand'] as const).find((one) => options[one]);
      if (options.json && printed)
        throw new UsageError(
          `found --json and --${printed}, expected one of them on standard output`,
          'call it once for each',
        );
      const written = await assembleFile(file, options);
      const scheduled = options.schedule ? scheduleFile(written, options) : undefined;
      const assembled = scheduled ?? written;
      const { program, expansion, base, diagnostics, used } = assembled;
      terminal.err(expansion.stdout);
      terminal.err(diagnosticLines(assembled));
      if (options.object !== undefined) writeOutput(terminal, options.object, `${programJson(program)}\n`);
      const header = headerOf(options, base);
      if (header !== undefined) writeOutput(terminal, header, emitHeader(program, base));
      if (options.source !== undefined)
        writeOutput(
          terminal,
          options.source,
          emitSource(program, base, includePath(options.source, header!)),
        );
      if (options.types !== undefined) writeOutput(terminal, options.types, emitTypes(program, base));
      if (scheduled) terminal.err(scheduleLines(scheduled));
      const asText = scheduled && !options.listing && !options.json;
      if (options.expand || asText) terminal.out(expansion.text);
      if (options.listing) terminal.out(listing(expansion.text, file, assembled));
      if (options.json)
        terminal.out(
          `${JSON.stringify({ file, diagnostics, used, slots: slotsBySection(assembled), program: JSON.parse(programJson(program)) })}\n`,
        );
      terminal.err(summary(assembled));
    });
}

/** Where the header goes: a source includes it, so that it is written with one. */
const headerOf = ({ header, source }: AsmOptions, base: string): string | undefined =>
  header ?? (source === undefined ? undefined : join(dirname(source), `${base}.h`));

/** The path by which a file includes another: from its own folder, with slashes on every system. */
const includePath = (from: string, to: string): string => relative(dirname(from), to).split(sep).join('/');

function slotsBySection({ program }: AssembledFile): Record<string, number> {
  return Object.fromEntries(
    Object.entries(program.sections).map(([name, items]) => [
      name,
      items.reduce((sum, item) => sum + (item.kind === 'nop' ? item.count : item.kind === 'slot' ? 1 : 0), 0),
    ]),
  );
}

function summary(assembled: AssembledFile): string {
  const { file, program, diagnostics, used } = assembled;
  const slots = Object.entries(slotsBySection(assembled)).filter(([, count]) => count > 0);
  const parts = slots.map(([name, count]) => `${name} ${count}`).join(', ') || 'no code';
  const said = diagnostics.length === 0 ? 'no diagnostics' : `${diagnostics.length} diagnostics`;
  return `${file}: type ${program.type === 1 ? 'I' : 'II'}, slots: ${parts}; ${used.lm} short words of local, ${used.bm} of broadcast memory; ${said}\n`;
}
