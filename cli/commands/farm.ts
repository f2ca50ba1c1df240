import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'add',
    summary: 'put a campaign into the database, as ranges of runs that workers take',
    load: async () => (await import('../farm/add.ts')).declareAdd,
  },
  {
    name: 'work',
    summary: 'carry out ranges until none is left; on as many computers as there are',
    load: async () => (await import('../farm/work.ts')).declareWork,
  },
  {
    name: 'status',
    summary: 'how far each campaign is, and who is at work',
    load: async () => (await import('../farm/status.ts')).declareStatus,
  },
  {
    name: 'findings',
    summary: 'what was found, each kind of failure once',
    load: async () => (await import('../farm/findings.ts')).declareFindings,
  },
  {
    name: 'show',
    summary: 'explain a finding, and write its recording',
    load: async () => (await import('../farm/show.ts')).declareShow,
  },
  {
    name: 'cancel',
    summary: 'take what is left of a campaign out of the queue; what is done stays',
    load: async () => (await import('../farm/cancel-and-retry.ts')).declareCancel,
  },
  {
    name: 'retry',
    summary: 'put what was cancelled or refused back into the queue',
    load: async () => (await import('../farm/cancel-and-retry.ts')).declareRetry,
  },
];

/** `lockstep farm VERB`: a campaign on several computers (farm specification, 3). */
export function declareFarm(command: Command, session: Session): Promise<void> {
  command.addHelpText(
    'after',
    `
Examples:
  lockstep farm add scenarios/protocols/paxos.yaml
  lockstep farm work
  lockstep farm status`,
  );
  return addCommands(command, verbs, session.words[1], session);
}
