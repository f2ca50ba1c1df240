import { z } from 'zod';
import { coordinator } from '../../actors/protocols/coordinator.ts';
import { participant } from '../../actors/protocols/participant.ts';
import { recoverableProtocol } from '../../actors/protocols/recoverable-protocol.ts';
import { stableLog } from '../../actors/protocols/stable-log.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { noPrograms } from './no-programs.ts';
import type { TwoPhaseCommitResult } from './two-phase-commit.ts';

const config = z.strictObject({
  resourceManagers: z.int().min(1).max(8).default(2).describe('who must all commit or all abort'),
  log: z
    .enum(['kept', 'lost'])
    .default('kept')
    .describe('whether a promise that a resource manager has written down is there after a crash'),
  patienceTicks: z
    .int()
    .min(1)
    .max(1000)
    .default(4)
    .describe('ticks after which the transaction manager takes votes that have not come for no'),
});

/** Configuration of two-phase commit with crashes. */
export type RecoverableCommitConfig = z.output<typeof config>;

const isResourceManager = (actor: string) => actor.startsWith('ResourceManager[');

/**
 * Two-phase commit over messages that take a tick, whose resource managers may crash and begin anew.
 *
 * Details: what goes wrong is in the faults of a scenario; each resource manager has a log, and nothing else of it is left after a crash. With a kept log all agree
 * whatever crashes; a lost message is more than it can bear, since nothing is sent twice.
 */
export const recoverableCommit: Machine<RecoverableCommitConfig, readonly unknown[], TwoPhaseCommitResult> = {
  name: 'recoverable-commit',
  config,
  programs: noPrograms,
  mutants: new Map(),
  protocol: recoverableProtocol,
  crashable: isResourceManager,
  assemble: ({ config: { resourceManagers: count, log, patienceTicks } }) => {
    const wiring = new Wiring();
    const { ResourceManager, Log, TransactionManager } = recoverableProtocol.roles;
    const rms = ResourceManager.reserve(wiring, count);
    const logs = Log.reserve(wiring, count);
    const manager = TransactionManager.reserve(wiring);
    for (const [number, self] of rms.entries()) {
      wiring.place(self, participant, { self, coordinator: manager, log: logs[number]! });
      wiring.place(logs[number]!, stableLog, { owner: self, keeps: log === 'kept' });
    }
    wiring.place(manager, coordinator, { self: manager, participants: rms, patienceTicks });
    wiring.begin({ to: manager, type: 'transaction.begin' });
    return {
      wiring,
      result: (run) => ({
        manager: run.part(manager).configuration.name,
        resourceManagers: rms.map((rm) => run.part(rm).configuration.name),
      }),
    };
  },
  figures: ({ manager, resourceManagers }) => [
    { label: 'transaction manager', value: manager },
    { label: 'resource managers', value: resourceManagers.join(', ') },
  ],
};
