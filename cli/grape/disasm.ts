import type { Command } from 'commander';
import { disassemble } from '../../machines/grape/assembler/disassemble.ts';
import type { Session } from '../command.ts';
import { writeOutput } from '../output.ts';
import { addSourceOptions, assembleFile, type SourceOptions } from './source-file.ts';

/** `lockstep grape disasm FILE.vsm`: the canonical text of a program (GRAPE specification 3.9). */
export function declareDisasm(command: Command, { terminal }: Session): void {
  addSourceOptions(command)
    .option('--out <file>', 'write it there instead of to standard output')
    .action(async (file: string, options: SourceOptions & { readonly out?: string }) => {
      const text = disassemble((await assembleFile(file, options)).program);
      if (options.out === undefined) terminal.out(text);
      else writeOutput(terminal, options.out, text);
    });
}
