import { z } from 'zod';
import { commitProtocol } from '../../actors/protocols/commit-protocol.ts';
import { resourceManager } from '../../actors/protocols/resource-manager.ts';
import { transactionManager } from '../../actors/protocols/transaction-manager.ts';
import { turns } from '../../actors/protocols/turns.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { type CommitParts, commitMutants } from './commit-mutants.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  resourceManagers: z.int().min(1).max(16).default(3).describe('who must all commit or all abort'),
});

/** Configuration of two-phase commit. */
export type TwoPhaseCommitConfig = z.output<typeof config>;

/** How a transaction stands. */
export interface TwoPhaseCommitResult {
  /** `init`, `committed` or `aborted`. */
  readonly manager: string;
  /** By number: `working`, `prepared`, `committed` or `aborted`. */
  readonly resourceManagers: readonly string[];
}

const soundParts: CommitParts = { transactionManager, resourceManager };

/**
 * Two-phase commit: the module TwoPhase of Gray and Lamport ("Consensus on transaction commit", 2006) as actors.
 *
 * Details: each tick is one action of the module. With N resource managers there are 6^N + 4^N + 2^N states: 288 for 3, 8,832 for 5. The set of
 * messages that are never used up is in the contexts of their receivers.
 */
export const twoPhaseCommit: Machine<TwoPhaseCommitConfig, readonly unknown[], TwoPhaseCommitResult> = {
  name: 'two-phase-commit',
  config,
  programs: noPrograms,
  mutants: mutantSentences(commitMutants),
  protocol: commitProtocol,
  symmetric: 'ResourceManager',
  assemble: ({ config: { resourceManagers: count }, mutants }) => {
    const parts = withMutants(soundParts, commitMutants, mutants);
    const wiring = new Wiring();
    const { ResourceManager, TransactionManager, Turns } = commitProtocol.roles;
    const rms = ResourceManager.reserve(wiring, count);
    const manager = TransactionManager.reserve(wiring);
    const scheduler = Turns.reserve(wiring);
    for (const [number, self] of rms.entries())
      wiring.place(self, parts.resourceManager, { number, self, manager, turns: scheduler });
    wiring.place(manager, parts.transactionManager, { self: manager, turns: scheduler, rms });
    wiring.place(scheduler, turns, { self: scheduler, askers: [...rms, manager] });
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
