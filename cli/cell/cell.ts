import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'workload',
    summary: 'run a workload and write its result (cell-workload/1, cell-result/1)',
    load: async () => (await import('./workload.ts')).declareWorkload,
  },
  {
    name: 'arb',
    summary: 'total waits of arbitration instances under the policies (cell-arb/1)',
    load: async () => (await import('./arb.ts')).declareArb,
  },
  {
    name: 'check',
    summary: 'judge an event log against the invariants CK-01 to CK-28 (cell-log/1)',
    load: async () => (await import('./check.ts')).declareCheck,
  },
];

/** `lockstep cell VERB`: the verbs of the Cell ring machine. */
export const declareCell = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
