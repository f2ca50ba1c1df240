import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import type { EventsOf, ShownBy } from '../../kernel/protocol/protocol.ts';
import { recoverableProtocol } from './recoverable-protocol.ts';

const role = recoverableProtocol.roles.ResourceManager;
type ParticipantEvent = EventsOf<typeof recoverableProtocol, 'ResourceManager'>;
type Decided = ShownBy<typeof recoverableProtocol>;

/** Fixed when the parts are wired. */
export interface ParticipantSpec {
  readonly self: Address;
  readonly coordinator: Address;
  readonly log: Address;
}

/** What a participant remembers: nothing of it is left after a crash. */
export interface ParticipantContext extends ParticipantSpec {
  /** How it votes; null before it does. */
  vote: 'yes' | 'no' | null;
}

const { update, post, when, choose, probe } = role.component<ParticipantContext>();

/** Ticks that a message is on its way between participant and coordinator. */
export const latencyTicks = 1;

/**
 * A resource manager of two-phase commit that may crash and begin anew.
 *
 * Details: before it promises to commit it writes that down. One that begins anew asks its log: having promised it asks for the decision; having not, it aborts, since it cannot have
 * promised (Gray, "Notes on data base operating systems", 1978).
 */
export const participant = setup({
  types: role.types<ParticipantContext, ParticipantSpec>(),
  guards: {
    first: when<'log.value'>((_participant, { first }) => first),
    promised: when<'log.value'>((_participant, { promised }) => promised),
    inFavour: when(({ vote }) => vote === 'yes'),
  },
  actions: {
    readLog: post(({ log }) => ({ to: log, type: 'log.read' })),
    vote: choose(
      'vote',
      () => 2,
      (participant, _event, pick) => {
        participant.vote = pick === 0 ? 'yes' : 'no';
      },
    ),
    forgetVote: update((participant) => {
      participant.vote = null;
    }),
    writePromise: post(({ log }) => ({ to: log, type: 'log.write' })),
    promise: post(({ coordinator, self }) => ({
      to: coordinator,
      type: 'vote.yes',
      by: self,
      delay: latencyTicks,
    })),
    refuse: post(({ coordinator, self }) => ({
      to: coordinator,
      type: 'vote.no',
      by: self,
      delay: latencyTicks,
    })),
    askDecision: post(({ coordinator, self }) => ({
      to: coordinator,
      type: 'decision.ask',
      by: self,
      delay: latencyTicks,
    })),
    show: probe<ParticipantEvent['type'], Pick<Decided, 'decision'>>(
      (_participant, _event, _envelope, { decision }) => ({ type: 'transaction.decided', decision }),
    ),
  },
}).createMachine({
  id: 'participant',
  context: ({ input }) => ({ ...input, vote: null }),
  // What comes too late, or to one who has begun anew, changes nothing.
  on: { 'vote.request': {}, 'decision.commit': {}, 'decision.abort': {}, 'log.value': {}, 'log.written': {} },
  initial: 'beginning',
  states: {
    beginning: {
      entry: 'readLog',
      on: {
        'log.value': [
          { guard: 'first', target: 'working' },
          { guard: 'promised', target: 'prepared', actions: 'askDecision' },
          { target: 'aborted' },
        ],
      },
    },
    working: {
      on: {
        'vote.request': { target: 'voting', actions: 'vote' },
        'decision.abort': { target: 'aborted' },
      },
    },
    voting: {
      exit: 'forgetVote',
      always: [
        { guard: 'inFavour', target: 'writing', actions: 'writePromise' },
        { target: 'aborted', actions: 'refuse' },
      ],
    },
    writing: { on: { 'log.written': { target: 'prepared', actions: 'promise' } } },
    prepared: {
      ...waitingFor<ParticipantContext>('the decision', ({ coordinator }) => coordinator),
      on: { 'decision.commit': { target: 'committed' }, 'decision.abort': { target: 'aborted' } },
    },
    committed: { entry: { type: 'show', params: { decision: 'committed' } } },
    aborted: { entry: { type: 'show', params: { decision: 'aborted' } } },
  },
});
