import type { Command } from 'commander';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { addSourceOptions, assembleFile, diagnosticLines, type SourceOptions } from './source-file.ts';

/** `lockstep grape lint FILE.vsm`: hazards and warnings; exit code 1 when there are any. */
export function declareLint(command: Command, session: Session): void {
  addSourceOptions(command)
    .option('--json', 'one JSON object {file, diagnostics} on standard output')
    .action(async (file: string, options: SourceOptions & { readonly json?: boolean }) => {
      const assembled = await assembleFile(file, options);
      const { diagnostics } = assembled;
      if (options.json) session.terminal.out(`${JSON.stringify({ file, diagnostics })}\n`);
      session.terminal.err(diagnosticLines(assembled) || `${file}: no hazards, no warnings\n`);
      session.exitCode = diagnostics.length === 0 ? exitCodes.ok : exitCodes.failed;
    });
}
