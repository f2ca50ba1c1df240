import type { LineShown, TurnProgramContext } from '../../actors/protocols/turn-program.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { FairnessConfig } from '../../machines/protocols/fairness.ts';
import { always, eventually, leadsTo, reachable, shown } from '../temporal/temporal.ts';

const key = ({ process }: LineShown) => process;

/** What must come in the systems of the machine `fairness`, by system. */
export function fairnessProperties({ system, size, fair }: FairnessConfig) {
  switch (system) {
    case 'spinner':
      return [eventually('the work is done', shown('work.done'), { fair })];
    case 'philosophers':
      return [
        leadsTo(
          'a philosopher who is hungry eats',
          shown<LineShown>('philosopher.hungry', { key }),
          shown<LineShown>('philosopher.eats', { key }),
          { fair },
        ),
      ];
    case 'token-ring':
      return [
        leadsTo(
          'when a station has used the token, the next one does',
          shown<LineShown>('token.used', { key: ({ process }) => (process + 1) % size }),
          shown<LineShown>('token.used', { key }),
          { fair },
        ),
        always('there is one token', (state) => tokensIn(state) === 1 || `there are ${tokensIn(state)}`),
        reachable(
          'the last station waits while the first one has the token',
          (state) =>
            [state.actor(`Station[${size - 1}]`).state, state.actor('Station[0]').state].join() ===
            'waiting,ready',
        ),
      ];
  }
}

/** Tokens that are under way, kept, or taken and not passed on. */
function tokensIn(state: GlobalState): number {
  const stations = state.named<TurnProgramContext>('Station[*]');
  const held = stations.map(({ context: { tokens, next } }) => tokens + (next > 0 ? 1 : 0));
  return state.underWay('token').length + held.reduce((sum, one) => sum + one, 0);
}
