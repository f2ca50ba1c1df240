import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'calibrate',
    summary: 'published measurements beside what the machine comes to, with tolerances and fit figures',
    load: async () => (await import('./calibrate.ts')).declareCalibrate,
  },
];

/** `lockstep sunway VERB`: measurements and files of the Sunway machine. */
export const declareSunway = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
