import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'asm',
    summary:
      'assemble a VSM source: diagnostics, listing, object form, C header and source, TypeScript types, schedule',
    load: async () => (await import('./asm.ts')).declareAsm,
  },
  {
    name: 'disasm',
    summary: 'print the canonical text of a VSM source',
    load: async () => (await import('./disasm.ts')).declareDisasm,
  },
  {
    name: 'lint',
    summary: 'hazards and warnings of a VSM source',
    load: async () => (await import('./lint.ts')).declareLint,
  },
  {
    name: 'run',
    summary: 'run a VSM program, alone or on the data of a case',
    load: async () => (await import('./run.ts')).declareRun,
  },
  {
    name: 'leapfrog',
    summary: 'follow bodies under their own gravity with forces from the chip, and compare their energy',
    load: async () => (await import('./leapfrog.ts')).declareLeapfrog,
  },
];

/** `lockstep grape VERB`: assembler and chip of the GRAPE machine. */
export const declareGrape = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
