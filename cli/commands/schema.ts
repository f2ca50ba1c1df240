import type { Command } from 'commander';
import { scenarioJsonSchema } from '../../scenarios/schema.ts';
import type { Session } from '../command.ts';
import { machineNamed } from '../known-machines.ts';
import { standardOutput, writeOutput } from '../output.ts';

/** `lockstep schema MACHINE` (design, section 7). */
export function declareSchema(command: Command, { terminal }: Session): void {
  command
    .argument('<machine>', 'name of a machine, see `lockstep list`, or ./file.ts#export')
    .option('--out <file>', 'write it there instead of to standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep schema cell --out out/cell.schema.json
  lockstep schema ./machine.ts#lockServer`,
    )
    .action(async (name: string, { out }: { out?: string }) => {
      const known = await machineNamed(name);
      const schema = scenarioJsonSchema(await known.load(), known.summary);
      const text = `${JSON.stringify(schema, null, 2)}\n`;
      if (out === undefined || out === standardOutput) terminal.out(text);
      else {
        writeOutput(terminal, out, text);
        terminal.err(`schema written: ${out}\n`);
      }
    });
}
