import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { latencyTicks } from './participant.ts';
import { recoverableProtocol } from './recoverable-protocol.ts';

const role = recoverableProtocol.roles.TransactionManager;

/** Fixed when the parts are wired. */
export interface CoordinatorSpec {
  readonly self: Address;
  readonly participants: readonly Address[];
  /** Ticks after which votes that have not come count as no. */
  readonly patienceTicks: number;
}

/** What the coordinator remembers. */
export interface CoordinatorContext extends CoordinatorSpec {
  /** Who voted yes, ascending. */
  inFavour: Address[];
}

const { update, post, when } = role.component<CoordinatorContext>();

const toAll = (
  { participants }: CoordinatorContext,
  type: 'vote.request' | 'decision.commit' | 'decision.abort',
) => participants.map((to) => ({ to, type, delay: latencyTicks }));

/** The one who decides: commit when all have voted yes in time, else abort. It never crashes, and answers who asks again. */
export const coordinator = setup({
  types: role.types<CoordinatorContext, CoordinatorSpec>(),
  guards: {
    last: when<'vote.yes'>(
      ({ inFavour, participants }, { by }) => new Set([...inFavour, by]).size === participants.length,
    ),
  },
  actions: {
    requestVotes: post((c) => toAll(c, 'vote.request')),
    losePatience: post(({ self, patienceTicks }) => ({
      to: self,
      type: 'votes.timeout',
      delay: patienceTicks,
    })),
    count: update<'vote.yes'>((c, { by }) => {
      if (!c.inFavour.includes(by)) c.inFavour = [...c.inFavour, by].sort((one, other) => one - other);
    }),
    tellCommit: post((c) => toAll(c, 'decision.commit')),
    tellAbort: post((c) => toAll(c, 'decision.abort')),
    answerCommit: post<'decision.ask'>((_c, { by }) => ({
      to: by,
      type: 'decision.commit',
      delay: latencyTicks,
    })),
    answerAbort: post<'decision.ask'>((_c, { by }) => ({
      to: by,
      type: 'decision.abort',
      delay: latencyTicks,
    })),
  },
}).createMachine({
  id: 'coordinator',
  context: ({ input }) => ({ ...input, inFavour: [] }),
  // What comes after the decision changes nothing; who asks before it is told with all others.
  on: { 'vote.yes': {}, 'vote.no': {}, 'decision.ask': {}, 'votes.timeout': {}, 'transaction.begin': {} },
  initial: 'init',
  states: {
    init: {
      on: { 'transaction.begin': { target: 'collecting', actions: ['requestVotes', 'losePatience'] } },
    },
    collecting: {
      on: {
        'vote.yes': [{ guard: 'last', target: 'committed', actions: 'count' }, { actions: 'count' }],
        'vote.no': { target: 'aborted' },
        'votes.timeout': { target: 'aborted' },
      },
    },
    committed: { entry: 'tellCommit', on: { 'decision.ask': { actions: 'answerCommit' } } },
    aborted: { entry: 'tellAbort', on: { 'decision.ask': { actions: 'answerAbort' } } },
  },
});
