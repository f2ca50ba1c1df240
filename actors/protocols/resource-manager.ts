import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import type { EventsOf, ShownBy } from '../../kernel/protocol/protocol.ts';
import { commitProtocol } from './commit-protocol.ts';

const role = commitProtocol.roles.ResourceManager;
type ResourceManagerEvent = EventsOf<typeof commitProtocol, 'ResourceManager'>;
type Decision = 'transaction.commit' | 'transaction.abort';

/** Shown by a resource manager when it has decided. */
export type TransactionDecided = ShownBy<typeof commitProtocol>;

/** Fixed when the parts are wired. */
export interface ResourceManagerSpec {
  /** From 0. */
  readonly number: number;
  readonly self: Address;
  readonly manager: Address;
  readonly turns: Address;
}

/** What a resource manager remembers. */
export interface ResourceManagerContext extends ResourceManagerSpec {
  /** The decision that was sent to it, acted upon or not: in this model a message is never used up. */
  heard: Decision | null;
  /** The step of this turn; null between turns. */
  step: 'prepare' | 'giveUp' | Decision | null;
}

type Step = NonNullable<ResourceManagerContext['step']>;

/** The kit of resource managers, also for planted faults. */
export const resourceManagerKit = role.component<ResourceManagerContext>();
const { update, post, when, choose, probe } = resourceManagerKit;

/** What it may do while nothing binds it; the first is the step of the canonical run. */
const freeSteps = ({ heard }: ResourceManagerContext): readonly Step[] => [
  'prepare',
  'giveUp',
  ...(heard ? [heard] : []),
];
const chose = (step: Step) => ({ type: 'chose' as const, params: { step } });
const askForTurn = (rm: ResourceManagerContext) => ({ to: rm.turns, type: 'turn.ask' as const, by: rm.self });

/**
 * One of those who must all commit or all abort.
 *
 * Details: actions RMPrepare, RMChooseToAbort, RMRcvCommitMsg and RMRcvAbortMsg of the module TwoPhase (Gray and Lamport, "Consensus on
 * transaction commit", 2006). It asks for turns while some action is enabled that would change something.
 */
export const resourceManager = setup({
  types: role.types<ResourceManagerContext, ResourceManagerSpec>(),
  guards: {
    chose: when<ResourceManagerEvent['type'], { step: Step }>(
      (rm, _event, _envelope, { step }) => rm.step === step,
    ),
  },
  actions: {
    hear: update<Decision>((rm, { type }) => {
      rm.heard = type;
    }),
    askForTurn: post(askForTurn),
    choose: choose(
      'step',
      (rm) => freeSteps(rm).length,
      (rm, _event, pick) => {
        rm.step = freeSteps(rm)[pick]!;
      },
    ),
    obey: update((rm) => {
      rm.step = rm.heard;
    }),
    forget: update((rm) => {
      rm.step = null;
    }),
    promise: post((rm) => [
      { to: rm.manager, type: 'transaction.prepared', rm: rm.number },
      ...(rm.heard ? [askForTurn(rm)] : []),
    ]),
    show: probe<ResourceManagerEvent['type'], Pick<TransactionDecided, 'decision'>>(
      (_rm, _event, _envelope, { decision }) => ({ type: 'transaction.decided', decision }),
    ),
  },
}).createMachine({
  id: 'resourceManager',
  context: ({ input }) => ({ ...input, heard: null, step: null }),
  on: { 'transaction.commit': { actions: 'hear' }, 'transaction.abort': { actions: 'hear' } },
  initial: 'working',
  states: {
    working: { on: { 'turn.take': { target: 'stepping', actions: 'choose' } } },
    prepared: {
      ...waitingFor<ResourceManagerContext>('the decision', (rm) => rm.manager),
      on: {
        'transaction.commit': { actions: ['hear', 'askForTurn'] },
        'transaction.abort': { actions: ['hear', 'askForTurn'] },
        'turn.take': { target: 'stepping', actions: 'obey' },
      },
    },
    stepping: {
      exit: 'forget',
      always: [
        { guard: chose('prepare'), target: 'prepared', actions: 'promise' },
        { guard: chose('transaction.commit'), target: 'committed' },
        { target: 'aborted' },
      ],
    },
    committed: { entry: { type: 'show', params: { decision: 'committed' } } },
    aborted: { entry: { type: 'show', params: { decision: 'aborted' } } },
  },
});
