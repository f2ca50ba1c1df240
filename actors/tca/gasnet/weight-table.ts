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
const { update, act } = role.component<WeightTableContext>();

const tuningOf = ({ spec, tunings }: WeightTableContext, pattern: string): Tuning =>
  tunings[pattern] ?? untuned(spec.tagsPerChannel, spec.channels);

/** How transfers are split over channels, learned from the first ones of each pattern (TCA specification 1.20, 12.8). */
export const weightTable = setup({
  types: role.types<WeightTableContext, WeightTableInput>(),
  actions: {
    answer: act<'weights.ask'>((c, { pattern, amount, unit }, out) => {
      const tuning = tuningOf(c, pattern);
      const split = nextSplit(tuning, amount, unit);
      out.post({ to: c.spec.planner, type: 'weights.split', split, tuning: tuning.state !== 'frozen' });
    }),
    note: update<'weights.note'>((c, { pattern, round }) => {
      c.tunings[pattern] = noteRound(tuningOf(c, pattern), round);
    }),
  },
}).createMachine({
  id: 'weightTable',
  context: ({ input }) => ({ spec: input, tunings: {} }),
  initial: 'serving',
  states: { serving: { on: { 'weights.ask': { actions: 'answer' }, 'weights.note': { actions: 'note' } } } },
});
