import type { Command } from 'commander';
import { midFileText, readMidFile } from '../../actors/sunway/tasks/task-pool-state.ts';
import type { Session } from '../command.ts';
import { readInputBytes } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';

/** `lockstep sunway readmid FILE` (Sunway specification 5.7). */
export function declareReadmid(command: Command, session: Session): void {
  command
    .argument('<file>', 'a mid file: a byte a block, 1 when all its tasks are done')
    .option('--json', 'one JSON object {blocks, done, bytes} on standard output')
    .action((file: string, { json }: { readonly json?: boolean }) => {
      const bytes = readInputBytes(file);
      const other = bytes.findIndex((byte) => byte > 1);
      if (other >= 0)
        throw new UsageError(
          `${file}: found byte ${bytes[other]} at ${other}, expected 0 or 1`,
          'a pool refuses this file; give task_fetch a new name, or remove it',
        );
      const read = readMidFile(bytes);
      session.terminal.out(json ? `${JSON.stringify(read)}\n` : `${midFileText(read)}\n`);
    });
}
