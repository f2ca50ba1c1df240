import type { Command } from 'commander';
import type { Session } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { JobFolder, type JobSignal } from './job-folder.ts';

/** `lockstep sunway bsignal 34|35 FOLDER` (Sunway specification 5.7, 15: U7). */
export function declareBsignal(command: Command, session: Session): void {
  command
    .argument('<signal>', '34: tasks in progress end and are recorded; 35: the job ends at once')
    .argument('<folder>', 'the folder of the files of the job')
    .action((signal: string, folder: string) => {
      new JobFolder(folder).send(jobSignal(signal));
      session.terminal.err(`signal ${signal} is left for the job in ${folder}\n`);
    });
}

/** The number of a signal. Errors: `UsageError`. */
export function jobSignal(text: string): JobSignal {
  if (text === '34') return 34;
  if (text === '35') return 35;
  throw new UsageError(
    `bsignal: found "${text}", expected 34 or 35`,
    '34 lets no more tasks be handed out, 35 ends the job at once',
  );
}
