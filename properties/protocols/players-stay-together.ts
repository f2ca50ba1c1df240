import type { GlobalState } from '../../kernel/global-state.ts';
import { always } from '../temporal/temporal.ts';

const countIn = (state: GlobalState, player: string): number =>
  state.actor<{ readonly count: number }>(player).context.count;

/** A ball that was counted comes back to be counted, and the next one is the next. */
export const playersStayTogether = always(
  'the players have counted alike, or the ponger one more',
  (state) => {
    if (state.actors.some((actor) => actor.state === 'crashed')) return true;
    const ahead = countIn(state, 'Ponger') - countIn(state, 'Pinger');
    return ahead === 0 || ahead === 1;
  },
);
