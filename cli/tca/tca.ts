import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'bench',
    summary: 'transfers over one to four channels as in the figures, beside prototype and measurements',
    load: async () => (await import('./bench.ts')).declareBench,
  },
  {
    name: 'claims',
    summary: 'what the paper claims beside what the model comes to, and which of it was fitted',
    load: async () => (await import('./claims.ts')).declareClaims,
  },
  {
    name: 'himeno',
    summary: 'the Himeno benchmark as a program of nodes: checksums, and the time of each part',
    load: async () => (await import('./himeno.ts')).declareHimeno,
  },
  {
    name: 'conformance',
    summary: 'what the public tests of GASNet assert, under settings, topologies and schedules',
    load: async () => (await import('./conformance/conformance.ts')).declareConformance,
  },
];

/** `lockstep tca VERB`: measurements of the TCA machine, and the conformance of its GASNet. */
export const declareTca = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
