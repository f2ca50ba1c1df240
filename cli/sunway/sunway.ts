import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'calibrate',
    summary:
      'published measurements beside what the machine comes to; with --fidelity flit, flits beside the formulas',
    load: async () => (await import('./calibrate.ts')).declareCalibrate,
  },
  {
    name: 'races',
    summary: 'programs without races under schedules at random: the race detector may report none',
    load: async () => (await import('./races/races.ts')).declareRaces,
  },
  {
    name: 'run',
    summary: 'run a scenario as a job with real files: mid files and what CPEs append',
    load: async () => (await import('./run-job.ts')).declareRunJob,
  },
  {
    name: 'bsignal',
    summary: 'stop a running job: 34 lets no more tasks be handed out, 35 ends it at once',
    load: async () => (await import('./bsignal.ts')).declareBsignal,
  },
  {
    name: 'readmid',
    summary: 'how many blocks a mid file has, and how many are complete',
    load: async () => (await import('./readmid.ts')).declareReadmid,
  },
];

/** `lockstep sunway VERB`: measurements and files of the Sunway machine. */
export const declareSunway = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
