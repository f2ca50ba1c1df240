import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { tcaProtocol } from '../protocol.ts';
import { nextSplit, noteRound, type Tuning, untuned } from '../split.ts';

/** Tags by channel, the channels that may be used, and who asks. */
export interface WeightTableInput {
  readonly tagsPerChannel: readonly number[];
  readonly channels: readonly number[];
  readonly planner: Address;
}

/** What is known of each pattern: untuned, tuning or frozen (TCA specification 12.8). */
export interface WeightTableContext {
  readonly spec: WeightTableInput;
  tunings: Record<string, Tuning>;
}

const role = tcaProtocol.roles.WeightTable;
const { update, post, when } = role.component<WeightTableContext>();

const tuningOf = ({ spec, tunings }: WeightTableContext, pattern: string): Tuning =>
  tunings[pattern] ?? untuned(spec.tagsPerChannel, spec.channels);

const isFrozen = (tuning: Tuning): boolean => tuning.state === 'frozen';

/** Answers with the next split, and whether the transfer is to be timed. */
const answer = (tuning: boolean) =>
  post<'weights.ask'>((c, { pattern, amount, unit }) => ({
    to: c.spec.planner,
    type: 'weights.split',
    split: nextSplit(tuningOf(c, pattern), amount, unit),
    tuning,
  }));

/**
 * How transfers are split over channels, learned from the first ones of each pattern (TCA specification 1.20, 12.8).
 *
 * Details: its states are those of the specification for the pattern that is least far among those measured; a new pattern begins to be tuned with its first measured transfer.
 */
export const weightTable = setup({
  types: role.types<WeightTableContext, WeightTableInput>(),
  guards: {
    isFrozen: when((c, { pattern }) => isFrozen(tuningOf(c, pattern))),
    allFrozen: when(({ tunings }) => Object.values(tunings).every(isFrozen)),
  },
  actions: {
    splitByWeight: answer(true),
    repeatFastest: answer(false),
    note: update<'weights.note'>((c, { pattern, round }) => {
      c.tunings[pattern] = noteRound(tuningOf(c, pattern), round);
    }),
  },
}).createMachine({
  id: 'weightTable',
  context: ({ input }) => ({ spec: input, tunings: {} }),
  initial: 'untuned',
  on: {
    'weights.ask': [{ guard: 'isFrozen', actions: 'repeatFastest' }, { actions: 'splitByWeight' }],
    // A transfer that was begun before the last round ended teaches nothing.
    'weights.note': [{ guard: 'isFrozen' }, { target: '.tuning', actions: 'note' }],
  },
  states: {
    untuned: {
      on: {
        'weights.ask': { actions: 'splitByWeight' },
        'weights.note': { target: 'tuning', actions: 'note' },
      },
    },
    tuning: { always: { guard: 'allFrozen', target: 'frozen' } },
    frozen: {},
  },
});
