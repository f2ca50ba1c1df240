import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import type { EventsOf } from '../../kernel/protocol/protocol.ts';
import { commitProtocol } from './commit-protocol.ts';

const role = commitProtocol.roles.TransactionManager;
type Decision = 'transaction.commit' | 'transaction.abort';
type TransactionManagerEvent = EventsOf<typeof commitProtocol, 'TransactionManager'>;

/** Fixed when the parts are wired. */
export interface TransactionManagerSpec {
  readonly self: Address;
  readonly turns: Address;
  /** The resource managers, by number. */
  readonly rms: readonly Address[];
}

/** What the transaction manager remembers. */
export interface TransactionManagerContext extends TransactionManagerSpec {
  /** Who sent `transaction.prepared` without it having been looked at: numbers, ascending. */
  unread: number[];
  /** Whose promise it knows, ascending: the variable tmPrepared of the module. */
  prepared: number[];
  /** The step of this turn, null between turns: a decision, or the resource manager whose promise it looks at. */
  step: Decision | number | null;
}

type Step = NonNullable<TransactionManagerContext['step']>;

/** The kit of transaction managers, also for planted faults. */
export const transactionManagerKit = role.component<TransactionManagerContext>();
const { update, post, when, choose } = transactionManagerKit;

/** What it may do when so many promises are enough to commit; the first is the step of the canonical run. */
export const managerSteps = (
  { unread, prepared }: TransactionManagerContext,
  promisesNeeded: number,
): readonly Step[] => [
  ...unread,
  ...(prepared.length >= promisesNeeded ? (['transaction.commit'] as const) : []),
  'transaction.abort',
];
const steps = (tm: TransactionManagerContext) => managerSteps(tm, tm.rms.length);
const chose = (step: Step) => ({ type: 'chose' as const, params: { step } });
const inOrder = (one: number, other: number) => one - other;

/**
 * The one who decides: commit when all are prepared, abort at any time before.
 *
 * Details: actions TMRcvPrepared, TMCommit and TMAbort of the module TwoPhase (see `resource-manager.ts`). Having decided it does nothing
 * more, but remembers what it is sent.
 */
export const transactionManager = setup({
  types: role.types<TransactionManagerContext, TransactionManagerSpec>(),
  guards: {
    chose: when<TransactionManagerEvent['type'], { step: Step }>(
      (tm, _event, _envelope, { step }) => tm.step === step,
    ),
  },
  actions: {
    keep: update<'transaction.prepared'>((tm, { rm }) => {
      tm.unread = [...tm.unread, rm].sort(inOrder);
    }),
    choose: choose(
      'step',
      (tm) => steps(tm).length,
      (tm, _event, pick) => {
        tm.step = steps(tm)[pick]!;
      },
    ),
    read: update((tm) => {
      tm.unread = tm.unread.filter((rm) => rm !== tm.step);
      tm.prepared = [...tm.prepared, tm.step as number].sort(inOrder);
    }),
    forget: update((tm) => {
      tm.step = null;
    }),
    askForTurn: post((tm) => ({ to: tm.turns, type: 'turn.ask', by: tm.self })),
    tellAll: post((tm) => tm.rms.map((to) => ({ to, type: tm.step as Decision }))),
  },
}).createMachine({
  id: 'transactionManager',
  context: ({ input }) => ({ ...input, unread: [], prepared: [], step: null }),
  on: { 'transaction.prepared': { actions: 'keep' } },
  initial: 'init',
  states: {
    init: { on: { 'turn.take': { target: 'stepping', actions: 'choose' } } },
    stepping: {
      always: [
        { guard: chose('transaction.commit'), target: 'committed', actions: ['tellAll', 'forget'] },
        { guard: chose('transaction.abort'), target: 'aborted', actions: ['tellAll', 'forget'] },
        { target: 'init', actions: ['read', 'forget', 'askForTurn'] },
      ],
    },
    committed: {},
    aborted: {},
  },
});
