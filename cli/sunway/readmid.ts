import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { midFileText, readMidFile } from '../../actors/sunway/tasks/task-pool-state.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';

/** `lockstep sunway readmid FILE` (Sunway specification 5.7). */
export function declareReadmid(command: Command, session: Session): void {
  command
    .argument('<file>', 'a mid file: a byte a block, 1 when all its tasks are done')
    .option('--json', 'one JSON object {blocks, done, bytes} on standard output')
    .action((file: string, { json }: { readonly json?: boolean }) => {
      const { terminal } = session;
      const bytes = bytesIn(file);
      const other = bytes.findIndex((byte) => byte > 1);
      if (other >= 0) {
        terminal.err(
          `${file}: found byte ${bytes[other]} at ${other}, expected 0 or 1\n  help: a pool refuses this file; give task_fetch a new name, or remove it\n`,
        );
        session.exitCode = exitCodes.failed;
        return;
      }
      const read = readMidFile(bytes);
      terminal.out(json ? `${JSON.stringify(read)}\n` : `${midFileText(read)}\n`);
    });
}

function bytesIn(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    // What cannot be read as bytes cannot be read as text either, and that is told in the words of every command.
    readInput(file);
    throw new UsageError(`${file}: ${String(error)}`, 'check the path and the rights of the file');
  }
}
