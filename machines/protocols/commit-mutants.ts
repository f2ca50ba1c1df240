import type { AnyStateMachine } from 'xstate';
import { resourceManagerKit } from '../../actors/protocols/resource-manager.ts';
import { managerSteps, transactionManagerKit } from '../../actors/protocols/transaction-manager.ts';
import { mutantsOf } from '../mutant.ts';

/** The state machines that two-phase commit is made of. */
export interface CommitParts {
  readonly resourceManager: AnyStateMachine;
  readonly transactionManager: AnyStateMachine;
}

const rm = resourceManagerKit;
const tm = transactionManagerKit;

/** Planted faults of two-phase commit, by id. Of them only `lost-decision` shows in the canonical run. */
export const commitMutants = mutantsOf<CommitParts>({
  'hasty-manager': {
    sentence: 'the transaction manager may commit as soon as one resource manager is prepared',
    mutate: (parts) => ({
      ...parts,
      transactionManager: parts.transactionManager.provide({
        actions: {
          choose: tm.choose(
            'step',
            (m) => managerSteps(m, 1).length,
            (m, _event, pick) => {
              m.step = managerSteps(m, 1)[pick]!;
            },
          ),
        },
      }),
    }),
  },
  'broken-promise': {
    sentence: 'a resource manager may give up after having said that it is prepared',
    mutate: (parts) => ({
      ...parts,
      resourceManager: parts.resourceManager.provide({
        actions: {
          promise: rm.post((m) => [
            { to: m.manager, type: 'transaction.prepared', rm: m.number },
            { to: m.turns, type: 'turn.ask', by: m.self },
          ]),
          // It has asked already.
          askForTurn: rm.post(() => undefined),
          obey: rm.choose(
            'step',
            ({ heard }) => (heard ? 2 : 1),
            (m, _event, pick) => {
              m.step = pick === 0 && m.heard ? m.heard : 'giveUp';
            },
          ),
        },
      }),
    }),
  },
  'lost-decision': {
    sentence: 'the decision never reaches the last resource manager',
    mutate: (parts) => ({
      ...parts,
      transactionManager: parts.transactionManager.provide({
        actions: {
          tellAll: tm.post((m) =>
            m.rms.slice(0, -1).map((to) => ({ to, type: m.step as 'transaction.commit' })),
          ),
        },
      }),
    }),
  },
});
