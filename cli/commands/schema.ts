import type { Command } from 'commander';
import { scenarioJsonSchema } from '../../scenarios/schema.ts';
import type { Session } from '../command.ts';
import { machineNamed } from '../machine-named.ts';
import { standardOutput, writeOutput } from '../output.ts';

/** `lockstep schema MACHINE` (design, section 7). */
export function declareSchema(command: Command, { terminal }: Session): void {
  command
    .argument('<machine>', 'name of a machine, see `lockstep list`')
    .option('--out <file>', 'write it there instead of to standard output')
    .action(async (name: string, { out }: { out?: string }) => {
      const text = `${JSON.stringify(scenarioJsonSchema(await machineNamed(name)), null, 2)}\n`;
      if (out === undefined || out === standardOutput) terminal.out(text);
      else {
        writeOutput(terminal, out, text);
        terminal.err(`schema written: ${out}\n`);
      }
    });
}
